"""Tasks, events and claims in short text, and as data without empty fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from taskpilot.contracts.native.shapes import Brief, Changes, Handoff, Happening, Many, Ticket, Whole
from taskpilot.domain.claim import Claim
from taskpilot.domain.events import Event, plain
from taskpilot.domain.moments import wire
from taskpilot.domain.task import Priority, Status, Task
from taskpilot.domain.wording import describe
from taskpilot.ops.changes import TaskChange
from taskpilot.toolkit import Reply

LINE_BYTES = 59
"""A task in a list costs at most this, and a line end."""


_OPTIONAL = ("project", "tags", "blocked_by")
_ALSO_OPTIONAL = (
    "description",
    "notes",
    "progress",
    "workspace",
    "parent",
    "follows",
    "connected_files",
    "external_refs",
    "recurrence",
    "acceptance",
)
COLUMNS = (
    "id",
    "title",
    "status",
    "claimed_by",
    "claimed_until",
    "priority",
    "version",
    "due_date",
    "blocked_by",
    "description",
    "connected_files",
    "acceptance",
    "notes",
    "project",
    "tags",
    "parent",
    "progress",
    "time_estimate",
    "energy",
    "scheduled_start",
    "recurrence",
    "workspace",
    "external_refs",
    "remind_at",
    "follows",
    "started_at",
    "completed_at",
    "updated_at",
    "created_at",
)
"""All that is told of a task, the most useful first."""
_MOMENTS = ("due_date", "scheduled_start", "remind_at", "created_at", "updated_at", "started_at", "completed_at")


def brief(task: Task) -> Brief:
    row = _core(task)
    if task.due_date is not None:
        row["due_date"] = wire(task.due_date)
    _put(row, task, _OPTIONAL)
    return cast(Brief, row)


def whole(task: Task) -> Whole:
    row = _core(task)
    row["energy"], row["time_estimate"] = task.energy, task.time_estimate
    _put(row, task, _OPTIONAL)
    _put(row, task, _ALSO_OPTIONAL)
    for name in _MOMENTS:
        when = getattr(task, name)
        if when is not None:
            row[name] = wire(when)
    return cast(Whole, row)


def _core(task: Task) -> dict[str, Any]:
    return {
        "id": task.id,
        "title": task.title,
        "status": task.status,
        "priority": task.priority.word,
        "version": task.version,
    }


def _put(row: dict[str, Any], task: Task, names: tuple[str, ...]) -> None:
    for name in names:
        value = getattr(task, name)
        if value:
            row[name] = plain(value)


def line(task: Task) -> str:
    """`42 Fix login !high due 2026-01-22 [review]`, cut to its bytes; the data carries the full title."""
    marks = ""
    if task.priority is not Priority.MEDIUM:
        marks += f" !{task.priority.word}"
    if task.due_date is not None:
        marks += f" due {(wire(task.due_date) or '')[:10]}"
    if task.status is not Status.TODO:
        marks += f" [{task.status.value}]"
    return f"{task.id} {_cut(task.title, LINE_BYTES - len(f'{task.id} {marks}'))}{marks}"


def lines(tasks: tuple[Task, ...] | list[Task]) -> str:
    return "\n".join(line(task) for task in tasks)


def details(row: Mapping[str, Any], *, every: bool = False) -> str:
    """What a person or a model needs to work on it; or every column there is."""
    told = [" ".join(str(row[name]) for name in ("id", "title") if name in row)]
    told.append(", ".join(f"{name} {row[name]}" for name in ("status", "priority") if name in row))
    for name, value in row.items():
        if name in _LONG or name in _HEAD or not (every or name in _TOLD):
            continue
        shown = ", ".join(map(str, cast(list[Any], value))) if isinstance(value, list) else value
        told.append(f"{name.replace('_', ' ')} {shown}")
    told += [f"{name}:\n{row[name]}" for name in _LONG if name in row]
    return "\n".join(line for line in told if line)


_HEAD = ("id", "title", "status", "priority")
_LONG = ("description", "notes")
_TOLD = {
    *("claimed_by", "claimed_until", "due_date", "scheduled_start", "recurrence", "project", "time_estimate"),
    *("parent", "tags", "blocked_by", "connected_files", "acceptance"),
}


def ticket(claim: Claim) -> Ticket:
    return {"token": claim.id, "lease_until": wire(claim.lease_until) or ""}


def end_list(told: list[str], data: Many, note: str, cursor: str | None) -> Reply:
    """A list with what was left out, and how to go on."""
    if note:
        data["note"] = note
        told = [*told, note]
    if cursor:
        data["cursor"] = cursor
        told = [*told, f"More: cursor {cursor}"]
    return Reply("\n".join(told), data)


def handoff(before: Claim, did: Sequence[str] = ()) -> Handoff:
    """What whoever had it last left behind, the most useful first."""
    said = {name: getattr(before.handoff, name) for name in ("next", "failed", "done", "tried")}
    row: Handoff = {"by": before.actor, "ended": str(before.ending)}
    row.update(cast(Handoff, {name: value for name, value in said.items() if value}))
    if did:
        row["did"] = list(did)
    return row


def tell_handoff(row: Mapping[str, Any]) -> str:
    told = [f"before you: {row.get('by', 'somebody')} ({row.get('ended', 'ended')})"]
    told += [f"{name}: {row[name]}" for name in ("done", "tried", "failed", "next") if name in row]
    return "\n".join(told + [f"did: {line}" for line in row.get("did", ())])


def changed(change: TaskChange) -> Changes:
    row: Changes = {"id": change.task, "title": change.title, "what": change.what, "by": list(change.actors)}
    if change.status:
        row["status"] = change.status
    return row


def tell_change(change: TaskChange) -> str:
    return f"{change.task} {_cut(change.title, LINE_BYTES)}: {change.what} ({', '.join(change.actors)})"


def happening(event: Event) -> Happening:
    row: Happening = {
        "id": event.id,
        "change": event.change,
        "at": wire(event.at) or "",
        "actor": event.actor,
        "door": event.door,
        "what": describe(event),
    }
    if event.reason:
        row["reason"] = event.reason
    if event.origin:
        row["origin"] = event.origin
    return row


def told(event: Event) -> str:
    return f"{event.change} {wire(event.at)} {event.actor}: {describe(event)}"


def _cut(title: str, room: int) -> str:
    if len(title) <= room and len(title.encode()) <= room:
        return title
    return title.encode()[: max(room - 3, 8)].decode(errors="ignore").rstrip() + "…"
