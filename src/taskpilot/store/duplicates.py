"""Open tasks whose titles say what another says."""

from __future__ import annotations

from taskpilot.store.database import Connection

LOOK_AT = 200
"""How many of a project's newest tasks a title is compared with."""
LONGER = 1.5
"""How much longer or shorter a title may be and still say the same."""


class Duplicates:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    def by_keys(self, keys: list[str]) -> dict[str, int]:
        """The oldest open task of each key."""
        rows = self.db.all(
            """
            SELECT title_key, min(id) AS id FROM task
             WHERE owner_id = :owner AND open = 1 AND title_key IN :keys
             GROUP BY title_key
            """,
            owner=self.owner,
            keys=keys,
        )
        return {row["title_key"]: row["id"] for row in rows}

    def near(self, project_id: int, key: str) -> list[tuple[int, str]]:
        """Of the newest open tasks of a project, those whose titles are about as long: their ids and keys."""
        rows = self.db.all(
            """
            SELECT id, title_key FROM (
                SELECT id, title_key FROM task
                 WHERE project_id = :project AND owner_id = :owner AND open = 1 AND project_id IS NOT NULL
                 ORDER BY id DESC LIMIT :limit
            ) AS newest WHERE length(title_key) BETWEEN :least AND :most ORDER BY id DESC
            """,
            owner=self.owner,
            project=project_id,
            least=int(len(key) / LONGER),
            most=int(len(key) * LONGER) + 1,
            limit=LOOK_AT,
        )
        return [(row["id"], row["title_key"]) for row in rows]
