"""Tasks that are there already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from taskpilot.domain import text
from taskpilot.domain.operation import reads
from taskpilot.domain.similarity import ALIKE, SHORTEST, compare, make_key
from taskpilot.domain.task import ID_MOST, Task
from taskpilot.store.work import Work

COMPARED_MOST = 20
"""In a longer list of new tasks only equal titles are looked for."""


@reads
def find(work: Work, drafts: Sequence[Mapping[str, Any]]) -> dict[int, Task]:
    """For each new task, by its place, an open one that says the same.

    That is one with the same title up to case, blanks and punctuation; or, in the same project, one with nearly the
    same letters in the same order.
    """
    keys = [make_key(str(draft.get("title") or "")) for draft in drafts]
    same = work.duplicates.by_keys([key for key in keys if key])
    found = {place: same[key] for place, key in enumerate(keys) if key in same}
    if len(drafts) <= COMPARED_MOST:
        for place, draft in enumerate(drafts):
            project = None if place in found or len(keys[place]) < SHORTEST else _find_project(work, draft)
            near = None if project is None else _find_nearest(work, project, keys[place])
            if near is not None:
                found[place] = near
    tasks = {task.id: task for task in work.tasks.many(found.values())}
    return {place: tasks[number] for place, number in sorted(found.items()) if number in tasks}


def _find_project(work: Work, draft: Mapping[str, Any]) -> int | None:
    number, name = draft.get("project_id"), draft.get("project")
    if isinstance(number, int):
        return number if abs(number) <= ID_MOST else None
    known = work.projects.find(text.clean_line(name)) if isinstance(name, str) else None
    return None if known is None else known.id


def _find_nearest(work: Work, project: int, key: str) -> int | None:
    likeness, number = max(
        ((compare(key, other), -number) for number, other in work.duplicates.near(project, key)), default=(0.0, 0)
    )
    return -number if likeness >= ALIKE else None
