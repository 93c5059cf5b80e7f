"""What the tools of this contract answer. Members without a value are left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NotRequired, cast

from typing_extensions import TypedDict

from taskpilot.contracts.taskpilot import vocabulary
from taskpilot.domain.audit import Finding
from taskpilot.domain.events import Event
from taskpilot.domain.moments import wire
from taskpilot.domain.rule import Rule
from taskpilot.domain.session import Session
from taskpilot.domain.task import Priority, Status, Task
from taskpilot.domain.wording import describe
from taskpilot.domain.workspace import Workspace

_NUMBER = re.compile(r"^#(\d{1,18})")
"""How the core begins to tell of a task."""


class WorkspaceRow(TypedDict):
    id: str
    path: str
    name: str
    created_at: str


class TaskBrief(TypedDict):
    id: str
    title: str
    priority: str
    status: str


class TaskRow(TaskBrief):
    description: str
    progress: int
    notes: str
    blocked_by: list[str]
    connected_files: list[str]
    tags: list[str]
    external_refs: list[dict[str, str]]
    parent_task_id: NotRequired[str]
    due_date: NotRequired[str]
    created_at: str
    updated_at: str
    started_at: NotRequired[str]
    completed_at: NotRequired[str]
    version: int


class RuleRow(TypedDict):
    type: str
    content: str


class SessionRow(TypedDict):
    id: str
    started_at: str
    ended_at: NotRequired[str]


class EventRow(TypedDict):
    at: str
    actor: str
    what: str
    reason: NotRequired[str]


class FileRow(TypedDict):
    path: str
    exists: NotRequired[bool]


class NextRow(TypedDict):
    task: NotRequired[TaskBrief]
    reason: str


class Noted(TypedDict):
    note: NotRequired[str]
    """What could not be done besides: the `.task` folder is behind."""


class Init(TypedDict):
    operation: str
    workspace: WorkspaceRow
    tasks_created: list[TaskBrief]
    rules_applied: list[str]
    rules_initialized: list[str]
    setup_complete: bool
    next_steps: list[str]


class Start(Noted):
    operation: str
    workspace: WorkspaceRow
    session: SessionRow
    closed_session: NotRequired[SessionRow]
    open_tasks: list[TaskBrief]
    open_count: int
    rules: list[RuleRow]
    next_step: NextRow


class Changed(Noted):
    operation: str
    workspace: WorkspaceRow
    task: TaskRow
    freed: NotRequired[list[str]]
    """Tasks that waited on it alone, and are ready now."""


class Updated(Changed):
    field: str
    changed: bool


class Standing(TypedDict):
    operation: str
    workspace: WorkspaceRow
    total: int
    open: int
    completed: int
    completion_rate: float
    by_status: dict[str, int]
    by_priority: dict[str, int]
    session: NotRequired[SessionRow]
    next_step: NextRow
    tasks: NotRequired[list[TaskRow]]
    rules: NotRequired[list[RuleRow]]
    recent: NotRequired[list[EventRow]]


class FindingRow(TypedDict):
    kind: str
    task_id: str
    title: str
    message: str
    related_tasks: list[str]
    files: list[str]
    fixable: bool


class FixRow(FindingRow):
    action: str


class Audit(Noted):
    operation: str
    workspace: WorkspaceRow
    scope: str
    score: int
    tasks_checked: int
    total_findings: int
    findings: list[FindingRow]
    fixes: list[FixRow]


class Focus(Noted):
    operation: str
    workspace: WorkspaceRow
    task: TaskRow
    ready: bool
    rules: list[RuleRow]
    files: list[FileRow]
    blockers: list[TaskBrief]
    blocks: list[TaskBrief]
    subtasks: list[TaskBrief]
    parent: NotRequired[TaskBrief]
    history: list[EventRow]


class RuleChange(Noted):
    operation: str
    workspace: WorkspaceRow
    action: str
    rule: RuleRow
    rules: list[RuleRow]


class Prompted(TypedDict):
    operation: str
    name: str
    prompt: str


def workspace_row(workspace: Workspace) -> WorkspaceRow:
    return {
        "id": str(workspace.id),
        "path": workspace.path,
        "name": workspace.name,
        "created_at": wire(workspace.created_at) or "",
    }


def task_brief(task: Task) -> TaskBrief:
    return {
        "id": vocabulary.write_id(task.id),
        "title": task.title,
        "priority": vocabulary.write_priority(task.priority),
        "status": vocabulary.write_status(task.status),
    }


def task_briefs(tasks: Iterable[Task]) -> list[TaskBrief]:
    return [task_brief(task) for task in tasks]


def task_row(task: Task) -> TaskRow:
    row: dict[str, Any] = {
        **task_brief(task),
        "description": task.description,
        "progress": task.progress,
        "notes": task.notes,
        "blocked_by": [vocabulary.write_id(number) for number in task.blocked_by],
        "connected_files": list(task.connected_files),
        "tags": list(task.tags),
        "external_refs": [ref._asdict() for ref in task.external_refs],
        "parent_task_id": vocabulary.write_id(task.parent) if task.parent else None,
        "due_date": wire(task.due_date),
        "created_at": wire(task.created_at),
        "updated_at": wire(task.updated_at),
        "started_at": wire(task.started_at),
        "completed_at": wire(task.completed_at),
        "version": task.version,
    }
    return cast(TaskRow, {name: value for name, value in row.items() if value is not None})


def rule_row(rule: Rule) -> RuleRow:
    return {"type": rule.kind.value, "content": rule.content}


def rule_rows(rules: Iterable[Rule]) -> list[RuleRow]:
    return [rule_row(rule) for rule in rules]


def session_row(session: Session) -> SessionRow:
    row: SessionRow = {"id": str(session.id), "started_at": wire(session.started_at) or ""}
    if session.ended_at is not None:
        row["ended_at"] = wire(session.ended_at) or ""
    return row


def event_row(event: Event) -> EventRow:
    what = _NUMBER.sub(lambda found: vocabulary.write_id(int(found[1])), describe(event), count=1)
    row: EventRow = {"at": wire(event.at) or "", "actor": event.actor, "what": what}
    if event.reason:
        row["reason"] = event.reason
    return row


def next_row(task: Task | None, reason: str) -> NextRow:
    return {"task": task_brief(task), "reason": reason} if task is not None else {"reason": reason}


def finding_row(finding: Finding) -> FindingRow:
    return {
        "kind": finding.kind.value,
        "task_id": vocabulary.write_id(finding.task),
        "title": finding.title,
        "message": finding.message,
        "related_tasks": [vocabulary.write_id(number) for number in finding.others],
        "files": list(finding.paths),
        "fixable": finding.fixable,
    }


def count_statuses(counts: Mapping[Status, int]) -> dict[str, int]:
    """In this contract's words; every word is there."""
    return {word: sum(counts.get(each, 0) for each in meant.values) for word, meant in vocabulary.STATUSES.items()}


def count_priorities(counts: Mapping[Priority, int]) -> dict[str, int]:
    return {word: sum(counts.get(each, 0) for each in meant.values) for word, meant in vocabulary.PRIORITIES.items()}
