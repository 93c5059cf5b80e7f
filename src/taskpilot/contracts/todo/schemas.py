"""What goes in, to the letter, and what comes out: the API's object, or the form of a failure."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import WithJsonSchema

from taskpilot.toolkit import Schema

CREATE: Schema = {
    "type": "object",
    "properties": {
        "title": {
            "type": "string",
            "description": "The task title (1-200 characters). This is what the user wants to do.",
            "minLength": 1,
            "maxLength": 200,
        },
        "description": {
            "type": "string",
            "description": (
                "Optional additional details about the task (0-1000 characters). Use this for extra context or notes."
            ),
            "maxLength": 1000,
            "default": "",
        },
    },
    "required": ["title"],
}

LIST: Schema = {
    "type": "object",
    "properties": {
        "completed": {
            "type": "boolean",
            "description": (
                "Filter by completion status. true = only completed tasks, false = only incomplete tasks, "
                "null/undefined = all tasks"
            ),
        },
        "limit": {
            "type": "integer",
            "description": "Maximum number of tasks to return (1-1000)",
            "default": 100,
            "minimum": 1,
            "maximum": 1000,
        },
        "offset": {
            "type": "integer",
            "description": "Number of tasks to skip for pagination",
            "default": 0,
            "minimum": 0,
        },
    },
    "required": [],
}

UPDATE: Schema = {
    "type": "object",
    "properties": {
        "task_id": {"type": "integer", "description": "The ID of the task to update"},
        "title": {
            "type": "string",
            "description": "New task title (1-200 characters). Only provide if changing the title.",
            "minLength": 1,
            "maxLength": 200,
        },
        "description": {
            "type": "string",
            "description": "New task description (0-1000 characters). Only provide if changing the description.",
            "maxLength": 1000,
        },
        "completed": {
            "type": "boolean",
            "description": "New completion status. Only provide if changing the status.",
        },
    },
    "required": ["task_id"],
}


def name_task(purpose: str) -> Schema:
    """The schema of a tool that takes nothing but a task's id."""
    return {
        "type": "object",
        "properties": {"task_id": {"type": "integer", "description": f"The ID of the task to {purpose}"}},
        "required": ["task_id"],
    }


def give(**members: Schema) -> Schema:
    """An object with exactly these members."""
    return {"type": "object", "properties": members, "required": list(members)}


def or_failure(success: Schema) -> Any:
    """The type of a reply's data."""
    failure = give(tool_name={"type": "string"}, success={"const": False}, error={"type": "string"})
    return Annotated[dict[str, Any], WithJsonSchema({"type": "object", "anyOf": [success, failure]})]


TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
ROW = give(
    id=WHOLE,
    user_id=TEXT,
    title=TEXT,
    description=TEXT,
    completed={"type": "boolean"},
    created_at=TEXT,
    updated_at=TEXT,
)
TASK = or_failure(ROW)
TASKS = or_failure(give(tasks={"type": "array", "items": ROW}, total=WHOLE, limit=WHOLE, offset=WHOLE))
DONE = or_failure(give(tool_name=TEXT, success={"const": True}))
