"""What was deleted, until it is gone for good."""

from __future__ import annotations

from dataclasses import replace

from taskpilot.domain import text
from taskpilot.domain.errors import Conflict
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.selection import Page, limit
from taskpilot.domain.task import Task
from taskpilot.store.work import Work

LISTED_MOST = 200
REASON_MOST = 1_000


@reads
def list_page(work: Work, *, limit: int = 50, cursor: str | None = None) -> Page[Task]:
    """Deleted tasks, latest first."""
    return work.bin.page(_limit(limit), cursor)


@writes
def restore(work: Work, task_id: int, *, reason: str = "") -> tuple[Task, ...]:
    """Take a task out of the bin, with the subtasks that were deleted with it. A project that is gone is left."""
    top = work.tasks.get(task_id, deleted=True)
    if top.deleted_at is None:
        raise Conflict(f"Task {task_id} is not in the bin.", hint="List the bin to see what is.")
    reason = text.line(reason, "A reason", REASON_MOST, 0)
    restored: list[Task] = []
    for number in work.bin.deleted_with(top):
        before = work.tasks.get(number, deleted=True)
        after = _leave_project(work, before).restore(work.now)
        work.tasks.save(before, after)
        work.record("task.restored", before, after, reason=reason)
        restored.append(after)
    return tuple(restored)


def _leave_project(work: Work, task: Task) -> Task:
    gone = task.project_id is not None and work.projects.get(task.project_id, deleted=True).deleted_at is not None
    return replace(task, project_id=None, project=None) if gone else task


def _limit(given: int) -> int:
    return limit(given, LISTED_MOST)
