"""A whole plan in one call."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from taskpilot.domain import plan, text
from taskpilot.domain.errors import Invalid, Unfit
from taskpilot.domain.moments import wire
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.plan import Step
from taskpilot.domain.selection import Selection, Sort
from taskpilot.domain.task import Task
from taskpilot.ops import answers, tasks
from taskpilot.store.work import Work

EXPORTED_MOST = 5_000


@writes
def make(work: Work, steps: Sequence[Step], *, key: str = "", reason: str = "") -> tasks.Created:
    """Add a tree of tasks that wait on each other, all or none. With a key it is safe to repeat."""
    plan.check(steps)
    if not key:
        return tasks.Created(tuple(_add_all(work, steps, reason)))
    asked = json.dumps([_write(step) for step in steps], sort_keys=True, default=str)

    @writes
    def add_all(work: Work) -> list[int]:
        return [task.id for task in _add_all(work, steps, reason)]

    made, repeated = answers.keep(work, key, hashlib.sha256(asked.encode()).hexdigest(), add_all)
    return tasks.Created(tuple(work.tasks.many(made)), repeated)


@reads
def write(work: Work, selection: Selection, *, title: str = "") -> str:
    """Tasks as a Markdown check list that can be read as a plan again."""
    found = work.tasks.slice(selection, Sort.OLDEST, EXPORTED_MOST + 1, 0)
    if len(found) > EXPORTED_MOST:
        raise Unfit(f"More than {EXPORTED_MOST} tasks fit.", hint="Narrow it to a project.")
    return plan.write_markdown([_row(task) for task in found], title=title)


def _add_all(work: Work, steps: Sequence[Step], reason: str) -> list[Task]:
    layout = plan.lay_out(steps)
    made: dict[int, Task] = {}
    for place in layout.sequence:
        step = layout.steps[place]
        fields: Any = dict(step.fields)
        waits = [
            *fields.get("blocked_by", ()),
            *(made[layout.named[name]].id if name in layout.named else name for name in step.after),
        ]
        if waits:
            fields["blocked_by"] = waits
        if place in layout.parents:
            fields["parent"] = made[layout.parents[place]].id
        made[place] = _add(work, fields, reason)
    return [made[place] for place in range(len(layout.steps))]


def _add(work: Work, fields: Any, reason: str) -> Task:
    try:
        return tasks.create(work, [fields], reason=reason).tasks[0]
    except Invalid as error:
        raise Unfit(f"{text.shorten(str(fields.get('title')), 60)!r}: {error.message}", hint=error.hint) from None


def _write(step: Step) -> Any:
    return [step.fields, step.name, step.after, [_write(child) for child in step.steps]]


def _row(task: Task) -> dict[str, Any]:
    return {
        "id": task.id,
        "title": task.title,
        "status": task.status.value,
        "priority": task.priority.word,
        "tags": task.tags,
        "due_date": wire(task.due_date),
        "description": task.description,
        "parent": task.parent,
        "blocked_by": task.blocked_by,
    }
