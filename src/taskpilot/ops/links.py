"""Which task waits on which, one link at a time."""

from __future__ import annotations

from taskpilot.domain.errors import NotFound
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.task import Task
from taskpilot.ops import tasks
from taskpilot.store.work import Work


@reads
def list_all(work: Work, task_id: int) -> tuple[tuple[Task, ...], tuple[Task, ...]]:
    """What a task waits on, open or closed, and the open tasks that wait on it."""
    task = work.tasks.get(task_id)
    return tuple(work.tasks.many(task.blocked_by)), tuple(work.tasks.waiting_on(task_id))


@writes
def add(work: Work, task_id: int, blocker: int, *, version: int | None = None) -> Task:
    """Let one task wait on another. Safe to repeat."""
    before = work.tasks.get(task_id)
    return tasks.update(work, task_id, {"blocked_by": [*before.blocked_by, blocker]}, version=version).task


@writes
def remove(work: Work, task_id: int, blocker: int, *, version: int | None = None) -> Task:
    """Let a task no longer wait on another."""
    before = work.tasks.get(task_id)
    if blocker not in before.blocked_by:
        raise NotFound(f"Task {task_id} does not wait on task {blocker}.", hint="Look at what it waits on.")
    kept = [number for number in before.blocked_by if number != blocker]
    return tasks.update(work, task_id, {"blocked_by": kept}, version=version).task
