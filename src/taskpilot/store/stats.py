"""Counts of tasks."""

from __future__ import annotations

from taskpilot.domain.days import Grain, begin_of
from taskpilot.store.database import Connection

GRAINS: dict[Grain, str] = {
    "day": "substr({0}, 1, 10)",
    "hour": "substr({0}, 1, 13)",
    "quarter": "substr({0}, 1, 14) || (CAST(substr({0}, 15, 2) AS INTEGER) / 15)",
}


class Stats:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    def counts(self) -> list[tuple[str, int, str | None, int]]:
        """How many tasks there are of each status, priority and project name together."""
        rows = self.db.all(
            """
            SELECT counted.status, counted.priority, project.name AS project, counted.number
              FROM (SELECT status, priority, project_id, count(*) AS number FROM task
                     WHERE owner_id = :owner AND deleted_at IS NULL
                     GROUP BY status, priority, project_id) AS counted
              LEFT JOIN project ON project.id = counted.project_id
            """,
            owner=self.owner,
        )
        return [(row["status"], row["priority"], row["project"], row["number"]) for row in rows]

    def overdue(self, now: str, today: str) -> int:
        """Open tasks whose moment has passed or whose day has ended."""
        row = self.db.one(
            """
            SELECT count(*) AS number FROM task
             WHERE owner_id = :owner AND open = 1
               AND due_key < :now AND (due_key < :today OR length(due_key) > 10)
            """,
            owner=self.owner,
            today=today,
            now=now,
        )
        return row["number"] if row else 0

    def completions(self, since: str, grain: Grain) -> list[tuple[str, int]]:
        """How many tasks were completed from a moment on: when each stretch of time began (UTC), and its number."""
        rows = self.db.all(
            f"""
            SELECT {GRAINS[grain].format("completed_at")} AS began, count(*) AS number FROM task
             WHERE owner_id = :owner AND deleted_at IS NULL AND status = 'done' AND completed_at >= :since
             GROUP BY 1 ORDER BY 1
            """,
            owner=self.owner,
            since=since,
        )
        return [(begin_of(row["began"], grain), row["number"]) for row in rows]

    def creations(self, since: str, grain: Grain) -> list[tuple[str, int]]:
        """The same for when tasks were made."""
        rows = self.db.all(
            f"""
            SELECT {GRAINS[grain].format("created_at")} AS began, count(*) AS number FROM task
             WHERE owner_id = :owner AND deleted_at IS NULL AND created_at >= :since
             GROUP BY 1 ORDER BY 1
            """,
            owner=self.owner,
            since=since,
        )
        return [(begin_of(row["began"], grain), row["number"]) for row in rows]
