"""Subtasks, and what waits on what."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel
from starlette.responses import Response

from taskpilot.domain.operation import reads, writes
from taskpilot.domain.selection import Page, Selection, Sort
from taskpilot.domain.task import Task, parse_id
from taskpilot.ops import links, tasks
from taskpilot.ops.tasks import KEPT
from taskpilot.store.work import Work
from taskpilot.surfaces.rest.asking import create, expected_version, reply, run, tag, uuid_of
from taskpilot.surfaces.rest.routes import TaskRoute
from taskpilot.surfaces.rest.shapes import TaskOut, TasksOut, show_page, show_task
from taskpilot.surfaces.rest.task_bodies import NewSubtask
from taskpilot.surfaces.rest.task_filters import PageQuery
from taskpilot.surfaces.rest.types import IdempotencyKey, IfMatch, TaskId

router = APIRouter(prefix="/api/tasks/{task_id}", tags=["tasks"], route_class=TaskRoute)


class DependenciesOut(BaseModel):
    blocked_by: list[TaskOut]
    """What it waits on, open or closed."""
    blocks: list[TaskOut]
    """Open tasks that wait on it."""


@reads
def list_subtasks_of(work: Work, parent: int, **place: Any) -> Page[Task]:
    tasks.get(work, parent)
    return tasks.list_page(work, Selection(statuses=KEPT, parent=parent), sort=Sort.OLDEST, total=True, **place)


@router.get("/subtasks", response_model=TasksOut)
async def list_subtasks(request: Request, task_id: TaskId, page: Annotated[PageQuery, Query()]) -> Response:
    """The parts of a task, oldest first: done ones too, dropped ones not."""
    found = await run(request, list_subtasks_of, parse_id(task_id), **page.place())
    return reply(show_page(found, page.limit, page.offset, await uuid_of(request)))


@router.post("/subtasks", status_code=201, response_model=TaskOut)
async def create_subtask(request: Request, task_id: TaskId, body: NewSubtask, key: IdempotencyKey = None) -> Response:  # noqa: ARG001
    """Add a part to a task."""
    user, parent = await uuid_of(request), parse_id(task_id)

    @writes
    def make(work: Work) -> dict[str, Any]:
        return show_task(tasks.create(work, [{**body.fields(), "parent": parent}]).tasks[0], user)

    asked = body.model_dump(exclude_unset=True)
    return await create(request, make, asked=asked, location=lambda task: f"/api/tasks/{task['id']}")


@router.get("/dependencies", response_model=DependenciesOut)
async def list_dependencies(request: Request, task_id: TaskId) -> Response:
    """What a task waits on, and what waits on it."""
    blockers, waiting = await run(request, links.list_all, parse_id(task_id))
    user = await uuid_of(request)
    return reply(
        {
            "blocked_by": [show_task(task, user) for task in blockers],
            "blocks": [show_task(task, user) for task in waiting],
        }
    )


@router.put("/dependencies/{other_id}", response_model=TaskOut)
async def add_dependency(request: Request, task_id: TaskId, other_id: TaskId, if_match: IfMatch = None) -> Response:
    """Let a task wait on another. Answers with the one that waits; safe to repeat."""
    version = expected_version(if_match)
    task = await run(request, links.add, parse_id(task_id), parse_id(other_id), version=version)
    return reply(show_task(task, await uuid_of(request)), headers=tag(task.version))


@router.delete("/dependencies/{other_id}", status_code=204, response_class=Response)
async def remove_dependency(request: Request, task_id: TaskId, other_id: TaskId, if_match: IfMatch = None) -> Response:
    """Let a task no longer wait on another."""
    version = expected_version(if_match)
    await run(request, links.remove, parse_id(task_id), parse_id(other_id), version=version)
    return Response(status_code=204)
