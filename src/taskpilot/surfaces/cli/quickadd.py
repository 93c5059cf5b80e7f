"""A task as it was typed into a shell: in words, some of which the shell held together."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from taskpilot.domain import quickadd
from taskpilot.domain.fields import TaskFields


def parse(given: Sequence[str], now: datetime, zone: tzinfo) -> TaskFields:
    """What the words say about the task. What was named but means nothing is refused."""
    words = [_hold_together(word) for word in given] if len(given) > 1 else given
    return quickadd.read(" ".join(words), now, zone, strict=True).fields


def take_literally(given: Sequence[str]) -> TaskFields:
    return TaskFields(title=" ".join(given))


def _hold_together(word: str) -> str:
    """`project:Big Move`, which the shell has freed of its quotes, gets them back."""
    named = quickadd.NAMED.fullmatch(word)
    mark = next((mark for mark in "\"'" if mark not in word), "")
    return f"{named[1]}:{mark}{named[2]}{mark}" if named and mark and " " in named[2] else word
