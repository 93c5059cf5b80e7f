"""`/api/tasks`: one task, and lists of them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from taskpilot.domain.operation import writes
from taskpilot.domain.task import parse_id
from taskpilot.ops import tasks
from taskpilot.store.work import Work
from taskpilot.surfaces.rest.asking import create, expected_version, reply, run, tag, uuid_of
from taskpilot.surfaces.rest.routes import TaskRoute
from taskpilot.surfaces.rest.shapes import TaskOut, TasksOut, show_page, show_task
from taskpilot.surfaces.rest.task_bodies import NewTask, TaskChanges
from taskpilot.surfaces.rest.task_filters import TaskQuery
from taskpilot.surfaces.rest.types import IdempotencyKey, IfMatch, TaskId

router = APIRouter(prefix="/api/tasks", tags=["tasks"], route_class=TaskRoute)


@router.post("", status_code=201, response_model=TaskOut)
async def create_task(request: Request, body: NewTask, key: IdempotencyKey = None) -> Response:  # noqa: ARG001
    """Add a task. It starts as `todo` unless told otherwise."""
    user = await uuid_of(request)

    @writes
    def make(work: Work) -> dict[str, Any]:
        return show_task(tasks.create(work, [body.fields()]).tasks[0], user)

    asked = body.model_dump(exclude_unset=True)
    return await create(request, make, asked=asked, location=lambda task: f"/api/tasks/{task['id']}")


@router.get("", response_model=TasksOut)
async def list_tasks(request: Request, filter: Annotated[TaskQuery, Query()]) -> Response:
    """Tasks that fit, oldest first: done ones too, dropped ones not."""
    page = await run(request, tasks.list_page, filter.selection(), **filter.order(), **filter.place(), total=True)
    return reply(show_page(page, filter.limit, filter.offset, await uuid_of(request)))


@router.get("/{task_id}", response_model=TaskOut)
async def get_task(request: Request, task_id: TaskId) -> Response:
    """One task."""
    task = await run(request, tasks.get, parse_id(task_id))
    return reply(show_task(task, await uuid_of(request)), headers=tag(task.version))


@router.put("/{task_id}", response_model=TaskOut)
async def put_task(request: Request, task_id: TaskId, body: TaskChanges, if_match: IfMatch = None) -> Response:
    """Change a task. What is not given stays as it is: PUT and PATCH do the same."""
    return await change_task(request, task_id, body, if_match)


@router.patch("/{task_id}", response_model=TaskOut)
async def change_task(request: Request, task_id: TaskId, body: TaskChanges, if_match: IfMatch = None) -> Response:
    """Change a task. What is not given stays as it is."""
    version = expected_version(if_match)
    task = (await run(request, tasks.update, parse_id(task_id), body.fields(), version=version)).task
    return reply(show_task(task, await uuid_of(request)), headers=tag(task.version))


@router.patch("/{task_id}/complete", response_model=TaskOut)
async def toggle_task(request: Request, task_id: TaskId, if_match: IfMatch = None) -> Response:
    """Complete a task, or take it up again if it is done."""
    task = (await run(request, tasks.toggle, parse_id(task_id), version=expected_version(if_match))).task
    return reply(show_task(task, await uuid_of(request)), headers=tag(task.version))


@router.delete("/{task_id}", status_code=204, response_class=Response)
async def delete_task(request: Request, task_id: TaskId, if_match: IfMatch = None) -> Response:
    """Delete a task and its subtasks. Undo brings them back."""
    await run(request, tasks.delete, parse_id(task_id), version=expected_version(if_match))
    return Response(status_code=204)
