"""One task and what belongs to it, in parts that can be left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from taskpilot.contracts.native import answers, shapes
from taskpilot.toolkit import Reply

COLUMNS = answers.COLUMNS
HANDOFF = "handoff "
FIRST = COLUMNS.index("description") + 1
"""What it takes to begin; then comes what the one before left, then the rest."""


def lay_out(row: Mapping[str, Any], before: Mapping[str, Any] | None) -> dict[str, Any]:
    """A task's columns and the handoff, the most useful first."""
    columns = [{name: row[name] for name in part if name in row} for part in (COLUMNS[:FIRST], COLUMNS[FIRST:])]
    return columns[0] | {f"{HANDOFF}{name}": value for name, value in (before or {}).items()} | columns[1]


def write(parts: dict[str, Any], note: str, *, every: bool = False) -> Reply:
    row: Any = {name: value for name, value in parts.items() if name in COLUMNS}
    before: Any = {name.removeprefix(HANDOFF): value for name, value in parts.items() if name.startswith(HANDOFF)}
    data: shapes.Next = {}
    told: list[str] = []
    if row:
        data["task"] = row
        told.append(answers.details(row, every=every))
    if "reason" in parts:
        data["reason"] = parts["reason"]
        told.append(f"why: {parts['reason']}" if row else parts["reason"])
    if "claim" in parts:
        data["claim"] = parts["claim"]
        told.append(f"claim {data['claim']['token']} until {data['claim']['lease_until']}")
    if before:
        data["handoff"] = before
        told.append(answers.tell_handoff(before))
    if "held_back" in parts:
        data["held_back"] = parts["held_back"]
        told += [f"held back: {line}" for line in data["held_back"]]
    if note:
        data["note"] = note
        told.append(note)
    return Reply("\n".join(told), data)
