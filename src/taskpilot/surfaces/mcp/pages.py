"""A long list in pages: cursors that stay right while the list changes."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from taskpilot.surfaces.mcp.errors import reject

PAGE = 100
T = TypeVar("T")


def turn(items: Sequence[T], key: Callable[[T], str], cursor: str | None) -> tuple[Sequence[T], str | None]:
    """The page at this cursor, and the cursor of the next one.

    A cursor remembers the last item seen, so that what is added or removed before it shifts nothing.
    """
    start = 0 if cursor is None else find_start(items, key, cursor)
    page = items[start : start + PAGE]
    if start + PAGE >= len(items):
        return page, None
    return page, write_cursor(start + PAGE, key(page[-1]))


def find_start(items: Sequence[T], key: Callable[[T], str], cursor: str) -> int:
    count, last = read_cursor(cursor)
    if count <= len(items) and key(items[count - 1]) == last:
        return count
    return next((place + 1 for place, item in enumerate(items) if key(item) == last), count - 1)


def write_cursor(count: int, last: str) -> str:
    return urlsafe_b64encode(json.dumps([count, last]).encode()).decode()


def read_cursor(cursor: str) -> tuple[int, str]:
    try:
        given: Any = json.loads(urlsafe_b64decode(cursor.encode()))
    except (ValueError, RecursionError):
        given = None
    match given:
        case [int(count), str(last)] if count > 0:
            return count, last
        case _:
            raise reject(f"Unknown cursor: {cursor}. Begin again without one.") from None


def only(items: Sequence[T], cursor: str | None) -> Sequence[T]:
    """A list that fits on one page."""
    if cursor is not None:
        raise reject(f"Unknown cursor: {cursor}. Everything is on the first page.")
    return items
