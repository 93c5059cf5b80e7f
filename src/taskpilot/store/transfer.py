"""All rows of one user, for a document; and the links between many new tasks at once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from enum import Enum
from functools import cache
from typing import Any

from taskpilot.domain.events import Event, plain, snapshot
from taskpilot.domain.moments import stamp, stored
from taskpilot.domain.project import Project
from taskpilot.domain.rule import Rule
from taskpilot.domain.selection import Selection, Sort
from taskpilot.domain.session import Session
from taskpilot.domain.similarity import make_key
from taskpilot.domain.task import ID_MOST, Task
from taskpilot.domain.workspace import Workspace
from taskpilot.store.database import Connection, Row
from taskpilot.store.projects import FIELDS as PROJECT_FIELDS
from taskpilot.store.projects import revive as revive_project
from taskpilot.store.rules import FIELDS as RULE_FIELDS
from taskpilot.store.rules import revive as revive_rule
from taskpilot.store.sessions import Sessions
from taskpilot.store.tasks import AS_JSON, COLUMN, NEW, Tasks
from taskpilot.store.workspaces import FIELDS as WORKSPACE_FIELDS
from taskpilot.store.workspaces import revive as revive_workspace

PAGE = 1_000
AT_ONCE = 100
INDEX = """
    INSERT INTO task_search (rowid, title, description, notes)
    SELECT id, title, description, notes FROM task WHERE id IN :ids ORDER BY id
