"""Finding a task: by its words, or because it is the one to do next."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from taskpilot.domain import text
from taskpilot.domain.task import parse_id
from taskpilot.ops import focus, queue, search
from taskpilot.surfaces.rest.asking import reply, run, uuid_of
from taskpilot.surfaces.rest.history import HistoryEventOut, show
from taskpilot.surfaces.rest.routes import TaskRoute
from taskpilot.surfaces.rest.shapes import EnergyName, TaskOut, show_task
from taskpilot.surfaces.rest.task_bodies import EXACT_MOST, ProjectName
from taskpilot.surfaces.rest.task_filters import Word, Words
from taskpilot.surfaces.rest.types import TaskId

router = APIRouter(prefix="/api", tags=["tasks"], route_class=TaskRoute)

Length = Annotated[str, Field(pattern="^[1-9][0-9]{0,3}[mhdw]$", examples=["45m", "2h"])]


class SearchQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    q: Words
    match: Literal["words", "parts"] = Field(
        "words", description="`words`: best first. `parts`: also inside longer words of title and notes, but slower."
    )
    limit: int = Field(20, ge=1, le=search.FOUND_MOST)


class NextQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    project: ProjectName | None = None
    tag: Word | None = None
    workspace_id: int | None = Field(None, ge=1, le=EXACT_MOST)
    energy: EnergyName | None = Field(None, description="What you have to give.")
    time: Length | None = Field(None, description="How long you have.")


class FoundOut(BaseModel):
    tasks: list[TaskOut]
    ranked: bool
    """False: the words are so common that the newest are shown, not the best."""


class HeldBackOut(BaseModel):
    """A task that would have been better, but must wait for what others are doing."""

    task_id: int
    title: str
    why: str


class NextOut(BaseModel):
    task: TaskOut | None
    reason: str
    held_back: list[HeldBackOut]


class RuleOut(BaseModel):
    id: int
    kind: str
    content: str


class FocusOut(BaseModel):
    task: TaskOut
    ready: bool
    workspace: str | None
    """The folder it belongs to."""
    rules: list[RuleOut]
    blockers: list[TaskOut]
    waiting: list[TaskOut]
    subtasks: list[TaskOut]
    parent: TaskOut | None
    events: list[HistoryEventOut]


@router.get("/search", response_model=FoundOut)
async def search_tasks(request: Request, query: Annotated[SearchQuery, Query()]) -> Response:
    """Tasks with all the words, or words beginning like them; done ones too."""
    user = await uuid_of(request)
    if query.match == "parts":
        parts = await run(request, search.find_parts, query.q)
        return reply({"tasks": [show_task(task, user) for task in parts[: query.limit]], "ranked": True})
    found = await run(request, search.find, query.q, limit=query.limit)
    return reply({"tasks": [show_task(task, user) for task in found.tasks], "ranked": found.ranked})


@router.get("/next", response_model=NextOut)
async def next_task(request: Request, query: Annotated[NextQuery, Query()]) -> Response:
    """The best task that can be started now, and why."""
    project, tag = (None if given is None else text.clean_line(given) for given in (query.project, query.tag))
    means = {"energy": query.energy, "time": query.time}
    found = await run(request, queue.next_task, project=project, tag=tag, workspace=query.workspace_id, **means)
    task = None if found.task is None else show_task(found.task, await uuid_of(request))
    return reply({"task": task, "reason": found.reason, "held_back": show_held_back(found.held_back)})


@router.get("/tasks/{task_id}/focus", response_model=FocusOut)
async def focus_task(request: Request, task_id: TaskId) -> Response:
    """All that is needed to work on a task: its rules, blockers, subtasks and history."""
    return reply(show_focus(await run(request, focus.gather, parse_id(task_id)), await uuid_of(request)))


def show_held_back(held: tuple[queue.HeldBack, ...]) -> list[dict[str, Any]]:
    return [{"task_id": each.task, "title": each.title, "why": each.why} for each in held]


def show_focus(found: focus.Focus, user: str) -> dict[str, Any]:
    return {
        "task": show_task(found.task, user),
        "ready": found.ready,
        "workspace": found.workspace.path if found.workspace else None,
        "rules": [{"id": rule.id, "kind": rule.kind, "content": rule.content} for rule in found.rules],
        "blockers": [show_task(task, user) for task in found.blockers],
        "waiting": [show_task(task, user) for task in found.waiting],
        "subtasks": [show_task(task, user) for task in found.subtasks],
        "parent": None if found.parent is None else show_task(found.parent, user),
        "events": [show(event) for event in found.events],
    }
