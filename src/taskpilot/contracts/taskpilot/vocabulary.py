"""This contract's words for what the core calls otherwise."""

from __future__ import annotations

import json
import re
from typing import Any, Literal, cast

from taskpilot.domain import text
from taskpilot.domain.choices import OneOf
from taskpilot.domain.errors import Invalid, TaskPilotError
from taskpilot.domain.task import TITLE_MOST, Priority, Status, parse_id
from taskpilot.toolkit import Reply

PriorityWord = Literal["High", "Medium", "Low"]
StatusWord = Literal["Backlog", "In-Progress", "Blocked", "Review", "Done", "Dropped"]

PRIORITIES: dict[PriorityWord, OneOf] = {
    "High": OneOf((Priority.HIGH, Priority.CRITICAL)),
    "Medium": OneOf((Priority.MEDIUM,)),
    "Low": OneOf((Priority.LOW, Priority.SOMEDAY)),
}
STATUSES: dict[StatusWord, OneOf] = {
    "Backlog": OneOf((Status.BACKLOG, Status.TODO)),
    "In-Progress": OneOf((Status.IN_PROGRESS,)),
    "Blocked": OneOf((Status.BLOCKED,)),
    "Review": OneOf((Status.REVIEW,)),
    "Done": OneOf((Status.DONE,)),
    "Dropped": OneOf((Status.DROPPED,)),
}
_PRIORITY_WORD: dict[Priority, PriorityWord] = {
    value: word for word, meant in PRIORITIES.items() for value in meant.values
}
_STATUS_WORD: dict[Status, StatusWord] = {value: word for word, meant in STATUSES.items() for value in meant.values}

_SENTENCE_END = re.compile(r"(?<=[.!?])\s|\n")
_TASK = re.compile(r"\b([Tt]ask) (\d{1,18})\b")


def write_id(task_id: int) -> str:
    return f"TP-{task_id:06}"


def write_status(status: Status) -> StatusWord:
    return _STATUS_WORD[status]


def write_priority(priority: Priority) -> PriorityWord:
    return _PRIORITY_WORD[priority]


def read_priority(given: str) -> PriorityWord:
    for word in PRIORITIES:
        if word.lower() == given.strip().lower():
            return word
    raise Invalid(f"Priority cannot be {text.shorten(given, 40)!r}.", hint="Choose High, Medium or Low.")


def read_status(given: str) -> OneOf:
    wanted = re.sub(r"[\s_]+", "-", given.strip().lower())
    found = next((meant for word, meant in STATUSES.items() if word.lower() == wanted), None)
    if found is None:
        raise Invalid(f"Status cannot be {text.shorten(given, 40)!r}.", hint=f"Choose one of: {', '.join(STATUSES)}.")
    return found


def read_value(field: str, value: str | int | list[str]) -> Any:
    """The new value of a task's field, as the core takes it."""
    if field in ("connected_files", "blocked_by"):
        items = _read_list(field, value)
        return [parse_id(item) for item in items] if field == "blocked_by" else items
    if field == "progress":
        return _read_number(value)
    if not isinstance(value, str):
        raise Invalid(f"{field} cannot be {text.shorten(str(value), 40)}.", hint="Give text.")
    if field == "priority":
        return PRIORITIES[read_priority(value)]
    return read_status(value) if field == "status" else value


def first_sentence(description: str) -> str:
    """A title from a description."""
    sentence = text.clean_line(_SENTENCE_END.split(text.clean(description), maxsplit=1)[0])
    return text.shorten(sentence.rstrip(".") or sentence, TITLE_MOST)


def refuse(_: str, error: TaskPilotError) -> Reply:
    """How this contract tells a failed call."""
    told = str(error)
    if not isinstance(error, Invalid):  # which may quote what somebody wrote
        told = _TASK.sub(lambda found: f"{found[1]} {write_id(int(found[2]))}", told)
    return Reply(f"Error: {told}", is_error=True)


def _read_number(value: str | int | list[str]) -> Any:
    """A number as it is, or written, also with a percent sign. Whatever else it is, the core refuses."""
    if not isinstance(value, str):
        return value
    digits = value.strip().removesuffix("%").strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else value


def _read_list(field: str, value: str | int | list[str]) -> list[str]:
    """A list as it is, as JSON, or with commas or lines between its items. Empty text empties it."""
    if isinstance(value, list):
        return value
    written = str(value).strip()
    if not written.startswith("["):
        return [item.strip() for item in re.split(r"[,\n]", written) if item.strip()]
    try:
        items: Any = json.loads(written)
    except (ValueError, RecursionError):
        items = None
    if not isinstance(items, list) or not all(isinstance(item, str | int) for item in cast(list[Any], items)):
        raise Invalid(f"{field} cannot be read from this text.", hint='Give a list: ["one", "two"].')
    return [str(item) for item in cast(list[str | int], items)]
