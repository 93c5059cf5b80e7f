"""Workspaces in the database."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any

from taskpilot.domain.events import Event, plain
from taskpilot.domain.moments import load_moment
from taskpilot.domain.task import Priority, Status
from taskpilot.domain.workspace import Line, Workspace, missing
from taskpilot.store.database import Connection, Row
from taskpilot.store.events import load as load_event

FIELDS = tuple(item.name for item in fields(Workspace))
_MOMENTS = ("created_at", "updated_at", "initialised_at", "deleted_at")


class Workspaces:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    def get(self, workspace_id: int) -> Workspace:
        row = self.db.one(
            "SELECT * FROM workspace WHERE id = :id AND owner_id = :owner AND deleted_at IS NULL",
            id=workspace_id,
            owner=self.owner,
        )
        if row is None:
            raise missing(workspace_id)
        return _load(row)

    def find(self, path: str) -> Workspace | None:
        row = self.db.one(
            "SELECT * FROM workspace WHERE owner_id = :owner AND path = :path AND deleted_at IS NULL",
            owner=self.owner,
            path=path,
        )
        return _load(row) if row else None

    def all(self) -> list[tuple[Workspace, int]]:
        """Every workspace with its number of open tasks, latest used first."""
        rows = self.db.all(
            """
            SELECT workspace.*,
                   (SELECT count(*) FROM task WHERE task.workspace_id = workspace.id AND task.open = 1) AS open
              FROM workspace WHERE owner_id = :owner AND deleted_at IS NULL ORDER BY updated_at DESC, id DESC
            """,
            owner=self.owner,
        )
        return [(_load(row), row["open"]) for row in rows]

    def current(self) -> Workspace | None:
        """The one something happened in last."""
        row = self.db.one(
            """
            SELECT workspace.* FROM event JOIN workspace ON workspace.id = event.workspace_id
             WHERE event.owner_id = :owner AND event.workspace_id IS NOT NULL
               AND workspace.owner_id = :owner AND workspace.deleted_at IS NULL
             ORDER BY event.id DESC LIMIT 1
            """,
            owner=self.owner,
        )
        return _load(row) if row else None

    def counts(self, workspace_id: int) -> list[tuple[str, int, int]]:
        """How many tasks it has of each status and priority together."""
        rows = self.db.all(
            """
            SELECT status, priority, count(*) AS number FROM task
             WHERE workspace_id = :workspace AND owner_id = :owner AND deleted_at IS NULL
             GROUP BY status, priority
            """,
            workspace=workspace_id,
            owner=self.owner,
        )
        return [(row["status"], row["priority"], row["number"]) for row in rows]

    def open_lines(self, workspace_id: int, limit: int) -> list[Line]:
        """Its open tasks, highest priority first, then oldest."""
        rows = self.db.all(
            """
            SELECT id, title, status, priority FROM task
             WHERE workspace_id = :workspace AND owner_id = :owner AND open = 1
             ORDER BY priority_key, created_at, id LIMIT :limit
            """,
            workspace=workspace_id,
            owner=self.owner,
            limit=limit,
        )
        links = self.db.all(
            """
            SELECT task_id, blocker_id FROM task_blocker JOIN task ON task.id = task_blocker.task_id
             WHERE workspace_id = :workspace AND owner_id = :owner AND open = 1 ORDER BY blocker_id
            """,
            workspace=workspace_id,
            owner=self.owner,
        )
        blockers: dict[int, list[int]] = {}
        for link in links:
            blockers.setdefault(link["task_id"], []).append(link["blocker_id"])
        return [_line(row, blockers.get(row["id"], ())) for row in rows]

    def done_lines(self, workspace_id: int, limit: int) -> list[Line]:
        """Those of its tasks that were done last, latest first."""
        rows = self.db.all(
            """
            SELECT id, title, status, priority FROM task
             WHERE workspace_id = :workspace AND owner_id = :owner AND deleted_at IS NULL AND status = 'done'
             ORDER BY completed_at DESC, id DESC LIMIT :limit
            """,
            workspace=workspace_id,
            owner=self.owner,
            limit=limit,
        )
        return [_line(row) for row in rows]

    def files(self, workspace_id: int) -> list[tuple[int, tuple[str, ...]]]:
        """Its tasks that have files connected, each with their paths; dropped ones left out."""
        rows = self.db.all(
            """
            SELECT id, connected_files FROM task
             WHERE workspace_id = :workspace AND owner_id = :owner AND deleted_at IS NULL
               AND status <> 'dropped' AND connected_files <> '[]'
             ORDER BY id
            """,
            workspace=workspace_id,
            owner=self.owner,
        )
        return [(row["id"], tuple(json.loads(row["connected_files"]))) for row in rows]

    def events(self, workspace_id: int, limit: int) -> list[Event]:
        """What happened in it, latest first."""
        rows = self.db.all(
            """
            SELECT * FROM event WHERE owner_id = :owner AND workspace_id = :workspace ORDER BY id DESC LIMIT :limit
            """,
            owner=self.owner,
            workspace=workspace_id,
            limit=limit,
        )
        return [load_event(row) for row in rows]

    def add(self, workspace: Workspace) -> Workspace:
        names = [name for name in FIELDS if name not in ("id", "owner")]
        number = self.db.insert(
            f"INSERT INTO workspace (owner_id, {', '.join(names)}) "
            f"VALUES (:owner, {', '.join(':' + name for name in names)})",
            owner=self.owner,
            **{name: plain(getattr(workspace, name)) for name in names},
        )
        return replace(workspace, id=number)

    def save(self, workspace: Workspace) -> Workspace:
        names = [name for name in FIELDS if name not in ("id", "owner", "path", "created_at")]
        self.db.run(
            f"UPDATE workspace SET {', '.join(f'{name} = :{name}' for name in names)} "
            "WHERE id = :id AND owner_id = :owner",
            id=workspace.id,
            owner=self.owner,
            **{name: plain(getattr(workspace, name)) for name in names},
        )
        return workspace


def revive(values: dict[str, Any]) -> dict[str, Any]:
    return {name: load_moment(value) if name in _MOMENTS else value for name, value in values.items()}


def _line(row: Row, blocked_by: Iterable[int] = ()) -> Line:
    return Line(row["id"], row["title"], Status(row["status"]), Priority(row["priority"]), tuple(blocked_by))


def _load(row: Row) -> Workspace:
    return Workspace(**revive({name: row["owner_id" if name == "owner" else name] for name in FIELDS}))
