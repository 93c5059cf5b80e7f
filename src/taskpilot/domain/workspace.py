"""A workspace: the folder or repository that tasks belong to."""

from __future__ import annotations

import os.path
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from taskpilot.domain import text
from taskpilot.domain.errors import Invalid, NotFound
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
    return text.shorten(text.clean_line(os.path.basename(path)), NAME_MOST) or path


def missing(given: object) -> NotFound:
    return NotFound(f"Workspace {given!r} not found.", hint="List workspaces to see what there is.")
