"""Which tasks a list shows, in which order, and from where it goes on."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Generic, TypeVar

from taskpilot.domain.errors import Invalid, Unfit
from taskpilot.domain.moments import When
from taskpilot.domain.task import Priority, Status

LIMIT_MOST = 1_000
T = TypeVar("T")


class Sort(StrEnum):
    PRIORITY = "priority"  # highest first, then oldest
    OLDEST = "oldest"
    NEWEST = "newest"
    UPDATED = "updated"  # latest change first
    DUE = "due"  # soonest first, undated last


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Every condition must hold. Without `statuses`, open tasks; with `closed`, all of them."""

    statuses: tuple[Status, ...] = ()
    closed: bool = False
    priority: Priority | None = None
    project: str | None = None
    project_id: int | None = None
    tag: str | None = None
    workspace: int | None = None
    parent: int | None = None
    due_before: When | None = None
    due_after: When | None = None
    startable_at: datetime | None = None
    """Its start has come by then, and it has no open subtasks of its own."""
    ready: bool | None = None
    """True: nothing open blocks it. False: something does."""
    words: str | None = None
    """All of them, or words beginning like them, are in title, description or notes."""
    nothing: bool = False
    """Conditions that exclude each other: no task fits."""


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    items: tuple[T, ...]
    cursor: str | None
    """Hand it back to see what follows; None at the end."""
    total: int | None = None
    """How many fit in all; None when nobody asked."""


def write_cursor(sort: str, key: list[Any]) -> str:
    raw = json.dumps([sort, *key], separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def read_cursor(cursor: str, sort: str, parts: int) -> list[Any]:
    """The key after which the page starts. A cursor belongs to the order it was made for."""
    try:
        found: Any = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        named, *key = found
    except (ValueError, TypeError):
        named, key = None, list[Any]()
    if named != sort or len(key) != parts or not all(isinstance(part, int | str) for part in key):
        raise foreign()
    return key


def foreign() -> Unfit:
    """The one answer to a cursor that was made for another list, or by somebody else."""
    return Unfit("This cursor does not belong to this list.", hint="Start again without a cursor.")


def limit(given: int, most: int = LIMIT_MOST) -> int:
    if not 1 <= given <= most:
        raise Invalid(f"limit cannot be {given}.", hint=f"Choose 1 to {most}.")
    return given
