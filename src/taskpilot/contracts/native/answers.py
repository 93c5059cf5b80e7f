"""What the native tools answer: short text, and data without empty fields."""

from __future__ import annotations

from typing import Any, cast

from typing_extensions import TypedDict

from taskpilot.domain.events import Event, plain
from taskpilot.domain.moments import wire
from taskpilot.domain.task import Priority, Status, Task
from taskpilot.domain.wording import describe

LINE_BYTES = 59
"""A task in a list costs at most this, and a line end."""


class Brief(TypedDict, total=False):
    id: int
    title: str
    status: str
    priority: str
    project: str
    tags: list[str]
    due_date: str
    blocked_by: list[int]
    version: int


class Whole(Brief, total=False):
    description: str
    notes: str
    progress: int
    energy: str
    time_estimate: str
    workspace: int
    parent: int
    follows: int
    connected_files: list[str]
    external_refs: list[list[str]]
    scheduled_start: str
    remind_at: str
    recurrence: str
    created_at: str
    updated_at: str
    started_at: str
    completed_at: str


class One(TypedDict):
    task: Whole


class Many(TypedDict, total=False):
    tasks: list[Brief]
    cursor: str
    note: str


class Made(TypedDict, total=False):
    tasks: list[Brief]
    repeated: bool


class Change(TypedDict, total=False):
    task: Brief
    freed: list[int]
    next: Brief
    waited_on: list[int]


class Gone(TypedDict):
    deleted: list[int]


class Next(TypedDict, total=False):
    task: Whole
    reason: str


class Counts(TypedDict, total=False):
    total: int
    completed: int
    completion_rate: float
    overdue: int
    streak: int
    by_project: dict[str, int]
    by_priority: dict[str, int]
    by_status: dict[str, int]
    by_day: dict[str, int]


class Project(TypedDict):
    name: str
    open: int
    colour: str
    description: str


class Tag(TypedDict):
    name: str
    open: int


class Workspace(TypedDict):
    id: int
    name: str
    path: str
    open: int


class Groups(TypedDict):
    projects: list[Project]
    tags: list[Tag]
    workspaces: list[Workspace]


class Saved(TypedDict, total=False):
    id: int
    name: str
    tasks: int


class Happening(TypedDict, total=False):
    id: int
    change: int
    at: str
    actor: str
    door: str
    what: str
    reason: str


class Happenings(TypedDict, total=False):
    events: list[Happening]
    cursor: str


class Reverted(TypedDict):
    undone: list[int]
    conflicts: list[str]


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
)
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


def details(row: Whole) -> str:
    """Everything a person or a model needs to work on it."""
    told = [f"{row.get('id')} {row.get('title')}", f"status {row.get('status')}, priority {row.get('priority')}"]
    for name, value in row.items():
        if name in _TOLD:
            told.append(f"{name.replace('_', ' ')} {value}")
        elif name in _TOLD_LISTS:
            told.append(f"{name.replace('_', ' ')} {', '.join(map(str, cast(list[Any], value)))}")
    told += [f"{name}:\n{row.get(name)}" for name in ("description", "notes") if name in row]
    return "\n".join(told)


_TOLD = {"due_date", "scheduled_start", "recurrence", "project", "time_estimate", "parent"}
_TOLD_LISTS = {"tags", "blocked_by", "connected_files"}


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
    return row


def told(event: Event) -> str:
    return f"{event.change} {wire(event.at)} {event.actor}: {describe(event)}"


def _cut(title: str, room: int) -> str:
    if len(title) <= room and len(title.encode()) <= room:
        return title
    return title.encode()[: max(room - 3, 8)].decode(errors="ignore").rstrip() + "…"
