"""Tags in the database."""

from __future__ import annotations

from taskpilot.store.database import Connection


class Tags:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    def all(self) -> list[tuple[str, int]]:
        """Every tag in use with its number of open tasks, by name."""
        rows = self.db.all(
            """
            SELECT tag.name, count(*) AS open
              FROM tag JOIN task_tag ON task_tag.tag_id = tag.id JOIN task ON task.id = task_tag.task_id
             WHERE tag.owner_id = :owner AND task.open = 1
             GROUP BY tag.name ORDER BY tag.name
            """,
            owner=self.owner,
        )
        return [(row["name"], row["open"]) for row in rows]

    def task_ids(self, name: str) -> list[int]:
        """Tasks that carry the tag, not those in the bin."""
        rows = self.db.all(
            """
            SELECT task.id FROM task
              JOIN task_tag ON task_tag.task_id = task.id JOIN tag ON tag.id = task_tag.tag_id
             WHERE tag.owner_id = :owner AND tag.name = :name AND task.deleted_at IS NULL ORDER BY task.id
            """,
            owner=self.owner,
            name=name,
        )
        return [row["id"] for row in rows]
