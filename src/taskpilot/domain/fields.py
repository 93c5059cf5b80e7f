"""What callers may say about a task, and what it means. Every door comes through here."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, TypedDict

from taskpilot.domain import phrases, text
from taskpilot.domain.errors import Invalid, NotFound, TaskPilotError
from taskpilot.domain.moments import When, local_zone
from taskpilot.domain.task import (
    ESTIMATE_MOST,
    PROJECT_MOST,
    PROSE_MOST,
    TITLE_MOST,
    Energy,
    Priority,
    Reference,
    Status,
    few,
    parse_commands,
    parse_id,
    parse_paths,
    parse_priority,
    parse_rank,
    parse_status,
    parse_tags,
)

RECURRENCE_MOST = 500
REFERENCE_MOST = 2_000


class TaskFields(TypedDict, total=False):
    """Field values as callers give them. None clears a field."""

    title: str
    description: str | None
    notes: str | None
    status: Status | str
    priority: Priority | int | str
    progress: int
    energy: Energy | str
    time_estimate: str | None
    project: str | None
    project_id: int | None
    workspace: int | str | None
    parent: int | str | None
    tags: Sequence[str] | None
    blocked_by: Sequence[int | str] | None
    connected_files: Sequence[str] | None
    external_refs: Sequence[Sequence[str]] | None
    acceptance: Sequence[str] | None
    due_date: When | str | None
    scheduled_start: When | str | None
    remind_at: When | str | None
    recurrence: str | None
    rank: float | None


def check(given: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """The values as the task keeps them; every broken one is named in one error."""
    checked: dict[str, Any] = {}
    broken: list[TaskPilotError] = []
    for name, value in given.items():
        try:
            checked[name] = _READ[name](value, now)
        except (Invalid, NotFound) as error:
            broken.append(error)
        except KeyError:
            broken.append(Invalid(f"There is no field {name!r}.", hint=f"Fields: {', '.join(_READ)}."))
        except (TypeError, AttributeError, ValueError):
            broken.append(Invalid(f"{name} cannot be {value!r}."))
    if len(broken) == 1:
        raise broken[0]
    if broken:
        raise Invalid(" ".join(error.message for error in broken), hint="Nothing was changed; correct them and repeat.")
    return checked


def _energy(value: str) -> Energy:
    try:
        return Energy(value.strip().lower())
    except ValueError:
        raise Invalid(f"Energy cannot be {value!r}.", hint=f"Choose one of: {', '.join(Energy)}.") from None


def _progress(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 100:
        raise Invalid(f"Progress cannot be {value!r}.", hint="Choose 0 to 100.")
    return value


def _when(value: When | str | None, now: datetime) -> When | None:
    if value is None or isinstance(value, date):
        return value
    return phrases.parse(value, now, local_zone()) if value.strip() else None


def _references(value: Sequence[Sequence[str]]) -> tuple[Reference, ...]:
    return few(
        tuple(Reference(*(text.line(part, "A reference", REFERENCE_MOST, 0) for part in ref)) for ref in value),
        "references",
    )


def _workspace(value: int | str | None) -> int | str | None:
    """A workspace's number, or the path of its folder."""
    return value.strip() or None if isinstance(value, str) else None if value is None else operator.index(value)


def _optional(read: Callable[[Any], Any]) -> Callable[[Any, datetime], Any]:
    """None and "" clear the field."""
    return lambda value, _: None if value is None or value == "" else read(value)


def _listed(read: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any, datetime], tuple[Any, ...]]:
    def items(value: Any, _: datetime) -> tuple[Any, ...]:
        if value is not None and not isinstance(value, list | tuple):
            raise TypeError
        return read(value) if value else ()

    return items


_READ: dict[str, Callable[[Any, datetime], Any]] = {
    "title": lambda value, _: text.line(value, "Title", TITLE_MOST),
    "description": lambda value, _: text.prose(value or "", "Description", PROSE_MOST),
    "notes": lambda value, _: text.prose(value or "", "Notes", PROSE_MOST),
    "status": lambda value, _: parse_status(value),
    "priority": lambda value, _: parse_priority(value),
    "progress": lambda value, _: _progress(value),
    "energy": lambda value, _: _energy(value),
    "time_estimate": lambda value, _: text.line(value or "", "Time estimate", ESTIMATE_MOST, 0),
    "project": _optional(lambda value: text.line(value, "A project name", PROJECT_MOST)),
    "project_id": lambda value, _: None if value is None else operator.index(value),
    "workspace": lambda value, _: _workspace(value),
    "parent": _optional(parse_id),
    "tags": _listed(parse_tags),
    "blocked_by": _listed(lambda value: few(tuple(sorted({parse_id(item) for item in value})), "blockers")),
    "connected_files": _listed(parse_paths),
    "external_refs": _listed(_references),
    "acceptance": _listed(parse_commands),
    "due_date": _when,
    "scheduled_start": _when,
    "remind_at": _when,
    "recurrence": lambda value, _: (
        text.line(value or "", "Recurrence", RECURRENCE_MOST, 0).upper().removeprefix("RRULE:")
    ),
    "rank": lambda value, _: None if value is None else parse_rank(value),
}
NAMES = tuple(_READ)
