"""Many changes to tasks in one go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from taskpilot.domain.errors import Invalid
from taskpilot.domain.fields import TaskFields
from taskpilot.domain.operation import writes
from taskpilot.domain.task import Task
from taskpilot.ops import tasks
from taskpilot.ops.tasks import MOST_AT_ONCE
from taskpilot.store.work import Work


@dataclass(frozen=True, slots=True)
class Edit:
    task: int
    changes: TaskFields
    """None at all only makes sure that it is there."""
    version: int | None = None
    """Refuses the whole of it, if somebody has changed this task since."""


@dataclass(frozen=True, slots=True)
class Done:
    created: tuple[Task, ...]
    updated: tuple[Task, ...]
    completed: tuple[Task, ...]
    deleted: tuple[int, ...]
    """Subtasks that went along too."""


@writes
def change(
    work: Work,
    *,
    create: Sequence[TaskFields] = (),
    update: Sequence[Edit] = (),
    complete: Sequence[int] = (),
    delete: Sequence[int] = (),
) -> Done:
    """Add, change, complete and delete tasks, in this order; all of it or nothing. One undo takes it back whole."""
    for what, given in (("create", create), ("update", update), ("complete", complete), ("delete", delete)):
        if len(given) > MOST_AT_ONCE:
            raise Invalid(f"{len(given)} tasks are too many to {what}.", hint=f"Give at most {MOST_AT_ONCE} of each.")
    return Done(
        created=tasks.create(work, create).tasks if create else (),
        updated=tuple(_edit(work, edit) for edit in update),
        completed=tuple(tasks.complete(work, number).task for number in dict.fromkeys(complete)),
        deleted=_delete(work, delete),
    )


def _edit(work: Work, edit: Edit) -> Task:
    if edit.changes:
        return tasks.update(work, edit.task, edit.changes, version=edit.version).task
    task = work.tasks.get(edit.task)
    task.expect(edit.version)
    return task


def _delete(work: Work, numbers: Sequence[int]) -> tuple[int, ...]:
    """Naming a subtask besides its task is no mistake."""
    gone: dict[int, None] = {}
    for number in numbers:
        if number not in gone:
            gone.update(dict.fromkeys(task.id for task in tasks.delete(work, number)))
    return tuple(gone)
