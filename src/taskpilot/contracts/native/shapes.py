"""The data of the native answers, without empty fields."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict


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
    claimed_by: str
    claimed_until: str


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
    acceptance: list[str]
    external_refs: list[list[str]]
    scheduled_start: str
    remind_at: str
    recurrence: str
    created_at: str
    updated_at: str
    started_at: str
    completed_at: str


class Handoff(TypedDict, total=False):
    by: str
    ended: str
    done: str
    tried: str
    failed: str
    next: str
    did: list[str]


class One(TypedDict, total=False):
    task: Whole
    handoff: Handoff
    note: str


class Changes(TypedDict, total=False):
    id: int
    title: str
    what: str
    status: str
    by: list[str]


class Happening(TypedDict, total=False):
    id: int
    change: int
    at: str
    actor: str
    door: str
    what: str
    reason: str
    origin: str


class Many(TypedDict, total=False):
    tasks: list[Whole]
    changed: list[Changes]
    events: list[Happening]
    more: int
    counts: dict[str, int]
    revision: int
    markdown: str
    cursor: str
    note: str


class Alike(TypedDict):
    id: int
    title: str
    new: NotRequired[int]


class Made(TypedDict, total=False):
    tasks: list[Brief]
    names: dict[str, int]
    alike: list[Alike]
    repeated: bool


class Ticket(TypedDict):
    token: int
    lease_until: str


class Change(TypedDict, total=False):
    task: Brief
    freed: list[int]
    next: Brief
    waited_on: list[int]
    unproved: str
    claim: Ticket


class Gone(TypedDict):
    deleted: list[int]


class Next(TypedDict, total=False):
    task: Whole
    reason: str
    claim: Ticket
    held_back: list[str]
    handoff: Handoff
    note: str


class Released(TypedDict):
    task: Brief
    ended: str


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


class Limit(TypedDict):
    kind: str
    name: str
    most: int


class Groups(TypedDict, total=False):
    projects: list[Project]
    tags: list[Tag]
    workspaces: list[Workspace]
    limits: list[Limit]
    note: str


class Counts(Groups, total=False):
    total: int
    completed: int
    completion_rate: float
    overdue: int
    streak: int
    by_project: dict[str, int]
    by_priority: dict[str, int]
    by_status: dict[str, int]
    by_day: dict[str, int]


class Saved(TypedDict, total=False):
    id: int
    name: str
    changed: int


class Reverted(TypedDict, total=False):
    undone: list[int]
    conflicts: list[str]
    change: int
    preview: bool
    what: list[str]
    note: str
