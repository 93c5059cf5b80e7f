"""A workspace: the folder or repository that tasks belong to."""

from __future__ import annotations

import os.path
from dataclasses import dataclass
from datetime import datetime

from taskpilot.domain import text
from taskpilot.domain.errors import Invalid, NotFound

NAME_MOST = 100
PATH_MOST = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    id: int
    owner: int
    path: str
    name: str
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None
    version: int = 1


def parse_path(given: str) -> str:
    """An absolute path in one spelling, so that one folder is one workspace."""
    path = text.line(given, "A workspace path", PATH_MOST)
    if not os.path.isabs(path):
        raise Invalid(f"{path!r} is not an absolute path.", hint="Give the whole path of the folder.")
    return os.path.normpath(path)


def missing(given: object) -> NotFound:
    return NotFound(f"Workspace {given!r} not found.", hint="List workspaces to see what there is.")