"""
EVENT_COLUMNS = (
    "change_id",
    "at",
    "owner_id",
    "actor",
    "door",
    "noun",
    "kind",
    "subject_id",
    "after_fields",
    "reason",
    "workspace_id",
    "address",
    "tool",
    "origin",
)
_LINKS = ("id", "parent", "follows")
_COLUMN = {"owner": "owner_id", "workspace": "workspace_id"}
_HIDDEN = {"owner_id", "secrets", "leased_by", "leased_until", "worker", "lease_until"}
"""Whose it is goes without saying; the rest is sealed, or only of use to this server."""
_JSON = {"before_fields", "after_fields", "config", "result", "files_changed", "commands", "data", "handoff"} | {
    "context",
    "pending",
    "calls",
    "usage",
}


class Transfer:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    def projects(self, *, deleted: bool = False) -> list[Project]:
        return [Project(**revive_project(row)) for row in self._things("project", PROJECT_FIELDS, deleted)]

    def workspaces(self, *, deleted: bool = False) -> list[Workspace]:
        return [Workspace(**revive_workspace(row)) for row in self._things("workspace", WORKSPACE_FIELDS, deleted)]

    def rules(self, *, deleted: bool = False) -> list[Rule]:
        return [Rule(**revive_rule(row)) for row in self._things("rule", RULE_FIELDS, deleted)]

    def sessions(self) -> list[Session]:
        rows = self.db.all("SELECT id FROM work_session WHERE owner_id = :owner ORDER BY id", owner=self.owner)
        found = (Sessions(self.db, self.owner).find(row["id"]) for row in rows)
        return [session for session in found if session is not None]

    def kept_tags(self) -> list[str]:
        """Those that were made by themselves; the others are on their tasks."""
        rows = self.db.all("SELECT name FROM tag WHERE owner_id = :owner AND kept = 1 ORDER BY name", owner=self.owner)
        return [row["name"] for row in rows]

    def tasks(self) -> Iterator[Task]:
        """Oldest first, a page at a time; not those in the bin."""
        cursor: str | None = None
        while True:
            page = Tasks(self.db, self.owner).page(Selection(closed=True), Sort.OLDEST, PAGE, cursor)
            yield from page.items
            cursor = page.cursor
            if cursor is None:
                return

    def binned_tasks(self) -> list[Task]:
        where = ["task.owner_id = :owner", "task.deleted_at IS NOT NULL"]
        return Tasks(self.db, self.owner).fetch(where, {"owner": self.owner}, Sort.OLDEST, ID_MOST)

    def ids(self, table: str) -> set[int]:
        """Of what is not in the bin."""
        rows = self.db.all(f"SELECT id FROM {table} WHERE owner_id = :owner AND deleted_at IS NULL", owner=self.owner)
        return {row["id"] for row in rows}

    def events(self) -> Iterator[Row]:
        return self._pages("event", ("id",))

    def run_log(self) -> Iterator[Row]:
        return self._pages("run_log", ("at", "id"))

    def runs(self) -> Iterator[Row]:
        return self._pages("run", ("id",))

    def claims(self) -> Iterator[Row]:
        return self._pages("claim", ("id",))

    def limits(self) -> Iterator[Row]:
        return self._pages("wip_limit", ("kind", "place_id", "name"))

    def conversations(self) -> Iterator[Row]:
        return self._pages("conversation", ("id",))

    def messages(self) -> Iterator[Row]:
        return self._pages("message", ("id",))

    def remotes(self) -> Iterator[Row]:
        return self._pages("remote", ("id",))

    def add_session(self, session: Session) -> Session:
        """With its end: only one in a workspace may be without."""
        number = self.db.insert(
            """
            INSERT INTO work_session (owner_id, workspace_id, started_at, ended_at)
            VALUES (:owner, :workspace, :started_at, :ended_at)
            """,
            owner=self.owner,
            workspace=session.workspace,
            started_at=plain(session.started_at),
            ended_at=plain(session.ended_at),
        )
        return replace(session, id=number)

    def add_tasks(self, tasks: Sequence[Task]) -> list[int]:
        """New tasks without what leads from one to another; their ids, in the same order.

        Many rows a statement: over a network, the way there and back is most of the time.
        """
        ids: list[int] = []
        for start in range(0, len(tasks), AT_ONCE):
            batch = tasks[start : start + AT_ONCE]
            values = {f"v{row}_{name}": value for row, task in enumerate(batch) for name, value in self._dump(task)}
            # Nobody else writes meanwhile, so that ids rise in the order of the rows.
            ids += sorted(row["id"] for row in self.db.all(_insert(len(batch)), **values))
        if self.db.dialect == "sqlite":
            self.db.run(INDEX, ids=ids)
        return ids

    def link(self, tasks: Sequence[Task]) -> None:
        """Write where these tasks, which are all there by now, lead: to each other and to their tags."""
        bound = [task for task in tasks if task.parent is not None or task.follows is not None]
        for start in range(0, len(bound), AT_ONCE):
            batch = bound[start : start + AT_ONCE]
            values = {f"{name}{row}": getattr(task, name) for row, task in enumerate(batch) for name in _LINKS}
            self.db.run(_update(len(batch)), owner=self.owner, **values)
        self._load("task_blocker", "blocker_id", [(task.id, number) for task in tasks for number in task.blocked_by])
        names = sorted({name for task in tasks for name in task.tags})
        for name in names:
            self.db.run(
                "INSERT INTO tag (owner_id, name) VALUES (:owner, :name) ON CONFLICT DO NOTHING",
                owner=self.owner,
                name=name,
            )
        rows = self.db.all(
            "SELECT id, name FROM tag WHERE owner_id = :owner AND name IN :names", owner=self.owner, names=names
        )
        tags = {row["name"]: row["id"] for row in rows}
        self._load("task_tag", "tag_id", [(task.id, tags[name]) for task in tasks for name in task.tags])

    def record(self, first: Event, things: Sequence[Any]) -> None:
        """More events like the first of a change: it told of one new thing, these tell of more."""
        rows = [
            (
                first.change,
                stamp(first.at),
                self.owner,
                first.actor,
                first.door,
                first.noun,
                first.kind,
                thing.id,
                json.dumps(snapshot(thing), ensure_ascii=False, separators=(",", ":")),
                first.reason,
                thing.workspace,
                first.address,
                first.tool,
                first.origin,
            )
            for thing in things
        ]
        self.db.load("event", EVENT_COLUMNS, rows)

    def _dump(self, task: Task) -> Iterator[tuple[str, Any]]:
        for name in NEW:
            value = self.owner if name == "owner" else getattr(task, name)
            if name in ("parent", "follows"):
                value = None
            elif name in AS_JSON:
                value = json.dumps(plain(value), ensure_ascii=False)
            elif isinstance(value, date):
                value = stored(value)
            yield name, value.value if isinstance(value, Enum) else value
        yield "title_key", make_key(task.title)

    def _load(self, table: str, column: str, rows: list[tuple[int, int]]) -> None:
        if rows:
            self.db.load(table, ("task_id", column), rows)

    def _things(self, table: str, names: tuple[str, ...], deleted: bool) -> Iterator[dict[str, Any]]:
        rows = self.db.all(
            f"SELECT * FROM {table} WHERE owner_id = :owner AND deleted_at IS {'NOT ' if deleted else ''}NULL"
            " ORDER BY id",
            owner=self.owner,
        )
        for row in rows:
            yield {name: row[_COLUMN.get(name, name)] for name in names}

    def _pages(self, table: str, keys: tuple[str, ...]) -> Iterator[Row]:
        """Every row that is the user's, as it is but for what nobody else can use."""
        place: dict[str, Any] = {}
        while True:
            past = f"AND ({', '.join(keys)}) > ({', '.join(':' + key for key in keys)})" if place else ""
            rows = self.db.all(
                f"SELECT * FROM {table} WHERE owner_id = :owner {past} ORDER BY {', '.join(keys)} LIMIT :limit",
                owner=self.owner,
                limit=PAGE,
                **place,
            )
            for row in rows:
                yield {name: _read(name, value) for name, value in row.items() if name not in _HIDDEN}
            if len(rows) < PAGE:
                return
            place = {key: rows[-1][key] for key in keys}


@cache
def _insert(rows: int) -> str:
    names = (*NEW, "title_key")
    columns = ", ".join(COLUMN.get(name, name) for name in names)
    values = (f"({', '.join(f':v{row}_{name}' for name in names)})" for row in range(rows))
    return f"INSERT INTO task ({columns}) VALUES {', '.join(values)} RETURNING id"


@cache
def _update(rows: int) -> str:
    values = (f"({', '.join(f'CAST(:{name}{row} AS BIGINT)' for name in _LINKS)})" for row in range(rows))
    return f"""
        UPDATE task SET parent_id = links.column2, follows_id = links.column3
          FROM (VALUES {", ".join(values)}) AS links
         WHERE task.id = links.column1 AND task.owner_id = :owner
        """


def _read(name: str, value: Any) -> Any:
    return json.loads(value) if name in _JSON and value else value
