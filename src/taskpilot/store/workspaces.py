"""Workspaces in the database."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from taskpilot.domain.events import plain
from taskpilot.domain.moments import load_moment
from taskpilot.domain.workspace import Workspace, missing
from taskpilot.store.database import Connection, Row

FIELDS = tuple(item.name for item in fields(Workspace))
_MOMENTS = ("created_at", "updated_at", "deleted_at")


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

    def add(self, workspace: Workspace) -> Workspace:
        number = self.db.insert(
            """
            INSERT INTO workspace (owner_id, path, name, created_at, updated_at, version)
            VALUES (:owner, :path, :name, :created_at, :updated_at, :version)
            """,
            owner=self.owner,
            **{name: plain(getattr(workspace, name)) for name in FIELDS if name not in ("id", "owner", "deleted_at")},
        )
        return replace(workspace, id=number)


def revive(values: dict[str, Any]) -> dict[str, Any]:
    return {name: load_moment(value) if name in _MOMENTS else value for name, value in values.items()}


def _load(row: Row) -> Workspace:
    return Workspace(**revive({name: row["owner_id" if name == "owner" else name] for name in FIELDS}))
