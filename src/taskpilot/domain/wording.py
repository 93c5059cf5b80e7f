"""Events told in words."""

from __future__ import annotations

from typing import Any

from taskpilot.domain import text
from taskpilot.domain.events import Event, Fields
from taskpilot.domain.moments import load, wire
from taskpilot.domain.task import Priority

VALUE_MOST = 40
NAME_MOST = 80
SILENT = {
    *("project_id", "reopens_as", "started_at", "completed_at", "recurs_from", "deleted_at", "rank"),
    *("worker", "lease_until", "attempt", "claim", "queued_at", "admitted_at", "ended_at", "ends_as", "turn", "result"),
}
"""Fields that follow from what is told anyway."""
MOVED = "moved it on the board"
"""A rank says nothing to anybody, and follows from a new status if there is one."""
DATES = {"due_date", "scheduled_start", "remind_at"}
PLAIN = {"completed", "reopened", "deleted"}
"""What needs no list of fields."""
_WORDS = {item.value: item.word for item in Priority}


def describe(event: Event) -> str:
    """`#3 completed`, `#3 priority: medium → high`, `project 2 created: Home`."""
    subject = f"#{event.subject}" if event.noun == "task" else f"{event.noun} {event.subject or ''}".strip()
    happened = event.kind.partition(".")[2]
    if event.before is None:
        name = event.after.get("title") or event.after.get("name") or ""
        return f"{subject} {happened}" + (f": {text.shorten(str(name), NAME_MOST)}" if name else "")
    if happened in PLAIN:
        return f"{subject} {happened}"
    changed = tell_fields(event.before, event.after)
    told = [f"change {event.undoes} undone", *changed] if event.undoes else changed
    return f"{subject} {'; '.join(told) or happened}"


def tell_fields(before: Fields, after: Fields) -> list[str]:
    """`priority: medium → high`, for each field that is worth telling."""
    told = [
        f"{name.replace('_', ' ')}: {_show(name, before.get(name))} → {_show(name, value)}"
        for name, value in after.items()
        if name not in SILENT
    ]
    return [MOVED] if not told and "rank" in after else told


def _show(name: str, value: Any) -> str:
    if value in (None, "", []):
        return "–"
    if name == "priority":
        return _WORDS[value]
    if name in DATES:
        return wire(load(value)) or "–"
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return text.shorten(text.clean_line(str(value)), VALUE_MOST)
