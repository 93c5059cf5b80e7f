"""How a task's acceptance stands. Apart from `evidence`, which needs all of the tasks' operations."""

from __future__ import annotations

from taskpilot.domain.evidence import Proof, prove
from taskpilot.domain.operation import reads
from taskpilot.domain.task import Task
from taskpilot.store.work import Work

LISTED_MOST = 100


@reads
def gather(work: Work, task: Task) -> Proof:
    """What was found on the last commit of the task's latest run."""
    latest = work.runs.latest(task.id)
    return prove(task.acceptance, work.evidence.of_task(task.id, LISTED_MOST), latest.head if latest else "")
