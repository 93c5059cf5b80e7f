"""Is the store sound? Looks at everything and changes nothing."""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Callable, Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from typing import Any

from taskpilot.domain.claim import Ending
from taskpilot.domain.conversation import Role
from taskpilot.domain.errors import TaskPilotError
from taskpilot.domain.login import LoginKind
from taskpilot.domain.question import Asking
from taskpilot.domain.run import Agent, State
from taskpilot.domain.scopes import Scope
from taskpilot.domain.system import SYSTEMS
from taskpilot.domain.task import Energy, Priority, Status
from taskpilot.store import schema
from taskpilot.store.database import Connection, Database
from taskpilot.store.erasure import ERASED
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
    for row in db.all("SELECT id, rank FROM task WHERE rank IS NOT NULL ORDER BY id"):
        if not isinstance(row["rank"], float) or not math.isfinite(row["rank"]):
            yield f"Task {row['id']} has a rank that is no number: {row['rank']!r}."
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


def _check_strangers(db: Connection) -> Iterator[str]:
    """The same, for everything else: nothing may lead from one user's things into another's."""
    for what, sql in _ASTRAY.items():
        for row in db.all(sql):
            yield f"{what.format(**row)}, which belongs to somebody else."


def _lead(table: str, column: str, target: str, told: str) -> tuple[str, str]:
    sql = f"""
        SELECT {table}.id, other.id AS other FROM {table} JOIN {target} AS other ON other.id = {table}.{column}
         WHERE other.owner_id <> {table}.owner_id ORDER BY 1"""
    return told, sql


_ASTRAY = dict(
    (
        _lead("rule", "workspace_id", "workspace", "Rule {id} is of workspace {other}"),
        _lead("work_session", "workspace_id", "workspace", "Session {id} is in workspace {other}"),
        _lead("remote", "workspace_id", "workspace", "Remote {id} is of workspace {other}"),
        _lead("run", "task_id", "task", "Run {id} is of task {other}"),
        _lead("run", "workspace_id", "workspace", "Run {id} is in workspace {other}"),
        _lead("run_log", "task_id", "task", "Entry {id} of a log is of task {other}"),
        _lead("run_log", "run_id", "run", "Entry {id} of a log is of run {other}"),
        _lead("claim", "task_id", "task", "Claim {id} is on task {other}"),
        _lead("question", "run_id", "run", "Question {id} is of run {other}"),
        _lead("message", "conversation_id", "conversation", "Message {id} is of conversation {other}"),
        _lead("evidence", "task_id", "task", "Evidence {id} is of task {other}"),
        _lead("evidence", "run_id", "run", "Evidence {id} is of run {other}"),
        _lead("access_token", "run_id", "run", "Token {id} is of run {other}"),
        _lead("oauth_request", "login_id", "login", "A request of an OAuth client led to login {other}"),
        (
            "Remote {id} is linked to task {other}",
            """
        SELECT remote.id, task.id AS other FROM remote_link
          JOIN remote ON remote.id = remote_link.remote_id JOIN task ON task.id = remote_link.task_id
         WHERE remote.owner_id <> task.owner_id ORDER BY 1, 2""",
        ),
        (
            "Entry {id} of the log of run {other} tells of another task",
            """
        SELECT run_log.id, run.id AS other FROM run_log JOIN run ON run.id = run_log.run_id
         WHERE run.task_id <> run_log.task_id ORDER BY 1""",
        ),
    )
)


