"""`/api/tasks/bulk`: many changes, all of them or none."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from taskpilot.domain.operation import writes
from taskpilot.ops import bulk
from taskpilot.ops.tasks import MOST_AT_ONCE
from taskpilot.store.work import Work
from taskpilot.surfaces.rest.asking import create, uuid_of
from taskpilot.surfaces.rest.shapes import TaskOut, show_task
from taskpilot.surfaces.rest.task_bodies import Id, NewTask, TaskChanges, TaskNumber, hide_defaults
from taskpilot.surfaces.rest.types import Body, IdempotencyKey

router = APIRouter(prefix="/api/tasks", tags=["bulk"])


class BulkChange(TaskChanges):
    """Which task, and what is to change."""

    model_config = ConfigDict(json_schema_extra=hide_defaults)

    id: TaskNumber
    version: Id | None = Field(None, description="The version you have seen: an old one refuses everything.")

    def edit(self) -> bulk.Edit:
        said: Any = {name: value for name, value in self.fields().items() if name not in ("id", "version")}
        return bulk.Edit(self.id, said, self.version)


class BulkBody(Body):
    """What to do, in this order."""

    create: list[NewTask] = Field(default_factory=list[NewTask], max_length=MOST_AT_ONCE)
    update: list[BulkChange] = Field(default_factory=list[BulkChange], max_length=MOST_AT_ONCE)
    complete: list[TaskNumber] = Field(default_factory=list[TaskNumber], max_length=MOST_AT_ONCE)
    delete: list[TaskNumber] = Field(default_factory=list[TaskNumber], max_length=MOST_AT_ONCE)


class BulkOut(BaseModel):
    created: list[TaskOut]
    updated: list[TaskOut]
    completed: list[TaskOut]
    deleted: list[int]
    """Subtasks that went along too."""


@router.post("/bulk", response_model=BulkOut)
async def change_tasks(request: Request, body: BulkBody, key: IdempotencyKey = None) -> Response:  # noqa: ARG001
    """Add, change, complete and delete many tasks: all of it happens, or nothing. One undo takes it back."""
    user = await uuid_of(request)

    @writes
    def make(work: Work) -> dict[str, Any]:
        done = bulk.change(
            work,
            create=[draft.fields() for draft in body.create],
            update=[change.edit() for change in body.update],
            complete=body.complete,
            delete=body.delete,
        )
        return {
            "created": [show_task(task, user) for task in done.created],
            "updated": [show_task(task, user) for task in done.updated],
            "completed": [show_task(task, user) for task in done.completed],
            "deleted": done.deleted,
        }

    return await create(request, make, asked=body.model_dump(exclude_unset=True), status=200)
