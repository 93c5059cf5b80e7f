"""`/api/audit`: who did what."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, cast

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from starlette.responses import Response

from taskpilot.domain.calls import Search, Step
from taskpilot.domain.moments import parse_iso
from taskpilot.domain.selection import Page
from taskpilot.ops import trail
from taskpilot.surfaces.rest.asking import reply, run
from taskpilot.surfaces.rest.types import Moment

Outcome = Literal[
    "ok", "invalid", "not_found", "conflict", "forbidden", "unauthenticated", "unavailable", "bug", "failed"
]
Word = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern="^[ -~\u00a1-\ud7ff]+$")]

router = APIRouter(prefix="/api", tags=["audit"])


class AuditQuery(BaseModel):
    """Which entries; every condition must hold."""

    model_config = ConfigDict(extra="forbid")

    actor: Word | None = None
    door: Word | None = Field(None, description="`rest`, `cli`, or the name of a contract.")
    tool: Word | None = Field(None, description="A tool, or a route such as `GET /api/tasks`.")
    outcome: Outcome | None = Field(None, description="`failed`: whatever was not ok.")
    since: Moment | None = None
    until: Moment | None = None
    limit: int = Field(50, ge=1, le=1000)
    cursor: str | None = Field(None, pattern=r"^[0-9]{1,18}\.[0-9]{1,18}$", description="From the page before.")

    @property
    def search(self) -> Search:
        return Search(
            actor=self.actor,
            door=self.door,
            tool=self.tool,
            outcome=self.outcome,
            since=_moment(self.since),
            until=_moment(self.until),
        )


class StepOut(BaseModel):
    id: int
    source: Literal["event", "call"] = Field(description="A change, or a call that changed nothing.")
    at: str
    user: str | None = Field(description="The handle of whose it is; null where nobody was recognised.")
    actor: str
    address: str
    door: str
    tool: str
    outcome: str
    kind: str = Field(description="What befell what, such as `task.completed`; empty when nothing changed.")
    subject: int | None
    reason: str


class AuditOut(BaseModel):
    entries: list[StepOut]
    cursor: str | None = Field(description="Hand it back for the next page; null at the end.")


@router.get("/audit", response_model=AuditOut)
async def list_audit(request: Request, query: Annotated[AuditQuery, Query()]) -> Response:
    """What was done in your name, latest first: changes, calls, and what failed."""
    return _show(await run(request, trail.list_page, query.search, limit=query.limit, cursor=query.cursor))


@router.get("/admin/audit", response_model=AuditOut)
async def list_everybodys_audit(request: Request, query: Annotated[AuditQuery, Query()]) -> Response:
    """What anybody did, and who was turned away; latest first. For administrators."""
    return _show(await run(request, trail.list_everybody, query.search, limit=query.limit, cursor=query.cursor))


def _show(page: Page[Step]) -> Response:
    return reply({"entries": [step.plain for step in page.items], "cursor": page.cursor})


def _moment(given: str | None) -> datetime | None:
    return None if given is None else cast("datetime", parse_iso(given))
