"""The URIs of this contract's resources, written and read."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from taskpilot.contracts.taskpilot.vocabulary import write_id

WORKSPACES = "taskpilot://workspaces"
TASK_TEMPLATE = "taskpilot://workspace/{workspace_id}/tasks/{task_id}"
PROMPT_TEMPLATE = "taskpilot://prompts/{name}"
CURRENT = "current"
SHELVES = ("tasks", "rules", "status", "files")

_SHELF = re.compile(rf"taskpilot://workspace/([^/]+)/({'|'.join(SHELVES)})")
_TASK = re.compile(r"taskpilot://workspace/([^/]+)/tasks/([^/]+)")
_PROMPT = re.compile(r"taskpilot://prompts/([^/]+)")


def write_shelf(workspace: int | str, shelf: str) -> str:
    return f"taskpilot://workspace/{workspace}/{shelf}"


def write_task(workspace: int | str, task_id: int) -> str:
    return f"taskpilot://workspace/{workspace}/tasks/{write_id(task_id)}"


def write_prompt(name: str) -> str:
    return f"taskpilot://prompts/{quote(name, safe='')}"


def read_shelf(uri: str) -> tuple[str, str] | None:
    """The workspace as it was named, and which of its resources."""
    found = _SHELF.fullmatch(uri)
    return (unquote(found[1]), found[2]) if found else None


def read_task(uri: str) -> tuple[str, str] | None:
    """The workspace and the task as they were named."""
    found = _TASK.fullmatch(uri)
    return (unquote(found[1]), unquote(found[2])) if found else None


def read_prompt(uri: str) -> str | None:
    found = _PROMPT.fullmatch(uri)
    return unquote(found[1]) if found else None
