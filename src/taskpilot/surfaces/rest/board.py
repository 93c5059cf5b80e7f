"""`/api/board`: all that a board begins with, and the cards that have changed since."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema
from starlette.responses import Response

from taskpilot.domain.card import CARDS_MOST, USUAL_ESTIMATE
from taskpilot.domain.moments import wire
from taskpilot.domain.run import Run
from taskpilot.domain.task import ID_MOST
from taskpilot.ops import board
from taskpilot.surfaces.rest.asking import reply, run
from taskpilot.surfaces.rest.group_shapes import ProjectOut, show_project
from taskpilot.surfaces.rest.limits import LimitOut
from taskpilot.surfaces.rest.limits import show as show_limit
from taskpilot.surfaces.rest.people import UserOut, show_user
from taskpilot.surfaces.rest.profile import SettingsOut
from taskpilot.surfaces.rest.run_bodies import AnyAgent
from taskpilot.surfaces.rest.shapes import EnergyName, PriorityName

router = APIRouter(prefix="/api/board", tags=["board"])

Absent = SkipJsonSchema[None]
IDS = rf"^[1-9][0-9]{{0,17}}(,[1-9][0-9]{{0,17}}){{0,{board.PICKED_MOST - 1}}}$"


class BoardQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    limit: int = Field(CARDS_MOST, ge=1, le=CARDS_MOST, description="The most cards.")
    workspace_id: Annotated[int, Field(ge=1, le=ID_MOST)] | Absent = Field(
        None, description="Only the tasks of this workspace."
    )


class CardsQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    ids: str = Field(
        pattern=IDS, description=f"Up to {board.PICKED_MOST} ids, separated by commas.", examples=["1,2,3"]
    )


class CardOut(BaseModel):
    """As much of a task as a board shows. What is usual or empty is left out, to be quick."""

    id: int
    title: str
    state: Literal["backlog", "todo", "in_progress", "blocked", "review", "done"]
    priority: PriorityName = "medium"
    rank: float | None = Field(None, description="Cards stand in the order of their ranks; of their ids without one.")
    energy: EnergyName = "medium"
    estimate: str = USUAL_ESTIMATE
    project_id: int | None = None
    workspace_id: int | None = None
    parent_id: int | None = None
    tags: list[str] = Field(default_factory=list[str])
    blocked_by: list[int] = Field(default_factory=list[int])
    due: str | None = None
    start: str | None = Field(None, description="When it is scheduled to start.")
    every: str = Field("", description="Its recurrence, an RFC 5545 rule.")
    files: int = Field(0, description="How many files are connected.")
    described: bool = Field(False, description="It has a description or notes.")
    accept: bool = Field(False, description="It has acceptance commands.")
    created: str
    updated: str
    done: str | None = Field(None, description="When it was completed.")
    version: int


class PlaceOut(BaseModel):
    id: int
    name: str
    path: str


class HolderOut(BaseModel):
    task_id: int
    actor: str
    lease_until: str


class LiveRunOut(BaseModel):
    id: int
    task_id: int
    agent: AnyAgent
    state: Literal["pending", "in_progress", "waiting", "interrupted"]
    stopping: bool
    question_id: int | None = Field(description="What it waits to be told.")
    started_at: str | None


class BoardOut(BaseModel):
    event_id: int = Field(description="Go on from here with /api/events: nothing is missed, and nothing comes twice.")
    tasks: list[CardOut] = Field(description="Open ones first, then done ones, newest first; dropped ones never.")
    left_out: int = Field(description="How many more there are.")
    projects: list[ProjectOut]
    workspaces: list[PlaceOut]
    tags: list[str]
    claims: list[HolderOut]
    runs: list[LiveRunOut] = Field(description=f"Those that are not over, latest first; at most {board.RUNS_MOST}.")
    questions: int = Field(description="How many wait for your answer.")
    limits: list[LimitOut]
    me: UserOut
    settings: SettingsOut


class CardsOut(BaseModel):
    tasks: list[CardOut] = Field(description="In the order asked.")
    gone: list[int] = Field(description="Deleted, dropped, never there, or not yours.")
    event_id: int


@router.get("", response_model=BoardOut)
async def get_board(request: Request, query: Annotated[BoardQuery, Query()]) -> Response:
    """All that a board begins with, as it was at one moment."""
    found = await run(request, board.show, limit=query.limit, workspace=query.workspace_id)
    return reply(show_board(found))


@router.get("/cards", response_model=CardsOut)
async def list_cards(request: Request, query: Annotated[CardsQuery, Query()]) -> Response:
    """The cards of some tasks."""
    found = await run(request, board.pick, [int(each) for each in query.ids.split(",")])
    return reply({"tasks": found.cards, "gone": found.gone, "event_id": found.event})


def show_board(found: board.Board) -> dict[str, Any]:
    return {
        "event_id": found.event,
        "tasks": found.cards,
        "left_out": found.left_out,
        "projects": [show_project(*each) for each in found.projects],
        "workspaces": [{"id": each.id, "name": each.name, "path": each.path} for each in found.workspaces],
        "tags": found.tags,
        "claims": [
            {"task_id": each.task, "actor": each.actor, "lease_until": wire(each.lease_until)} for each in found.claims
        ],
        "runs": [_show_run(*each) for each in found.runs],
        "questions": found.questions,
        "limits": [show_limit(each) for each in found.limits],
        "me": show_user(found.me),
        "settings": found.me.preferences | {"version": found.me.version},
    }


def _show_run(run: Run, question: int | None) -> dict[str, Any]:
    return {
        "id": run.id,
        "task_id": run.task,
        "agent": run.agent,
        "state": run.state,
        "stopping": run.stopping,
        "question_id": question,
        "started_at": wire(run.started_at),
    }
