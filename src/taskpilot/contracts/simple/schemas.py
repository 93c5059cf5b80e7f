"""What goes in and comes out. A failure is an answer too, so every output schema has room for one."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import WithJsonSchema

from taskpilot.toolkit import Schema

USER_ID: Schema = {"type": "string", "description": "User identifier: an integer, as text"}
TASK_ID: Schema = {"type": "integer", "description": "Task identifier"}


def take(required: list[str], **properties: Schema) -> Schema:
    return {"type": "object", "properties": {"user_id": USER_ID, **properties}, "required": ["user_id", *required]}


ADD = take(
    ["title"],
    title={"type": "string", "description": "Task title (1-200 chars)"},
    description={"type": "string", "description": "Task description (0-2000 chars)", "default": ""},
)
LIST = take([])
ONE = take(["task_id"], task_id=TASK_ID)
UPDATE = take(
    ["task_id"],
    task_id=TASK_ID,
    title={"type": ["string", "null"], "description": "New title (1-200 chars)", "default": None},
    description={
        "type": ["string", "null"],
        "description": "New description (0-2000 chars; an empty string clears it)",
        "default": None,
    },
)


def give(**members: str) -> Schema:
    """An object with exactly these members."""
    properties = {name: {"type": kind} for name, kind in members.items()}
    return {"type": "object", "properties": properties, "required": list(members)}


def or_error(success: Schema) -> Any:
    """The type of a reply's data: what was asked for, or what went wrong."""
    error = give(error="string", error_code="string")
    return Annotated[dict[str, Any], WithJsonSchema({"type": "object", "anyOf": [success, error]})]


TASK = or_error(
    give(
        task_id="integer",
        user_id="string",
        title="string",
        description="string",
        completed="boolean",
        created_at="string",
        updated_at="string",
    )
)
TASKS = or_error(
    {
        "type": "object",
        "properties": {
            "result": {
                "type": "array",
                "items": give(
                    task_id="integer", title="string", description="string", completed="boolean", created_at="string"
                ),
            }
        },
        "required": ["result"],
    }
)
DELETED = or_error(give(task_id="integer", deleted="boolean", message="string"))
