"""What the eight tools answer: JSON as text, and nothing beside it."""

from __future__ import annotations

import json
from typing import Any

from taskpilot.domain.errors import Invalid, TaskPilotError
from taskpilot.domain.moments import wire
from taskpilot.domain.task import Priority, Task
from taskpilot.ops.stats import Summary
from taskpilot.toolkit import Reply

Row = dict[str, Any]


def say(value: Any) -> Reply:
    return Reply(json.dumps(value, ensure_ascii=False))


def show(task: Task, handle: str) -> Row:
    return {
        "id": task.id,
        "user_id": handle,
        "title": task.title,
        "project": task.project,
        "priority": int(task.priority),
        "energy": task.energy.value,
        "time_estimate": task.time_estimate,
        "notes": task.notes or None,
        "due_date": wire(task.due_date),
        "completed": task.completed,
        "completed_at": wire(task.completed_at),
        "created_at": wire(task.created_at),
        "updated_at": wire(task.updated_at),
    }


def count(found: Summary, group_by: str) -> Row:
    """The groups asked for, the largest project first, then the sums."""
    groups: Row = {
        "by_project": dict(sorted(found.by_project.items(), key=lambda item: (-item[1], item[0]))),
        "by_priority": {str(int(priority)): found.by_priority.get(priority.word, 0) for priority in Priority},
        "by_status": {"completed": found.completed, "incomplete": found.total - found.completed},
    }
    sums = {"total": found.total, "completed": found.completed, "completion_rate": found.completion_rate}
    return {**(groups if group_by == "all" else {f"by_{group_by}": groups[f"by_{group_by}"]}), **sums}


def refuse(_: str, error: TaskPilotError) -> Reply:
    said = error.message.rstrip(".")
    return Reply(f"Validation error: {said}" if isinstance(error, Invalid) else said, is_error=True)
