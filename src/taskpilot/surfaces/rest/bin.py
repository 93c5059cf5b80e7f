"""`/api/bin`: what was deleted, and taking it out again."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from taskpilot.domain.moments import wire
from taskpilot.domain.task import parse_id
from taskpilot.ops import bin
from taskpilot.surfaces.rest.asking import reply, run, uuid_of
from taskpilot.surfaces.rest.routes import TaskRoute
from taskpilot.surfaces.rest.shapes import TaskOut, show_task
from taskpilot.surfaces.rest.types import TaskId

router = APIRouter(prefix="/api/bin", tags=["bin"], route_class=TaskRoute)


class BinQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    limit: int = Field(50, ge=1, le=bin.LISTED_MOST)
    cursor: str | None = Field(
        None, max_length=1_000, pattern="^[A-Za-z0-9_-]+$", description="The `next_cursor` of the page before."
    )


class BinnedOut(TaskOut):
    deleted_at: str


class BinOut(BaseModel):
    tasks: list[BinnedOut]
    next_cursor: str | None


class RestoredOut(BaseModel):
    tasks: list[TaskOut]
    """The task, and the subtasks that were deleted with it."""


@router.get("", response_model=BinOut)
async def list_bin(request: Request, query: Annotated[BinQuery, Query()]) -> Response:
    """Deleted tasks, latest first. After thirty days they are gone for good."""
    page, user = await run(request, bin.list_page, limit=query.limit, cursor=query.cursor), await uuid_of(request)
    shown = [show_task(task, user) | {"deleted_at": wire(task.deleted_at)} for task in page.items]
    return reply({"tasks": shown, "next_cursor": page.cursor})


@router.post("/{task_id}/restore", response_model=RestoredOut)
async def restore_task(request: Request, task_id: TaskId) -> Response:
    """Take a task out of the bin, with the subtasks that were deleted with it."""
    back, user = await run(request, bin.restore, parse_id(task_id)), await uuid_of(request)
    return reply({"tasks": [show_task(task, user) for task in back]})
