"""Tags in the database. A row that is not kept counts only while a task that is not in the bin carries it."""

from __future__ import annotations

from dataclasses import replace

from taskpilot.domain.tag import Tag
from taskpilot.store.database import Connection, Row

_LIVE = """(SELECT 1 FROM task_tag JOIN task ON task.id = task_tag.task_id
             WHERE task_tag.tag_id = tag.id AND task.deleted_at IS NULL)"""


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

    def names(self) -> list[str]:
        """Every tag there is, by name; nothing is counted, which makes it quick."""
        rows = self.db.all(
            f"SELECT name FROM tag WHERE owner_id = :owner AND (kept = 1 OR EXISTS {_LIVE}) ORDER BY name",
            owner=self.owner,
        )
        return [row["name"] for row in rows]

    def known(self) -> list[tuple[Tag, int]]:
        """Every tag there is with its number of open tasks, by name."""
        rows = self.db.all(
            f"""
            SELECT tag.id, tag.owner_id, tag.name, tag.kept, coalesce(counted.open, 0) AS open
              FROM tag LEFT JOIN
                   (SELECT task_tag.tag_id, count(*) AS open
                      FROM task_tag JOIN task ON task.id = task_tag.task_id
                     WHERE task.owner_id = :owner AND task.open = 1 GROUP BY task_tag.tag_id) AS counted
                   ON counted.tag_id = tag.id
             WHERE tag.owner_id = :owner AND (tag.kept = 1 OR counted.open > 0 OR EXISTS {_LIVE})
             ORDER BY tag.name
            """,
            owner=self.owner,
        )
        return [(_load(row), row["open"]) for row in rows]

    def find(self, which: str | int) -> Tag | None:
        """By its name or its number, if there is one."""
        column = "id" if isinstance(which, int) else "name"
        row = self.db.one(
            f"SELECT * FROM tag WHERE owner_id = :owner AND {column} = :which AND (kept = 1 OR EXISTS {_LIVE})",
            owner=self.owner,
            which=which,
        )
        return _load(row) if row else None

    def count_open(self, tag_id: int) -> int:
        row = self.db.one(
            """
            SELECT count(*) AS number FROM task_tag JOIN task ON task.id = task_tag.task_id
             WHERE task_tag.tag_id = :id AND task.owner_id = :owner AND task.open = 1
            """,
            id=tag_id,
            owner=self.owner,
        )
        return row["number"] if row else 0

    def task_ids(self, tag_id: int) -> list[int]:
        """Tasks that carry the tag, not those in the bin."""
        rows = self.db.all(
            """
            SELECT task.id FROM task JOIN task_tag ON task_tag.task_id = task.id
             WHERE task_tag.tag_id = :id AND task.owner_id = :owner AND task.deleted_at IS NULL ORDER BY task.id
            """,
            id=tag_id,
            owner=self.owner,
        )
        return [row["id"] for row in rows]

    def keep(self, name: str) -> Tag:
        """A tag that stays without tasks. Only binned tasks may have had the name until now."""
        self.db.run(
            """
            INSERT INTO tag (owner_id, name, kept) VALUES (:owner, :name, 1)
            ON CONFLICT (owner_id, name) DO UPDATE SET kept = 1
            """,
            owner=self.owner,
            name=name,
        )
        found = self.find(name)
        assert found is not None
        return found

    def release(self, tag: Tag) -> Tag:
        """Let a tag go: from now on it is there only if a task carries it."""
        self.db.run("UPDATE tag SET kept = 0 WHERE id = :id AND owner_id = :owner", id=tag.id, owner=self.owner)
        return replace(tag, kept=False)

    def rename(self, tag: Tag, name: str) -> Tag:
        """Another name for the same row, which no tag in sight has. Tasks in the bin follow.

        It comes off every other task: they are given the new name one by one, each with its own event.
        """
        self.db.run(
            """
            UPDATE task_tag SET tag_id = :id
             WHERE tag_id = (SELECT id FROM tag WHERE owner_id = :owner AND name = :name)
               AND task_id NOT IN (SELECT task_id FROM task_tag WHERE tag_id = :id)
            """,
            id=tag.id,
            owner=self.owner,
            name=name,
        )
        self.db.run(
            "DELETE FROM task_tag WHERE tag_id = (SELECT id FROM tag WHERE owner_id = :owner AND name = :name)",
            owner=self.owner,
            name=name,
        )
        self.db.run("DELETE FROM tag WHERE owner_id = :owner AND name = :name", owner=self.owner, name=name)
        self.db.run(
            "UPDATE tag SET name = :name WHERE id = :id AND owner_id = :owner",
            name=name,
            id=tag.id,
            owner=self.owner,
        )
        self.db.run(
            """
            DELETE FROM task_tag
             WHERE tag_id = :id AND EXISTS (SELECT 1 FROM task WHERE task.id = task_tag.task_id
                                               AND task.owner_id = :owner AND task.deleted_at IS NULL)
            """,
            id=tag.id,
            owner=self.owner,
        )
        return replace(tag, name=name)


def _load(row: Row) -> Tag:
    return Tag(id=row["id"], owner=row["owner_id"], name=row["name"], kept=bool(row["kept"]))
