"""What happened, and taking it back."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from taskpilot.domain.events import Event
from taskpilot.domain.selection import Page
from taskpilot.domain.task import parse_id
from taskpilot.domain.wording import describe
from taskpilot.ops import history
from taskpilot.surfaces.rest.asking import expected_version, reply, run
from taskpilot.surfaces.rest.routes import TaskRoute
from taskpilot.surfaces.rest.streams import show_event
from taskpilot.surfaces.rest.task_bodies import Id
from taskpilot.surfaces.rest.types import VISIBLE, Body, IfMatch, Moment, TaskId

router = APIRouter(prefix="/api", tags=["tasks"], route_class=TaskRoute)


class HistoryQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    limit: int = Field(50, ge=1, le=history.MOST_SHOWN)
    cursor: str | None = Field(None, pattern="^[0-9]{1,18}$", description="The `next_cursor` of the page before.")


class HistoryEventOut(BaseModel):
    """One change: the fields as they were and as they are, and the same in words."""

    id: int
    change: int
    """The first event of the same change: one undo takes back all of it."""
    at: str
    actor: str
    door: str
    kind: str
    subject: int
    before: dict[str, Any] | None
    after: dict[str, Any]
    reason: str
    workspace: int | None
    undoes: int | None
    origin: str
    """The connection, run or conversation it was part of; empty for none."""
    what: str


class HistoryOut(BaseModel):
    events: list[HistoryEventOut]
    next_cursor: str | None


class UndoneOut(BaseModel):
    undone: list[HistoryEventOut]
    """What was taken back, latest first."""
    conflicts: list[str]
    """What was left as it is, because somebody changed it since: which thing, which of its fields, and who."""
    preview: bool
    """Nothing was changed: this is what an undo would do now."""
    change: int | None
    """Undo this one to put everything back; null where nothing was changed."""


class UndoOne(Body):
    """One change with all that belongs to it; without a number, your own latest."""

    event_id: Id | None = None


class UndoActor(Body):
    """Everything somebody did since a moment, except what others have changed since."""

    actor: str = Field(min_length=1, max_length=200, pattern=VISIBLE)
    since: Moment
    preview: bool = False

    def wish(self) -> dict[str, Any]:
        return {"actor": self.actor, "since": _moment(self.since), "preview": self.preview}


class UndoOrigin(Body):
    """Everything that came through one connection, since a moment or ever, except what others have changed since."""

    origin: str = Field(min_length=1, max_length=200, pattern=VISIBLE)
    since: Moment | None = None
    preview: bool = False

    def wish(self) -> dict[str, Any]:
        return {"origin": self.origin, "since": _moment(self.since), "preview": self.preview}


@router.get("/tasks/{task_id}/history", response_model=HistoryOut)
async def list_task_history(request: Request, task_id: TaskId, page: Annotated[HistoryQuery, Query()]) -> Response:
    """What happened to a task, latest first; to a deleted one too."""
    found = await run(request, history.list_page, task_id=parse_id(task_id), limit=page.limit, cursor=page.cursor)
    return reply(show_history(found))


@router.post("/tasks/{task_id}/undo", response_model=UndoneOut)
async def undo_task(request: Request, task_id: TaskId, if_match: IfMatch = None) -> Response:
    """Take back the latest change of a task, whoever made it.

    With If-Match, only if nobody has changed it since. A deleted task is known by the version it had until then.
    """
    version = expected_version(if_match)
    return reply(show_undone(await run(request, history.undo, task_id=parse_id(task_id), version=version)))


@router.get("/history", response_model=HistoryOut)
async def list_history(request: Request, page: Annotated[HistoryQuery, Query()]) -> Response:
    """What happened to everything you own, latest first."""
    return reply(show_history(await run(request, history.list_page, limit=page.limit, cursor=page.cursor)))


@router.post("/undo", response_model=UndoneOut)
async def undo(request: Request, body: UndoOne | UndoActor | UndoOrigin) -> Response:
    """Take a change back, or all that somebody did; with `preview`, only say what that would be."""
    if isinstance(body, UndoOne):
        return reply(show_undone(await run(request, history.undo, event_id=body.event_id)))
    return reply(show_undone(await run(request, history.undo_changes, **body.wish())))


def show(event: Event) -> dict[str, Any]:
    return {**show_event(event), "undoes": event.undoes, "origin": event.origin, "what": describe(event)}


def show_history(page: Page[Event]) -> dict[str, Any]:
    return {"events": [show(event) for event in page.items], "next_cursor": page.cursor}


def show_undone(undone: history.Undone) -> dict[str, Any]:
    return {
        "undone": [show(event) for event in undone.events],
        "conflicts": undone.conflicts,
        "preview": undone.preview,
        "change": undone.change,
    }


def _moment(given: str | None) -> datetime | None:
    if given is None:
        return None
    moment = datetime.fromisoformat(given)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
