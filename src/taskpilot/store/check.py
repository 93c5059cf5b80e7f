"""Is the store sound? Looks at everything and changes nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from typing import Any

from taskpilot.domain.errors import TaskPilotError
from taskpilot.domain.task import Energy, Priority, Status
from taskpilot.store import schema
from taskpilot.store.database import Connection, Database
from taskpilot.store.sqlite import SqliteDatabase

logger = logging.getLogger(__name__)

MOST_SHOWN = 20
"""Of each kind of problem; the rest are counted."""


def inspect(database: Database) -> list[str]:
    """Problems in words; none when the store is healthy."""
    problems: list[str] = []
    try:
        with database.reading() as db:
            problems += _attempt("the schema", _check_version, db)
            if problems:
                return problems
            for name, check in _CHECKS.items():
                problems += _attempt(name, check, db)
        if isinstance(database, SqliteDatabase) and not problems:
            problems += _attempt("the search index", _check_search, database)
    except TaskPilotError as error:
        problems.append(str(error))
    return list(dict.fromkeys(problems))


def _attempt(name: str, check: Callable[[Any], Iterable[str]], subject: Connection | SqliteDatabase) -> list[str]:
    """A check that cannot be done is a problem too, not the end of the inspection."""
    try:
        return _shorten(list(check(subject)))
    except TaskPilotError as error:
        return [str(error)]
    except Exception as error:  # a damaged file has many ways to fail
        logger.debug("Checking %s failed", name, exc_info=True)
        return [f"Checking {name} failed: {error}."]


def _shorten(problems: list[str]) -> list[str]:
    more = len(problems) - MOST_SHOWN
    return problems if more <= 0 else [*problems[:MOST_SHOWN], f"And {more} more like the last."]


def _check_version(db: Connection) -> Iterator[str]:
    found, known = schema.version(db), schema.latest(db.dialect)
    if found == 0:
        yield "This is not a TaskPilot database: it has no schema."
    elif found < known:
        yield f"The database is at version {found} of {known}. Start TaskPilot once to bring it up to date."
    elif found > known:
        yield f"The database is at version {found}, newer than this TaskPilot knows ({known}). Update TaskPilot."


def _check_file(db: Connection) -> Iterator[str]:
    if db.dialect != "sqlite":
        return
    for row in db.all(f"PRAGMA integrity_check({MOST_SHOWN})"):
        if row["integrity_check"] != "ok":
            yield f"The file is damaged: {row['integrity_check']}."
    for row in db.all("PRAGMA foreign_key_check"):
        yield f"A row of {row['table']} points to a row of {row['parent']} that is missing."


def _check_search(database: SqliteDatabase) -> Iterator[str]:
    """The index against the tasks. SQLite takes the question for a write, so it is asked in one and rolled back."""
    try:
        with database.writing() as db:
            db.run("INSERT INTO task_search (task_search, rank) VALUES ('integrity-check', 1)")
            raise _Unchanged
    except _Unchanged:
        return
    except TaskPilotError:
        yield "The search index does not match the tasks."


class _Unchanged(Exception):
    pass


def _check_values(db: Connection) -> Iterator[str]:
    for column, allowed in _ALLOWED.items():
        for row in db.all(f"SELECT id, {column} AS value FROM task ORDER BY id"):
            if row["value"] not in allowed:
                yield f"Task {row['id']} has an unknown {column.replace('_', ' ')}: {row['value']!r}."
    for row in db.all("SELECT id FROM task WHERE status = 'done' AND completed_at IS NULL ORDER BY id"):
        yield f"Task {row['id']} is done, but not since when."


_ALLOWED: dict[str, set[str] | set[int]] = {
    "status": {item.value for item in Status},
    "reopens_as": {item.value for item in Status if item.open},
    "energy": {item.value for item in Energy},
    "priority": {item.value for item in Priority},
}


def _check_owners(db: Connection) -> Iterator[str]:
    """Nothing may lead from one user's tasks into another's."""
    for what, sql in _CROSSINGS.items():
        for row in db.all(sql):
            yield f"Task {row['id']} {what} {row['other']}, which belongs to somebody else."


_CROSSINGS = {
    "waits on task": """
        SELECT task.id, other.id AS other FROM task_blocker
          JOIN task ON task.id = task_blocker.task_id JOIN task AS other ON other.id = task_blocker.blocker_id
         WHERE other.owner_id <> task.owner_id ORDER BY 1, 2""",
    "has the tag": """
        SELECT task.id, other.name AS other FROM task_tag
          JOIN task ON task.id = task_tag.task_id JOIN tag AS other ON other.id = task_tag.tag_id
         WHERE other.owner_id <> task.owner_id ORDER BY 1, 2""",
    **{
        what: f"""
        SELECT task.id, other.id AS other FROM task JOIN {table} AS other ON other.id = task.{column}
         WHERE other.owner_id <> task.owner_id ORDER BY 1"""
        for what, table, column in (
            ("is part of task", "task", "parent_id"),
            ("follows task", "task", "follows_id"),
            ("is in project", "project", "project_id"),
            ("is in workspace", "workspace", "workspace_id"),
        )
    },
}


def _check_cycles(db: Connection) -> Iterator[str]:
    for circle in find_circles(db.stream("SELECT task_id, blocker_id FROM task_blocker ORDER BY 1, 2")):
        yield f"These tasks wait on each other in a circle: {', '.join(map(str, circle))}."
    for circle in find_circles(db.stream("SELECT id, parent_id FROM task WHERE parent_id IS NOT NULL ORDER BY 1")):
        yield f"These tasks are parts of each other in a circle: {', '.join(map(str, circle))}."


def find_circles(links: Iterable[tuple[Any, ...]]) -> Iterator[list[int]]:
    """Nodes that lead back to themselves, each in one circle at most, and not all of very many."""
    graph: dict[int, set[int]] = {}
    for node, following in links:
        graph.setdefault(node, set()).add(following)
    for _ in range(MOST_SHOWN):
        try:
            TopologicalSorter(graph).prepare()
            return
        except CycleError as error:
            circle: list[int] = error.args[1][1:]
            yield circle
            graph = {node: following.difference(circle) for node, following in graph.items() if node not in circle}


def _check_events(db: Connection) -> Iterator[str]:
    for noun in ("task", "project", "workspace"):
        for row in db.all(
            f"""
            SELECT min(event.id) AS id, subject_id FROM event LEFT JOIN {noun} ON {noun}.id = event.subject_id
             WHERE event.noun = '{noun}' AND {noun}.id IS NULL GROUP BY subject_id ORDER BY 1
            """
        ):
            yield f"Event {row['id']} tells of {noun} {row['subject_id']}, which is missing."


_CHECKS: dict[str, Callable[[Connection], Iterable[str]]] = {
    "the file": _check_file,
    "the values": _check_values,
    "the owners": _check_owners,
    "the links": _check_cycles,
    "the event log": _check_events,
}
