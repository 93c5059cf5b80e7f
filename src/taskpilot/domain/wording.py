"""Events told in words."""

from __future__ import annotations

from typing import Any

from taskpilot.domain import text
from taskpilot.domain.events import Event
from taskpilot.domain.moments import load, wire
from taskpilot.domain.task import Priority

VALUE_MOST = 40
NAME_MOST = 80
SILENT = {"project_id", "reopens_as", "started_at", "completed_at", "recurs_from", "deleted_at"}
"""Fields that follow from what is told anyway."""
DATES = {"due_date", "scheduled_start", "remind_at"}
PLAIN = {"completed", "reopened", "deleted"}
"""What needs no list of fields."""


def describe(event: Event) -> str:
    """`#3 completed`, `#3 priority: medium → high`, `project 2 created: Home`."""
    subject = f"#{event.subject}" if event.noun == "task" else f"{event.noun} {event.subject or ''}".strip()
    happened = event.kind.partition(".")[2]
    if event.before is None:
        name = event.after.get("title") or event.after.get("name") or ""
        return f"{subject} {happened}" + (f": {text.shorten(str(name), NAME_MOST)}" if name else "")
    if happened in PLAIN:
        return f"{subject} {happened}"
    changed = [
        f"{name.replace('_', ' ')}: {_show(name, event.before.get(name))} → {_show(name, value)}"
        for name, value in event.after.items()
        if name not in SILENT
    ]
    told = [f"change {event.undoes} undone", *changed] if event.undoes else changed
    return f"{subject} {'; '.join(told) or happened}"


def _show(name: str, value: Any) -> str:
    if value in (None, "", []):
        return "–"
    if name == "priority":
        return Priority(value).word
    if name in DATES:
        return wire(load(value)) or "–"
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return text.shorten(text.clean_line(str(value)), VALUE_MOST)
