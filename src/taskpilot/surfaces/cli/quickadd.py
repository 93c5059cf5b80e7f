"""A task in one line, as people jot it down: "Write report fri 5pm +work project:Home !high"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, tzinfo
from typing import Any

from taskpilot.domain import phrases
from taskpilot.domain.errors import Invalid
from taskpilot.domain.fields import TaskFields
from taskpilot.domain.moments import When
from taskpilot.domain.task import Priority, parse_priority

DATE_WORDS_MOST = 5

_WORD = re.compile(r"""(?:project|due|every):"[^"]+"|(?:project|due|every):'[^']+'|\S+""", re.IGNORECASE)
_NAMED = re.compile(r"(project|due|every):(.+)", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"\+([^\W\d_]\S*)")  # not "+49 30…" nor "+3d"
_RHYTHMS = {
    ("day", "daily"): "FREQ=DAILY",
    ("weekday", "weekdays", "workday"): "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    ("week", "weekly"): "FREQ=WEEKLY",
    ("month", "monthly"): "FREQ=MONTHLY",
    ("year", "yearly"): "FREQ=YEARLY",
}

# `phrases.parse` is generous with an answer to "when?": there, "tom" is tomorrow and "sunny" is Sunday.
# The end of a title is no such answer ("Call Tom", "Fix monitor"), so only words that mean nothing else count.
_MONTH = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
_DAY = (
    "mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?"
    "|today|tonight|tomorrow|tmr"
)
_CLOCK = r"(?:at )?(?:\d{1,2}(?::\d{2})? ?(?:am|pm)|\d{1,2}:\d{2}|noon|midnight)"
_DATE = (
    rf"(?:(?:next|this|on) )?(?:{_DAY})|next (?:week|month)|(?:this )?weekend|eow|eom|eoy|end of (?:week|month|year)"
    rf"|(?:(?:{_MONTH})\.? \d{{1,2}}(?:st|nd|rd|th)?,?|\d{{1,2}}(?:st|nd|rd|th|\.)? (?:{_MONTH})\.?)(?: \d{{4}})?"
)
_UNIT = "minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w|months?|mo|years?|y"
_PLAINLY_A_DATE = re.compile(
    rf"(?:{_DATE})(?: {_CLOCK})?|{_CLOCK}(?: (?:{_DATE}))?|(?:in |\+)\d{{1,4}} ?(?:{_UNIT})"
    r"|\d{4}-\d{2}-\d{2}(?:[t ]\d{2}:\d{2}\S*)?"
)
_LEADS_IN = {"by", "due", "on", "for"}
_NAMES_A_THING = {"the", "a", "an", "my", "our", "your", "every", "last", "and", "or", "about", "of"}


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
        title, when = _cut_date(title, now, zone)
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
        fields["recurrence"] = _read_rhythm(said)
    return bool(said)


_TAKERS: tuple[Callable[[str, dict[str, Any]], bool], ...] = (_take_tag, _take_priority, _take_project, _take_rhythm)


def _take_due(word: str, rest: list[str], fields: dict[str, Any], now: datetime, zone: tzinfo) -> bool:
    """`due:fri 5pm`: the longest run of words that is a date belongs to it."""
    said = _value(word, "due")
    if not said:
        return False
    for more in range(min(DATE_WORDS_MOST - 1, len(rest)), 0, -1):
        phrase = " ".join([said, *rest[:more]])
        if _PLAINLY_A_DATE.fullmatch(phrase.lower()) and (when := _read_date(phrase, now, zone)) is not None:
            del rest[:more]
            fields["due_date"] = when
            return True
    fields["due_date"] = phrases.parse(said, now, zone)
    return True


def _cut_date(title: list[str], now: datetime, zone: tzinfo) -> tuple[list[str], When | None]:
    """The longest date at the end, if a title is left without it."""
    if _PLAINLY_A_DATE.fullmatch(" ".join(title).lower()):
        return title, None
    for length in range(min(DATE_WORDS_MOST, len(title) - 1), 0, -1):
        rest, phrase = title[:-length], " ".join(title[-length:])
        if rest[-1].lower() in _NAMES_A_THING or not _PLAINLY_A_DATE.fullmatch(phrase.lower()):
            continue
        when = _read_date(phrase, now, zone)
        if when is not None:
            return (rest[:-1] if len(rest) > 1 and rest[-1].lower() in _LEADS_IN else rest), when
    return title, None


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


def _read_rhythm(said: str) -> str:
    for names, rule in _RHYTHMS.items():
        if said in names:
            return rule
    if re.fullmatch(_DAY, said) and said[:3] in phrases.WEEKDAYS:
        return f"FREQ=WEEKLY;BYDAY={said[:2].upper()}"
    raise Invalid(
        f"I do not know the rhythm {said!r}.",
        hint="Write every:day, weekday, week, month, year or a day such as every:mon; or use --recurrence.",
    )


def _read_date(phrase: str, now: datetime, zone: tzinfo) -> When | None:
    try:
        return phrases.parse(phrase, now, zone)
    except Invalid:
        return None
