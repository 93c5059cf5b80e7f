"""What to do next."""

from __future__ import annotations

from dataclasses import dataclass

from taskpilot.domain import urgency
from taskpilot.domain.operation import reads
from taskpilot.domain.selection import Selection, Sort
from taskpilot.domain.task import Status, Task
from taskpilot.store.work import Work

LOOK_AT = 50


@dataclass(frozen=True, slots=True)
class Next:
    task: Task | None
    reason: str


@reads
def next_task(work: Work, *, project: str | None = None, tag: str | None = None, workspace: int | None = None) -> Next:
    """The best task that can be started now, and why it is the best.

    Ready means: not begun, nothing open blocks it, its start has come, and it
    has no open subtasks of its own. See `domain/urgency.py` for the points.
    """
    selection = Selection(
        statuses=(Status.TODO, Status.BACKLOG),
        project=project,
        tag=tag,
        workspace=workspace,
        startable_at=work.now,
        ready=True,
    )
    candidates = {
        task.id: task for sort in (Sort.PRIORITY, Sort.DUE) for task in work.tasks.page(selection, sort, LOOK_AT).items
    }
    if not candidates:
        return Next(None, "Nothing is ready: every open task is begun, blocked, or starts later.")
    scored = [(urgency.score(task, work.now), task) for task in candidates.values()]
    (_, reason), best = max(scored, key=lambda item: (item[0][0], -item[1].id))
    return Next(best, reason)