def _check_people(db: Connection) -> Iterator[str]:
    """Everything belongs to somebody who is there, and nobody who is gone has left anything."""
    for table in OWNED:
        told = " AND NOT (kind = 'user.deleted' AND subject_id = owner_id)" if table == "event" else ""
        for row in db.all(
            f"""
            SELECT owner_id, count(*) AS number, max(gone) AS gone
              FROM {table} LEFT JOIN (SELECT id AS person, deleted_at AS gone FROM user_account) AS known
                ON person = owner_id
             WHERE owner_id IS NOT NULL AND (person IS NULL OR gone IS NOT NULL){told}
             GROUP BY owner_id ORDER BY owner_id
            """
        ):
            why = "was deleted" if row["gone"] else "is missing"
            yield f"Rows of {table} belong to user {row['owner_id']}, who {why}: {row['number']}."
    for row in db.all("SELECT * FROM user_account ORDER BY id"):
        if row["deleted_at"] is not None and (row["email"] or row["name"] or row["password"]):
            yield f"User {row['id']} was deleted, but it can be seen who that was."
        if row["email"] is not None and row["email"] != row["email"].lower():
            yield f"User {row['id']} has an email that is not in lower case: nobody can sign in with it."
    if db.one("SELECT id FROM user_account WHERE id = 1") is None:
        yield "The local user is missing."
    for table in ("login", "access_token"):
        for row in db.all(f"SELECT id, scopes FROM {table} ORDER BY id"):
            unknown = set(row["scopes"].split()) - set(Scope)
            if unknown:
                yield f"{_NAMES[table]} {row['id']} has an unknown scope: {min(unknown)!r}."


_NAMES = {
    "login": "Login",
    "access_token": "Token",
    "user_account": "User",
    "run": "Run",
    "remote": "Remote",
    "claim": "Claim",
    "question": "Question",
    "conversation": "Conversation",
    "message": "Message",
}
OWNED = tuple(table for table, rows in ERASED.items() if rows.lstrip("(").startswith("owner_id"))


def _check_stored(db: Connection) -> Iterator[str]:
    """Words and JSON that the product would stumble over."""
    for table, column, allowed in _WORDS:
        for row in db.all(f"SELECT id, {column} AS value FROM {table} ORDER BY id"):
            if row["value"] not in allowed:
                yield f"{_NAMES[table]} {row['id']} has an unknown {column}: {row['value']!r}."
    for table, column in _JSON:
        for row in db.all(f"SELECT id, {column} AS value FROM {table} WHERE {column} <> '' ORDER BY id"):
            try:
                json.loads(row["value"])
            except ValueError:
                yield f"{_NAMES[table]} {row['id']} has a {column} that cannot be read."


_WORDS: tuple[tuple[str, str, set[str] | set[str | None]], ...] = (
    ("claim", "ending", {None, *(item.value for item in Ending)}),
    ("run", "state", {item.value for item in State}),
    ("run", "agent", {item.value for item in Agent}),
    ("question", "asking", {item.value for item in Asking}),
    ("message", "role", {item.value for item in Role}),
    ("remote", "system", set(SYSTEMS)),
    ("login", "kind", {item.value for item in LoginKind}),
)
_JSON = (
    ("claim", "handoff"),
    ("run", "config"),
    ("run", "result"),
    ("run", "files_changed"),
    ("run", "commands"),
    ("question", "options"),
    ("question", "data"),
    ("conversation", "context"),
    ("conversation", "pending"),
    ("message", "calls"),
    ("message", "usage"),
    ("remote", "config"),
    ("user_account", "settings"),
)


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
    for noun, table in _TOLD.items():
        purged = _PURGED if noun == "task" else ""
        for row in db.all(
            f"""
            SELECT min(event.id) AS id, subject_id FROM event LEFT JOIN {table} ON {table}.id = event.subject_id
             WHERE event.noun = '{noun}' AND {table}.id IS NULL {purged} GROUP BY subject_id ORDER BY 1
            """
        ):
            yield f"Event {row['id']} tells of {noun} {row['subject_id']}, which is missing."


_TOLD = {
    "task": "task",
    "project": "project",
    "workspace": "workspace",
    "rule": "rule",
    "session": "work_session",
    "run": "run",
    "remote": "remote",
    "user": "user_account",
    "login": "login",
    "token": "access_token",
    "invitation": "invitation",
}
"""Noun → its table. Tags come and go with their tasks."""
_PURGED = """
               AND NOT EXISTS (SELECT 1 FROM event AS gone WHERE gone.noun = 'task'
                                  AND gone.subject_id = event.subject_id AND gone.after_fields LIKE '%"deleted_at":%')
"""
"""What was deleted may have left the bin for good since."""

_CHECKS: dict[str, Callable[[Connection], Iterable[str]]] = {
    "the file": _check_file,
    "the values": _check_values,
    "the owners": _check_owners,
    "what belongs to whom": _check_strangers,
    "the people": _check_people,
    "what is stored": _check_stored,
    "the links": _check_cycles,
    "the event log": _check_events,
}
