"""What happened: one append-only log that history, undo and live updates read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass
from datetime import date, datetime
from typing import Any

from taskpilot.domain.moments import stored

Fields = Mapping[str, Any]
"""Field values as JSON can carry them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    id: int
    change: int
    """The first event of the same transaction's operation: what one undo takes back."""
    at: datetime
    owner: int
    actor: str
    door: str
    kind: str
    """A noun and what befell it: `task.completed`."""
    subject: int
    before: Fields | None
    """The changed fields as they were; None when the subject is new."""
    after: Fields
    reason: str = ""
    undoes: int | None = None
    workspace: int | None = None
    """Where it happened, if in one."""
    address: str = ""
    """The network address it came from, if from one."""
    tool: str = ""
    """The tool or route that did it."""
    origin: str = ""
    """The connection, run or conversation it was part of, if of one."""

    @property
    def noun(self) -> str:
        return self.kind.partition(".")[0]

    @property
    def for_everyone(self) -> bool:
        """The store itself: a backup has taken the place of what everybody saw."""
        return self.kind.startswith("store.")


ACCOUNT_NOUNS = ("user", "login", "token", "invitation", "client")
"""What happened to accounts: told by the audit, and nothing that history shows or undo takes back."""

UNTOLD_KINDS = ("run.logged", "run.noted")
"""Heard by whoever follows a run, and kept with it; too much, and too little, to be told as history or taken back."""

_BOOKKEEPING = {"version", "updated_at"}
"""Fields that follow from any change; nobody asked for them and nobody can undo them."""


def plain(value: Any) -> Any:
    """A field's value as JSON can carry it."""
    if isinstance(value, date):
        return stored(value)
    if isinstance(value, frozenset):
        return sorted(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, tuple):
        return [list(item) if isinstance(item, tuple) else plain(item) for item in value]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return value


def snapshot(entity: Any) -> Fields:
    """A new entity's fields, without those still at their defaults."""
    return {
        item.name: plain(value)
        for item in fields(entity)
        if item.name not in _BOOKKEEPING and (value := getattr(entity, item.name)) != item.default
    }


def diff(before: Any, after: Any) -> tuple[Fields, Fields]:
    """The fields that changed: as they were, as they are."""
    was: dict[str, Any] = {}
    now: dict[str, Any] = {}
    for item in fields(after):
        old, new = getattr(before, item.name), getattr(after, item.name)
        if old != new and item.name not in _BOOKKEEPING:
            was[item.name], now[item.name] = plain(old), plain(new)
    return was, now
