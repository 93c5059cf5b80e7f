"""A workspace: the folder or repository that tasks belong to."""

from __future__ import annotations

import os.path
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from taskpilot.domain import text
from taskpilot.domain.caller import Caller
from taskpilot.domain.errors import Forbidden, Invalid, NotFound
from taskpilot.domain.task import Priority, Status

NAME_MOST = 100
PATH_MOST = 1_000
STACK_MOST = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    id: int
    owner: int
    path: str
    name: str
    requirements: str = ""
    """What is to be built, as it was given when the workspace was set up."""
    tech_stack: str = ""
    created_at: datetime
    updated_at: datetime
    initialised_at: datetime | None = None
    """Since when it has rules and first tasks; None: only known by its folder."""
    deleted_at: datetime | None = None
    version: int = 1


class Line(NamedTuple):
    """As much of a task as a list on paper shows."""

    id: int
    title: str
    status: Status
    priority: Priority
    blocked_by: tuple[int, ...] = ()


def parse_path(given: str) -> str:
    """An absolute path in one spelling, so that one folder is one workspace.

    Cleaning a path would name another folder, so one that needs it is refused.
    """
    path = given.strip()
    if len(path) > PATH_MOST:
        raise Invalid(
            f"A workspace path is {len(path)} characters long; at most {PATH_MOST} fit.", hint="Give a shorter one."
        )
    if text.clean(path) != path or "\n" in path or "\t" in path:
        raise Invalid("This path has hidden characters.", hint="Give the whole path of the folder as it is shown.")
    if not os.path.isabs(path):
        raise Invalid(f"{path!r} is not an absolute path.", hint="Give the whole path of the folder.")
    return "/" + os.path.normpath(path).lstrip("/") if path.startswith("/") else os.path.normpath(path)


def name_folder(path: str) -> str:
    """What to call a workspace nobody has named."""
    return text.shorten(text.clean_line(os.path.basename(path)) or path, NAME_MOST)


def may_enter(caller: Caller, path: str, roots: Iterable[str]) -> bool:
    """Whether the server may look into a folder of its machine for somebody: anywhere for the machine's own user,

    for everybody else inside the folders set aside for that. All paths are real ones, with no link left in them.
    """
    return caller.trusted or any(f"{path}{os.sep}".startswith(f"{root.rstrip(os.sep)}{os.sep}") for root in roots)


def closed() -> Forbidden:
    return Forbidden(
        "This server does not look into that folder for you.",
        hint="Ask whoever runs it to add the folder to workspace_roots.",
    )


def missing(given: object) -> NotFound:
    return NotFound(f"Workspace {given!r} not found.", hint="List workspaces to see what there is.")
