"""`/api/tasks`."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from taskpilot.ops import tasks
from taskpilot.surfaces.rest.asking import reply, run, tag, uuid_of
from taskpilot.surfaces.rest.shapes import show_task

router = APIRouter(prefix="/api/tasks", tags=["tasks"])


@router.get("/{task_id}")
async def get_task(request: Request, task_id: int) -> Response:
    """One task."""
    task = await run(request, tasks.get, task_id)
    return reply(show_task(task, await uuid_of(request)), headers=tag(task.version))
