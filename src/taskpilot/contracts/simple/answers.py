"""What the five tools answer. Text and data say the same."""

from __future__ import annotations

import json
from typing import Any

from taskpilot.domain.errors import Kind, OutOfScope, TaskPilotError
from taskpilot.domain.moments import wire
from taskpilot.domain.task import Task
from taskpilot.toolkit import Reply

Row = dict[str, Any]

CODES: dict[Kind, str] = {
    "invalid": "VALIDATION_ERROR",
    "conflict": "VALIDATION_ERROR",
    "not_found": "NOT_FOUND_OR_FORBIDDEN",
    "forbidden": "NOT_FOUND_OR_FORBIDDEN",
    "unauthenticated": "NOT_FOUND_OR_FORBIDDEN",
    "unavailable": "DATABASE_ERROR",
}
NOT_FOUND = "Task not found"


def say(data: Row, *, is_error: bool = False) -> Reply:
    return Reply(json.dumps(data, ensure_ascii=False), data, is_error=is_error)


def show(task: Task) -> Reply:
    return say(
        {
            "task_id": task.id,
            "user_id": str(task.owner),
            "title": task.title,
            "description": task.description,
            "completed": task.completed,
            "created_at": wire(task.created_at),
            "updated_at": wire(task.updated_at),
        }
    )


def show_all(found: tuple[Task, ...]) -> Reply:
    rows = [
        {
            "task_id": task.id,
            "title": task.title,
            "description": task.description,
            "completed": task.completed,
            "created_at": wire(task.created_at),
        }
        for task in found
    ]
    return Reply(json.dumps(rows, ensure_ascii=False), {"result": rows})


def refuse(_: str, error: TaskPilotError) -> Reply:
    code = CODES[error.kind]
    hidden = code == "NOT_FOUND_OR_FORBIDDEN" and not isinstance(error, OutOfScope)
    said = NOT_FOUND if hidden else error.message.rstrip(".")
    return say({"error": said, "error_code": code}, is_error=True)
