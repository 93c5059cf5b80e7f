"""What the API shows: tasks, and whatever else has fields of its own."""

from __future__ import annotations

from typing import Any

from taskpilot.domain.moments import wire
from taskpilot.domain.task import Status, Task

COARSE: dict[Status, str] = {
    Status.BACKLOG: "todo",
    Status.TODO: "todo",
    Status.IN_PROGRESS: "in_progress",
    Status.BLOCKED: "in_progress",
    Status.REVIEW: "review",
    Status.DONE: "done",
    Status.DROPPED: "todo",
}
"""`status` in this API; `state` has the exact one."""


def show_task(task: Task, user: str) -> dict[str, Any]:
    return {
        "id": task.id,
        "user_id": user,
        "title": task.title,
        "description": task.description,
        "notes": task.notes,
        "completed": task.completed,
        "is_complete": task.completed,
        "status": COARSE[task.status],
        "state": task.status.value,
        "priority": task.priority.word,
        "progress": task.progress,
        "energy": task.energy.value,
        "time_estimate": task.time_estimate,
        "project_id": task.project_id,
        "project": task.project,
        "workspace_id": task.workspace,
        "parent_id": task.parent,
        "blocked_by": list(task.blocked_by),
        "tags": list(task.tags),
        "connected_files": list(task.connected_files),
        "external_refs": [reference._asdict() for reference in task.external_refs],
        "due_date": wire(task.due_date),
        "scheduled_start": wire(task.scheduled_start),
        "remind_at": wire(task.remind_at),
        "recurrence": task.recurrence,
        "created_at": wire(task.created_at),
        "updated_at": wire(task.updated_at),
        "started_at": wire(task.started_at),
        "completed_at": wire(task.completed_at),
        "version": task.version,
    }
