"""A whole plan in one call."""

from __future__ import annotations

import hashlib
import heapq
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
    listed = plan.order(steps)
    place = {id(step): number for number, step in enumerate(listed)}
    named = {step.name: number for number, step in enumerate(listed) if step.name}
    parent = {place[id(child)]: place[id(step)] for step in listed for child in step.steps}
    needs = [{named[name] for name in step.after if name in named} for step in listed]
    for child, above in parent.items():
        needs[child].add(above)
    made: dict[int, Task] = {}
    for number in _sequence(needs):
        step = listed[number]
        fields: Any = dict(step.fields)
        waits = [
            *fields.get("blocked_by", ()),
            *(made[named[name]].id if name in named else name for name in step.after),
        ]
        if waits:
            fields["blocked_by"] = waits
        if number in parent:
            fields["parent"] = made[parent[number]].id
        made[number] = _add(work, fields, reason)
    return [made[number] for number in range(len(listed))]


def _add(work: Work, fields: Any, reason: str) -> Task:
    try:
        return tasks.create(work, [fields], reason=reason).tasks[0]
    except Invalid as error:
        raise Unfit(f"{text.shorten(str(fields.get('title')), 60)!r}: {error.message}", hint=error.hint) from None


def _sequence(needs: list[set[int]]) -> list[int]:
    """As written where that is possible, later where one waits on another; a circle is refused."""
    waiting = [len(each) for each in needs]
    freed: list[list[int]] = [[] for _ in needs]
    for number, each in enumerate(needs):
        for other in each:
            freed[other].append(number)
    ready = [number for number, count in enumerate(waiting) if not count]
    found: list[int] = []
    while ready:
        number = heapq.heappop(ready)
        found.append(number)
        for other in freed[number]:
            waiting[other] -= 1
            if not waiting[other]:
                heapq.heappush(ready, other)
    if len(found) < len(needs):
        raise Unfit("Tasks of the plan wait on each other in a circle.", hint="Nothing was made. Break the circle.")
    return found


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
