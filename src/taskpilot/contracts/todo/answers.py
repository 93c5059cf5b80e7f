"""What the six tools say, and the objects that go with it."""

from __future__ import annotations

import re
from typing import Any

from taskpilot.domain.errors import Invalid, NotFound, TaskPilotError, Unauthenticated, Unavailable
from taskpilot.domain.moments import wire
from taskpilot.domain.task import Task
from taskpilot.toolkit import Reply

Row = dict[str, Any]

SIGNED_OUT = "Your session has expired. Please sign in again."
TROUBLE = {
    "create_task": "creating that task",
    "list_tasks": "retrieving your tasks",
    "get_task": "retrieving that task",
    "update_task": "updating that task",
    "delete_task": "deleting that task",
    "toggle_complete": "updating that task",
}


class Unexpected(Unavailable):
    """A bug, told as this contract tells one; its traceback is in the log."""


def show(task: Task, user_id: str) -> Row:
    return {
        "id": task.id,
        "user_id": user_id,
        "title": task.title,
        "description": task.description,
        "completed": task.completed,
        "created_at": wire(task.created_at),
        "updated_at": wire(task.updated_at),
    }


def tell_list(tasks: tuple[Task, ...], total: int) -> str:
    if not tasks:
        return "You have no tasks." if not total else f"There are no more tasks. You have {total} in all."
    lines = [f"You have {len(tasks)} task{'s' if len(tasks) != 1 else ''}:"]
    for number, task in enumerate(tasks, 1):
        lines.append(f"{number}. {'✓' if task.completed else '○'} Task #{task.id}: {task.title}")
        if task.description:
            lines.append(f"   {task.description}")
    if total > len(tasks):
        lines.append(f"There are {total} in all.")
    return "\n".join(lines)


def tell_details(task: Task) -> str:
    details = f" Details: {task.description.rstrip('.')}." if task.description else ""
    return f"Task #{task.id} is '{task.title}'.{details} Status: {'Completed' if task.completed else 'Not completed'}."


def tell_update(task: Task, *, title: bool, description: bool, completed: bool) -> str:
    """Names what was asked for, as it is now."""
    told = [f"I've updated task #{task.id}."]
    if title:
        told.append(f"The new title is '{task.title}'.")
    if description:
        told.append(f"The new description is '{task.description}'." if task.description else "It has no description.")
    if completed:
        told.append("It is complete." if task.completed else "It is not complete.")
    return " ".join(told)


def tell_toggle(task: Task) -> str:
    outcome = "complete. Great job!" if task.completed else "incomplete."
    return f"Done! I've marked task #{task.id} ('{task.title}') as {outcome}"


def refuse(tool: str, error: TaskPilotError) -> Reply:
    """The sentence of the tool's table, and the form of a failure."""
    said = error.message.rstrip(".")
    trouble = f"I'm having trouble {TROUBLE[tool]}. Please try again."
    match error:
        case Invalid():
            sentence, told = error.hint, f"Invalid input: {said}"
        case Unauthenticated():
            sentence, told = SIGNED_OUT, "Authentication failed. Please sign in again."
        case NotFound():
            sentence, told = _tell_missing(tool, said), f"API error: {said}"
        case Unexpected():
            sentence, told = trouble, "An unexpected error occurred. Please try again."
        case _:
            sentence, told = trouble, f"API error: {said}"
    return Reply(sentence, {"tool_name": tool, "success": False, "error": told}, is_error=True)


def _tell_missing(tool: str, said: str) -> str:
    number = re.search(r"\d+…?", said)
    next_step = (
        "It may have already been deleted." if tool == "delete_task" else "Would you like to see your task list?"
    )
    return f"I couldn't find task #{number[0] if number else ''}. {next_step}"
