"""Looking whether a workspace is in order, and putting right what is safe to put right.

Whether files are there is looked up before, outside of any transaction, and handed in as `missing`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from taskpilot.domain import audit
from taskpilot.domain.audit import Facts, Finding, Kind, Scope
from taskpilot.domain.fields import TaskFields
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.selection import Selection, Sort
from taskpilot.domain.task import Status, Task
from taskpilot.ops import tasks
from taskpilot.store.work import Work

PAGE = 500
MOST_RELATED = 20_000
EVENTS = 200
REASON = "Put right by an audit"


@dataclass(frozen=True, slots=True)
class Report:
    findings: tuple[Finding, ...]
    checked: int
    """Open tasks that were looked at."""

    @property
    def score(self) -> int:
        return audit.score(len(self.findings))


@dataclass(frozen=True, slots=True)
class Repaired:
    report: Report
    """What is left."""
    fixed: tuple[tuple[Finding, str], ...]
    """What was put right, and how."""


@reads
def inspect(work: Work, workspace_id: int, *, scope: Scope | str = Scope.FULL, missing: Iterable[str] = ()) -> Report:
    """Everything in a workspace that is not in order."""
    open_tasks = _load(work, work.workspaces.get(workspace_id).id)
    facts = Facts(
        now=work.now,
        related=_follow(work, open_tasks),
        explained={task.id for task in open_tasks if _is_explained(work, task)},
        missing=frozenset(missing),
    )
    return Report(tuple(audit.inspect(open_tasks, facts, audit.parse_scope(scope))), len(open_tasks))


@writes
def repair(work: Work, workspace_id: int, *, scope: Scope | str = Scope.FULL, missing: Iterable[str] = ()) -> Repaired:
    """Take away links that lead nowhere: to dropped or deleted tasks, to files that are gone. Nothing is deleted."""
    missing = frozenset(missing)
    found = inspect(work, workspace_id, scope=scope, missing=missing)
    fixed = tuple((finding, _fix(work, finding)) for finding in found.findings if finding.fixable)
    return Repaired(inspect(work, workspace_id, scope=scope, missing=missing) if fixed else found, fixed)


def _fix(work: Work, finding: Finding) -> str:
    task = work.tasks.get(finding.task)
    if finding.kind is Kind.DROPPED:
        changes: TaskFields = {"blocked_by": [number for number in task.blocked_by if number not in finding.others]}
        done = "It no longer waits on a task that is gone."
    else:
        changes = {"connected_files": [path for path in task.connected_files if path not in finding.paths]}
        done = f"The missing file {', '.join(finding.paths)} is no longer connected."
    tasks.update(work, task.id, changes, reason=REASON)
    return done


def _load(work: Work, workspace_id: int) -> list[Task]:
    found: list[Task] = []
    cursor: str | None = None
    while True:
        page = work.tasks.page(Selection(workspace=workspace_id), Sort.PRIORITY, PAGE, cursor)
        found += page.items
        cursor = page.cursor
        if cursor is None:
            return found


def _follow(work: Work, found: list[Task]) -> dict[int, Task]:
    """Whatever these tasks wait on, and what that waits on, and so on."""
    known = {task.id: task for task in found}
    most = len(known) + MOST_RELATED
    level = found
    while level and len(known) < most:
        level = work.tasks.many(sorted({blocker for task in level for blocker in task.blocked_by} - known.keys()))
        known.update({task.id: task for task in level})
    return known


def _is_explained(work: Work, task: Task) -> bool:
    if task.status is not Status.BLOCKED or task.blocked_by:
        return False
    events = work.events.history(noun="task", subject=task.id, before=None, limit=EVENTS)
    blocked = next((event for event in events if event.after.get("status") == Status.BLOCKED), None)
    return blocked is not None and bool(blocked.reason)
