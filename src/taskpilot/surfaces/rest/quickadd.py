"""`/api/quick-add`: a task in one line, and what is understood of it while it is typed."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema
from starlette.responses import Response

from taskpilot.domain.moments import wire
from taskpilot.domain.operation import writes
from taskpilot.domain.quickadd import Kind, Understood
from taskpilot.domain.task import TITLE_MOST, Status
from taskpilot.ops import quickadd
from taskpilot.store.work import Work
from taskpilot.surfaces.rest.asking import create, reply, run, uuid_of
from taskpilot.surfaces.rest.shapes import PriorityName, State, TaskOut, show_task
from taskpilot.surfaces.rest.task_bodies import RENAMED, Id, Rank, TaskNumber, hide_defaults
from taskpilot.surfaces.rest.types import VISIBLE, Body, IdempotencyKey, Zone

router = APIRouter(prefix="/api/quick-add", tags=["tasks"])

GRAMMAR = "Such as: Pay rent tomorrow 9am #home !high @flat every month ~30min"
IN_ZONE = "Where its hours are meant; without one, the time zone of your settings counts."


class PreviewQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: str = Field(max_length=TITLE_MOST, description=GRAMMAR)
    tz: Zone | SkipJsonSchema[None] = Field(None, description=IN_ZONE)


class QuickTask(Body):
    """What the text says counts before what is said beside it."""

    model_config = ConfigDict(json_schema_extra=hide_defaults)

    text: str = Field(min_length=1, max_length=TITLE_MOST, pattern=VISIBLE, description=GRAMMAR)
    tz: Zone | None = Field(None, description=IN_ZONE)
    state: State = "todo"
    project_id: Id | None = None
    workspace_id: Id | None = None
    parent_id: TaskNumber | None = None
    rank: Rank | None = None

    def beside(self) -> Any:
        given = {name: getattr(self, name) for name in self.model_fields_set if name not in ("text", "tz", "state")}
        return {RENAMED.get(name, name): value for name, value in given.items()} | {"status": Status(self.state)}


class QuickFieldsOut(BaseModel):
    """Only what was found."""

    title: str = ""
    due_date: str | None = None
    tags: list[str] = Field(default_factory=list[str])
    priority: PriorityName | None = None
    project: str | None = None
    recurrence: str = Field("", description="An RFC 5545 rule.")
    time_estimate: str = ""


class PartOut(BaseModel):
    text: str
    start: int = Field(description="In UTF-16 code units, as JavaScript counts.")
    end: int
    kind: Kind
    label: str = Field(description="What it means, in short.")


class PreviewOut(BaseModel):
    fields: QuickFieldsOut
    parts: list[PartOut] = Field(description="The text from its start to its end, without the blanks between parts.")


@router.get("", response_model=PreviewOut)
async def preview_task(request: Request, query: Annotated[PreviewQuery, Query()]) -> Response:
    """What a text would make. Nothing is made: ask as often as somebody types."""
    return reply(show(await run(request, quickadd.preview, query.text, zone=query.tz)))


@router.post("", status_code=201, response_model=TaskOut)
async def quick_add(request: Request, body: QuickTask, key: IdempotencyKey = None) -> Response:  # noqa: ARG001
    """Add a task in one line. What is not understood stays in the title."""
    user = await uuid_of(request)

    @writes
    def make(work: Work) -> dict[str, Any]:
        return show_task(quickadd.add(work, body.text, body.beside(), zone=body.tz), user)

    asked = body.model_dump(exclude_unset=True)
    return await create(request, make, asked=asked, location=lambda made: f"/api/tasks/{made['id']}")


def show(found: Understood) -> dict[str, Any]:
    fields: dict[str, Any] = {name: value for name, value in found.fields.items() if value}
    if "due_date" in fields:
        fields["due_date"] = wire(fields["due_date"])
    return {"fields": fields, "parts": [part._asdict() for part in found.parts]}
