"""Limits of work in progress in the database, and what is in progress now."""

from __future__ import annotations

from datetime import datetime

from taskpilot.domain.moments import stamp
from taskpilot.domain.wip import LimitKind, WipLimit
from taskpilot.store.database import Connection, Row


class WipLimits:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    def all(self) -> list[WipLimit]:
        """Under the names of today. That of a deleted project is none, and counts again when the project is back."""
        rows = self.db.all(
            """
            SELECT kind, place_id, most, coalesce(project.name, wip_limit.name) AS name
              FROM wip_limit LEFT JOIN project
                ON kind = 'project' AND project.id = place_id AND project.owner_id = wip_limit.owner_id
             WHERE wip_limit.owner_id = :owner AND (kind <> 'project' OR project.deleted_at IS NULL)
             ORDER BY kind, 4, place_id
            """,
            owner=self.owner,
        )
        return [_load(row) for row in rows]

    def set(self, limit: WipLimit) -> None:
        """Nothing is a limit of 0: it is taken away."""
        key = {"owner": self.owner, "kind": limit.kind.value, "place": limit.place}
        key["name"] = "" if limit.place else limit.name
        self.db.run(
            "DELETE FROM wip_limit WHERE owner_id = :owner AND kind = :kind AND place_id = :place AND name = :name",
            **key,
        )
        if limit.most:
            self.db.run(
                """
                INSERT INTO wip_limit (owner_id, kind, place_id, name, most)
                VALUES (:owner, :kind, :place, :name, :most)
                """,
                **key,
                most=limit.most,
            )

    def count_project(self, project_id: int, now: datetime) -> int:
        """Tasks in progress there; not those whose leases have run out, which will return."""
        return self._count("project_id = :value", project_id, now)

    def count_workspace(self, workspace_id: int, now: datetime) -> int:
        return self._count("workspace_id = :value", workspace_id, now)

    def _count(self, condition: str, value: int, now: datetime) -> int:
        row = self.db.one(
            f"""
            SELECT count(*) AS number FROM task
             WHERE owner_id = :owner AND open = 1 AND status = 'in_progress' AND {condition}
               AND NOT EXISTS (SELECT 1 FROM claim
                                WHERE claim.task_id = task.id AND claim.ended_at IS NULL AND claim.lease_until <= :now)
            """,
            owner=self.owner,
            value=value,
            now=stamp(now),
        )
        return row["number"] if row else 0


def _load(row: Row) -> WipLimit:
    kind, place = LimitKind(row["kind"]), row["place_id"]
    return WipLimit(kind, str(place) if kind is LimitKind.WORKSPACE else row["name"], row["most"], place)
