"""What the API shows of tasks. The models are its description; the functions write it, which is faster."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel

from taskpilot.domain.moments import wire
from taskpilot.domain.selection import Page
from taskpilot.domain.task import Energy, Priority, Status, Task

CoarseStatus = Literal["todo", "in_progress", "review", "done"]
State = Literal["backlog", "todo", "in_progress", "blocked", "review", "done", "dropped"]
PriorityName = Literal["someday", "low", "medium", "high", "critical"]
EnergyName = Literal["light", "medium", "deep"]

COARSE: dict[Status, CoarseStatus] = {
    Status.BACKLOG: "todo",
    Status.TODO: "todo",
    Status.IN_PROGRESS: "in_progress",
    Status.BLOCKED: "in_progress",
    Status.REVIEW: "review",
    Status.DONE: "done",
    Status.DROPPED: "todo",
}
"""`status` in this API; `state` has the exact one."""
_STATE = {status: status.value for status in Status}
_PRIORITY = {priority: priority.word for priority in Priority}
_ENERGY = {energy: energy.value for energy in Energy}


class ReferenceOut(BaseModel):
    system: str
    key: str
    url: str


class TaskOut(BaseModel):
    """A task. `status` is the coarse one of four; `state` the exact one of seven."""

    id: int
    user_id: str
    title: str
    description: str
    notes: str
    completed: bool
    is_complete: bool
    status: CoarseStatus
    state: State
    priority: PriorityName
    progress: int
    energy: EnergyName
    time_estimate: str
    project_id: int | None
    project: str | None
    workspace_id: int | None
    parent_id: int | None
    blocked_by: list[int]
    tags: list[str]
    connected_files: list[str]
    external_refs: list[ReferenceOut]
    acceptance: list[str]
    due_date: str | None
    scheduled_start: str | None
    remind_at: str | None
    recurrence: str
    created_at: str
    updated_at: str
    started_at: str | None
    completed_at: str | None
    rank: float | None
    """Where a person put it by hand among the others, lowest first; null: its id counts."""
    version: int


class TasksOut(BaseModel):
    tasks: list[TaskOut]
    total: int
    limit: int
    offset: int
    next_cursor: str | None
    """Hand it back as `cursor` for what follows; null at the end."""


def show_task(task: Task, user: str) -> dict[str, Any]:
    completed = task.status is Status.DONE
    return {
        "id": task.id,
        "user_id": user,
        "title": task.title,
        "description": task.description,
        "notes": task.notes,
        "completed": completed,
        "is_complete": completed,
        "status": COARSE[task.status],
        "state": _STATE[task.status],
        "priority": _PRIORITY[task.priority],
        "progress": task.progress,
        "energy": _ENERGY[task.energy],
        "time_estimate": task.time_estimate,
        "project_id": task.project_id,
        "project": task.project,
        "workspace_id": task.workspace,
        "parent_id": task.parent,
        "blocked_by": task.blocked_by,
        "tags": task.tags,
        "connected_files": task.connected_files,
        "external_refs": [reference._asdict() for reference in task.external_refs],
        "acceptance": task.acceptance,
        "due_date": wire(task.due_date),
        "scheduled_start": wire(task.scheduled_start),
        "remind_at": wire(task.remind_at),
        "recurrence": task.recurrence,
        "created_at": wire(task.created_at),
        "updated_at": wire(task.updated_at),
        "started_at": wire(task.started_at),
        "completed_at": wire(task.completed_at),
        "rank": task.rank,
        "version": task.version,
    }


def show_page(page: Page[Task], limit: int, offset: int, user: str) -> dict[str, Any]:
    return {
        "tasks": [show_task(task, user) for task in page.items],
        "total": page.total,
        "limit": limit,
        "offset": offset,
        "next_cursor": page.cursor,
    }
