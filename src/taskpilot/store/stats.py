"""Counts of tasks."""

from __future__ import annotations

from taskpilot.store.database import Connection


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

    def completed_by_day(self, since: str) -> list[tuple[str, int]]:
        """Days in UTC with their number of completed tasks, from a day on, oldest first."""
        rows = self.db.all(
            """
            SELECT substr(completed_at, 1, 10) AS day, count(*) AS number FROM task
             WHERE owner_id = :owner AND deleted_at IS NULL AND status = 'done' AND completed_at >= :since
             GROUP BY substr(completed_at, 1, 10) ORDER BY 1
            """,
            owner=self.owner,
            since=since,
        )
        return [(row["day"], row["number"]) for row in rows]
