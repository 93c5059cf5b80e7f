"""A task in one line, as people jot it down: "Write report fri 5pm +work project:Home !high"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, tzinfo
from typing import Any

from taskpilot.domain import mentions, phrases
from taskpilot.domain.errors import Invalid
from taskpilot.domain.fields import TaskFields
from taskpilot.domain.task import Priority, parse_priority

_WORD = re.compile(r"""(?:project|due|every):"[^"]+"|(?:project|due|every):'[^']+'|\S+""", re.IGNORECASE)
_NAMED = re.compile(r"(project|due|every):(.+)", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"\+([^\W\d_]\S*)")  # not "+49 30…" nor "+3d"


def parse(given: Sequence[str], now: datetime, zone: tzinfo) -> TaskFields:
    """What the words say about the task. What is not understood stays in the title; nothing is dropped."""
    fields: dict[str, Any] = {}
    title: list[str] = []
    words = list(_split(given))
    while words:
        word = words.pop(0)
        if not any(take(word, fields) for take in _TAKERS) and not _take_due(word, words, fields, now, zone):
            title.append(word)
    if "due_date" not in fields:
        title, when = mentions.cut_date(title, now, zone)
        if when is not None:
            fields["due_date"] = when
    return TaskFields(title=" ".join(title), **fields)


def take_literally(given: Sequence[str]) -> TaskFields:
    return TaskFields(title=" ".join(given))


def _split(given: Sequence[str]) -> Iterator[str]:
    """Words. What the shell already held together after `project:` stays together."""
    for piece in given:
        if len(given) > 1 and _NAMED.fullmatch(piece):
            yield piece
        else:
            yield from _WORD.findall(piece)


def _take_tag(word: str, fields: dict[str, Any]) -> bool:
    found = _TAG.fullmatch(word)
    if found:
        fields.setdefault("tags", []).append(found[1])
    return found is not None


def _take_priority(word: str, fields: dict[str, Any]) -> bool:
    priority = _read_priority(word)
    if priority is not None:
        fields["priority"] = priority.word
    return priority is not None


def _take_project(word: str, fields: dict[str, Any]) -> bool:
    name = _value(word, "project")
    if name:
        fields["project"] = name
    return bool(name)


def _take_rhythm(word: str, fields: dict[str, Any]) -> bool:
    said = _value(word, "every").lower()
    if said:
        fields["recurrence"] = mentions.read_rhythm(said)
    return bool(said)


_TAKERS: tuple[Callable[[str, dict[str, Any]], bool], ...] = (_take_tag, _take_priority, _take_project, _take_rhythm)


def _take_due(word: str, rest: list[str], fields: dict[str, Any], now: datetime, zone: tzinfo) -> bool:
    """`due:fri 5pm`: the longest run of words that is a date belongs to it."""
    said = _value(word, "due")
    if not said:
        return False
    for more in range(min(mentions.DATE_WORDS_MOST - 1, len(rest)), 0, -1):
        phrase = " ".join([said, *rest[:more]])
        if (when := mentions.read_date(phrase, now, zone)) is not None:
            del rest[:more]
            fields["due_date"] = when
            return True
    fields["due_date"] = phrases.parse(said, now, zone)
    return True


def _value(word: str, name: str) -> str:
    """What follows `name:`, without its quotes; "" if the word is not about it."""
    found = _NAMED.fullmatch(word)
    return found[2].strip("\"'").strip() if found and found[1].lower() == name else ""


def _read_priority(word: str) -> Priority | None:
    if not word.startswith("!"):
        return None
    try:
        return parse_priority(word[1:])
    except Invalid:
        return None
