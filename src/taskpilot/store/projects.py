"""Projects in the database."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from taskpilot.domain.events import plain
from taskpilot.domain.moments import load_moment
from taskpilot.domain.project import Project, missing
from taskpilot.store.database import Connection, Row

FIELDS = tuple(item.name for item in fields(Project))
_MOMENTS = ("created_at", "updated_at", "deleted_at")


class Projects:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    def get(self, project_id: int, *, deleted: bool = False) -> Project:
        row = self.db.one("SELECT * FROM project WHERE id = :id AND owner_id = :owner", id=project_id, owner=self.owner)
        if row is None or (row["deleted_at"] is not None and not deleted):
            raise missing(project_id)
        return _load(row)

    def find(self, name: str) -> Project | None:
        row = self.db.one(
            "SELECT * FROM project WHERE owner_id = :owner AND name = :name AND deleted_at IS NULL",
            owner=self.owner,
            name=name,
        )
        return _load(row) if row else None

    def all(self) -> list[tuple[Project, int]]:
        """Every project with its number of open tasks, by name."""
        rows = self.db.all(
            """
            SELECT project.*, (SELECT count(*) FROM task WHERE task.project_id = project.id AND task.open = 1) AS open
              FROM project WHERE owner_id = :owner AND deleted_at IS NULL ORDER BY name
            """,
            owner=self.owner,
        )
        return [(_load(row), row["open"]) for row in rows]

    def add(self, project: Project) -> Project:
        number = self.db.insert(
            """
            INSERT INTO project (owner_id, name, colour, description, created_at, updated_at, version)
            VALUES (:owner, :name, :colour, :description, :created_at, :updated_at, :version)
            """,
            owner=self.owner,
            **{name: plain(getattr(project, name)) for name in FIELDS if name not in ("id", "owner", "deleted_at")},
        )
        return replace(project, id=number)

    def save(self, project: Project) -> Project:
        self.db.run(
            """
            UPDATE project SET name = :name, colour = :colour, description = :description,
                   updated_at = :updated_at, deleted_at = :deleted_at, version = :version
             WHERE id = :id AND owner_id = :owner
            """,
            **{name: plain(getattr(project, name)) for name in FIELDS if name not in ("owner", "created_at")},
            owner=self.owner,
        )
        return project

    def count_open(self, project_id: int) -> int:
        row = self.db.one(
            "SELECT count(*) AS number FROM task WHERE project_id = :id AND open = 1 AND owner_id = :owner",
            id=project_id,
            owner=self.owner,
        )
        return row["number"] if row else 0

    def task_ids(self, project_id: int) -> list[int]:
        """Its tasks, open or closed, not those in the bin."""
        rows = self.db.all(
            "SELECT id FROM task WHERE project_id = :id AND owner_id = :owner AND deleted_at IS NULL ORDER BY id",
            id=project_id,
            owner=self.owner,
        )
        return [row["id"] for row in rows]


def revive(values: dict[str, Any]) -> dict[str, Any]:
    return {name: load_moment(value) if name in _MOMENTS else value for name, value in values.items()}


def _load(row: Row) -> Project:
    return Project(**revive({name: row["owner_id" if name == "owner" else name] for name in FIELDS}))
