"""`/api/tasks`: one task, and lists of them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from taskpilot.domain.operation import writes
from taskpilot.domain.task import parse_id
from taskpilot.ops import claims, tasks
from taskpilot.store.work import Work
from taskpilot.surfaces.rest.asking import answer_once, expected_version, reply, run, tag, uuid_of
from taskpilot.surfaces.rest.routes import TaskRoute
from taskpilot.surfaces.rest.shapes import TaskOut, TasksOut, show_page, show_task
from taskpilot.surfaces.rest.task_bodies import ClaimToken, NewTask, TaskChanges, read_token
from taskpilot.surfaces.rest.task_filters import Flag, TaskQuery
from taskpilot.surfaces.rest.types import IdempotencyKey, IfMatch, TaskId

router = APIRouter(prefix="/api/tasks", tags=["tasks"], route_class=TaskRoute)

SAID_ALIKE: dict[str, Any] = {
    "headers": {
        "Alike": {
            "description": "The number of an open task that says nearly the same.",
            "schema": {"type": "integer", "minimum": 1},
        }
    }
}


class CreateQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    if_new: Flag = Field(False, description="Make nothing if an open task says the same, and answer with that one.")


@router.post(
    "",
    status_code=201,
    response_model=TaskOut,
    responses={
        200: {"model": TaskOut, "description": "The one that was there already (`if_new`)."} | SAID_ALIKE,
        201: SAID_ALIKE,
    },
)
async def create_task(
    request: Request,
    body: NewTask,
    query: Annotated[CreateQuery, Query()],
    key: IdempotencyKey = None,  # noqa: ARG001
) -> Response:
    """Add a task. It starts as `todo` unless told otherwise. `Alike` names an open one that says nearly the same."""
    user = await uuid_of(request)

    @writes
    def make(work: Work) -> dict[str, Any]:
        made = tasks.create(work, [body.fields()], compare=True, if_new=query.if_new)
        alike = made.alike.get(0)
        task = (*made.tasks, *made.alike.values())[0]
        return {"task": show_task(task, user), "new": bool(made.tasks), "alike": alike.id if alike else None}

    asked = [body.model_dump(exclude_unset=True), query.if_new]
    made, repeated = await answer_once(request, make, asked=asked)
    headers = {"Location": f"/api/tasks/{made['task']['id']}", **tag(made["task"]["version"])}
    if made["alike"] is not None:
        headers["Alike"] = str(made["alike"])
    if repeated:
        headers["Idempotency-Replayed"] = "true"
    return reply(made["task"], 201 if made["new"] else 200, headers)


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
async def put_task(
    request: Request, task_id: TaskId, body: TaskChanges, if_match: IfMatch = None, claim_token: ClaimToken = None
) -> Response:
    """Change a task. What is not given stays as it is: PUT and PATCH do the same."""
    return await change_task(request, task_id, body, if_match, claim_token)


@router.patch("/{task_id}", response_model=TaskOut)
async def change_task(
    request: Request, task_id: TaskId, body: TaskChanges, if_match: IfMatch = None, claim_token: ClaimToken = None
) -> Response:
    """Change a task. What is not given stays as it is."""
    version, claim = expected_version(if_match), read_token(claim_token)
    task = (await run(request, tasks.update, parse_id(task_id), body.fields(), version=version, claim=claim)).task
    return reply(show_task(task, await uuid_of(request)), headers=tag(task.version))


@writes
def toggle_held(work: Work, task_id: int, *, version: int | None, claim: int | None) -> tasks.Changed:
    """Only while the claim holds, if one is named."""
    tasks.get(work, task_id)
    claims.fence(work, task_id, claim)
    return tasks.toggle(work, task_id, version=version)


@router.patch("/{task_id}/complete", response_model=TaskOut)
async def toggle_task(
    request: Request, task_id: TaskId, if_match: IfMatch = None, claim_token: ClaimToken = None
) -> Response:
    """Complete a task, or take it up again if it is done."""
    version, claim = expected_version(if_match), read_token(claim_token)
    task = (await run(request, toggle_held, parse_id(task_id), version=version, claim=claim)).task
    return reply(show_task(task, await uuid_of(request)), headers=tag(task.version))


@router.delete("/{task_id}", status_code=204, response_class=Response)
async def delete_task(
    request: Request, task_id: TaskId, if_match: IfMatch = None, claim_token: ClaimToken = None
) -> Response:
    """Put a task and its subtasks into the bin. Undo brings them back."""
    version, claim = expected_version(if_match), read_token(claim_token)
    await run(request, tasks.delete, parse_id(task_id), version=version, claim=claim)
    return Response(status_code=204)
