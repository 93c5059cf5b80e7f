"""All that is needed to work on one task."""

from __future__ import annotations

from dataclasses import dataclass

from taskpilot.domain.events import Event
from taskpilot.domain.operation import reads
from taskpilot.domain.rule import Rule
from taskpilot.domain.task import Task
from taskpilot.domain.workspace import Workspace
from taskpilot.store.work import Work

EVENTS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Focus:
    task: Task
    workspace: Workspace | None
    rules: tuple[Rule, ...]
    """Those of its workspace."""
    blockers: tuple[Task, ...]
    """What it waits on, open or closed."""
    waiting: tuple[Task, ...]
    """Open tasks that wait on it."""
    subtasks: tuple[Task, ...]
    parent: Task | None
    events: tuple[Event, ...]
    """What happened to it, latest first."""

    @property
    def ready(self) -> bool:
        return not any(blocker.status.open for blocker in self.blockers)


@reads
def gather(work: Work, task_id: int) -> Focus:
    """One task with its rules, blockers, subtasks and history."""
    task = work.tasks.get(task_id)
    workspace = work.workspaces.get(task.workspace) if task.workspace is not None else None
    return Focus(
        task=task,
        workspace=workspace,
        rules=tuple(work.rules.all(workspace.id)) if workspace else (),
        blockers=tuple(work.tasks.many(task.blocked_by)),
        waiting=tuple(work.tasks.waiting_on(task.id)),
        subtasks=tuple(work.tasks.many(work.tasks.children_of([task.id]))),
        parent=next(iter(work.tasks.many([task.parent])), None) if task.parent is not None else None,
        events=tuple(work.events.history(noun="task", subject=task.id, before=None, limit=EVENTS)),
    )
