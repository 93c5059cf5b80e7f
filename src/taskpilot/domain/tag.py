"""A tag: a word that tasks carry."""

from __future__ import annotations

from dataclasses import dataclass

from taskpilot.domain.errors import NotFound


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    id: int
    owner: int
    name: str
    kept: bool = False
    """Made by itself: it stays when no task carries it. Any other is there as long as a task has it."""


def missing(given: object) -> NotFound:
    what = f"No task has the tag {given!r}." if isinstance(given, str) else f"Tag {given} not found."
    return NotFound(what, hint="List tags to see what there is.")
