"""Limits of work in progress in the database, and what is in progress now."""

from __future__ import annotations

from taskpilot.domain.wip import LimitKind, WipLimit
from taskpilot.store.database import Connection


class WipLimits:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    def all(self) -> list[WipLimit]:
        rows = self.db.all(
            "SELECT kind, name, most FROM wip_limit WHERE owner_id = :owner ORDER BY kind, name", owner=self.owner
        )
        return [WipLimit(LimitKind(row["kind"]), row["name"], row["most"]) for row in rows]

    def set(self, limit: WipLimit) -> None:
        """Nothing is a limit of 0: it is taken away."""
        self.db.run(
            "DELETE FROM wip_limit WHERE owner_id = :owner AND kind = :kind AND name = :name",
            owner=self.owner,
            kind=limit.kind.value,
            name=limit.name,
        )
        if limit.most:
            self.db.run(
                "INSERT INTO wip_limit (owner_id, kind, name, most) VALUES (:owner, :kind, :name, :most)",
                owner=self.owner,
                kind=limit.kind.value,
                name=limit.name,
                most=limit.most,
            )

    def count_project(self, project_id: int) -> int:
        """Tasks in progress there."""
        return self._count("project_id = :value", project_id)

    def count_workspace(self, workspace_id: int) -> int:
        return self._count("workspace_id = :value", workspace_id)

    def _count(self, condition: str, value: int) -> int:
        row = self.db.one(
            f"""
            SELECT count(*) AS number FROM task
             WHERE owner_id = :owner AND open = 1 AND status = 'in_progress' AND {condition}
            """,
            owner=self.owner,
            value=value,
        )
        return row["number"] if row else 0
