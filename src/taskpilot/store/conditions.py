"""A selection of tasks, written as SQL."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from taskpilot.domain.moments import stored
from taskpilot.domain.selection import Selection
from taskpilot.domain.task import Status
from taskpilot.store.database import Dialect
from taskpilot.store.words import split_words, write_fts5, write_tsquery

_OPEN_BLOCKER = """EXISTS (
    SELECT 1 FROM task_blocker JOIN task AS blocker ON blocker.id = task_blocker.blocker_id
     WHERE task_blocker.task_id = task.id AND blocker.open = 1)"""

# A start that is a day sorts before every moment of that day: it has come when the day has.
_STARTABLE = """(task.scheduled_start IS NULL OR task.scheduled_start <= :startable_at)
   AND NOT EXISTS (SELECT 1 FROM task AS child WHERE child.parent_id = task.id AND child.open = 1)"""

_TAGGED = """EXISTS (
    SELECT 1 FROM task_tag JOIN tag ON tag.id = task_tag.tag_id
     WHERE task_tag.task_id = task.id AND tag.owner_id = :owner AND tag.name = :tag)"""


_TAGGED_ANY = """task.id IN (
    SELECT task_tag.task_id FROM tag JOIN task_tag ON task_tag.tag_id = tag.id
     WHERE tag.owner_id = :owner AND tag.name = :tag)"""

# What one index can count by without looking at the tasks.
_COUNTED: dict[str, Any] = {"priority": None, "project": None, "project_id": None}

# An index of words knows no owner: it gives ids, and the other conditions sort them out.
_WORDED: dict[Dialect, str] = {
    "sqlite": "task.id IN (SELECT rowid FROM task_search WHERE task_search MATCH :words)",
    "postgres": "task.search @@ to_tsquery('simple', :words)",
}


def write_count(selection: Selection, owner: int, dialect: Dialect) -> tuple[list[str], dict[str, Any]]:
    """The conditions for whoever only counts: with no order to keep, another index may do without the tasks."""
    if not selection.statuses and not selection.closed and replace(selection, **_COUNTED) == Selection():
        selection = replace(selection, statuses=tuple(status for status in Status if status.open), closed=True)
    elif selection.statuses:
        selection = replace(selection, closed=True)
    where, params = write(selection, owner, dialect)
    return [_TAGGED_ANY if condition == _TAGGED else condition for condition in where], params


def write(selection: Selection, owner: int, dialect: Dialect = "sqlite") -> tuple[list[str], dict[str, Any]]:
    """Conditions to join with AND, and their parameters. The owner is always the first."""
    where = ["task.owner_id = :owner"]
    params: dict[str, Any] = {"owner": owner}

    def add(condition: str, **values: Any) -> None:
        where.append(condition)
        params.update(values)

    # Written exactly as in the partial indexes, or the planner will not use them.
    add("task.deleted_at IS NULL")
    if not selection.closed and all(status.open for status in selection.statuses):
        add("task.open = 1")
    others = [status.value for status in Status if status not in selection.statuses]
    if len(others) == 1:  # a long list of statuses would lure the planner away from the index that has the order
        add("task.status <> :status", status=others[0])
    elif selection.statuses:
        add("task.status IN :statuses", statuses=[status.value for status in selection.statuses])
    if selection.priority is not None:
        add("task.priority = :priority", priority=int(selection.priority))
    if selection.project is not None:
        add(
            "task.project_id = (SELECT id FROM project WHERE owner_id = :owner AND name = :project"
            " AND deleted_at IS NULL)",
            project=selection.project,
        )
    if selection.project_id is not None:
        add("task.project_id = :project_id", project_id=selection.project_id)
    if selection.tag is not None:
        add(_TAGGED, tag=selection.tag)
    if selection.workspace is not None:
        add("task.workspace_id = :workspace", workspace=selection.workspace)
    if selection.parent is not None:
        add("task.parent_id = :parent", parent=selection.parent)
    if selection.due_before is not None:
        # A day is stored shorter than a moment of that day and so sorts before it: "before" takes whole days.
        add("task.due_date IS NOT NULL AND task.due_key < :due_before", due_before=stored(selection.due_before))
    if selection.due_after is not None:
        add("task.due_date IS NOT NULL AND task.due_key >= :due_after", due_after=stored(selection.due_after))
    if selection.startable_at is not None:
        add(_STARTABLE, startable_at=stored(selection.startable_at))
    if selection.ready is not None:
        add(f"NOT {_OPEN_BLOCKER}" if selection.ready else _OPEN_BLOCKER)
    words = None if selection.words is None else split_words(selection.words)
    if words:
        add(_WORDED[dialect], words=write_fts5(words) if dialect == "sqlite" else write_tsquery(words))
    if selection.nothing or words == []:
        add("0 = 1")
    return where, params
