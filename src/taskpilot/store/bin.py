"""Deleted tasks in the database."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from taskpilot.domain.moments import stamp
from taskpilot.domain.selection import Page, foreign, read_cursor, write_cursor
from taskpilot.domain.task import ID_MOST, Task
from taskpilot.store.database import Connection
from taskpilot.store.tasks import Tasks

ORDER = "bin"

REFERRED = """
    EXISTS (SELECT 1 FROM run WHERE run.task_id = task.id)
 OR EXISTS (SELECT 1 FROM run_log WHERE run_log.task_id = task.id)
 OR EXISTS (SELECT 1 FROM remote_link WHERE remote_link.task_id = task.id)
 OR EXISTS (SELECT 1 FROM task AS other WHERE other.parent_id = task.id OR other.follows_id = task.id)
"""
"""What somebody still needs stays: the runs of a task, its twin in a tracker, its subtasks."""

_GONE = (
    ("task_tag", "task_id"),
    ("task_blocker", "task_id"),
    ("task_blocker", "blocker_id"),
    ("claim", "task_id"),
    ("task", "id"),
)
_MOMENT = re.compile(r"[0-9T:.Z-]{1,40}")


class Bin:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    def page(self, limit: int, cursor: str | None) -> Page[Task]:
        past, params = "", {}
        if cursor:
            past, params = "AND (deleted_at, id) < (:at, :number)", _read(cursor)
        rows = self.db.all(
            f"""
            SELECT id, deleted_at FROM task WHERE owner_id = :owner AND deleted_at IS NOT NULL {past}
             ORDER BY deleted_at DESC, id DESC LIMIT :limit
            """,
            owner=self.owner,
            limit=limit + 1,
            **params,
        )
        tasks = Tasks(self.db, self.owner)
        shown = [tasks.get(row["id"], deleted=True) for row in rows[:limit]]
        last = rows[limit - 1] if len(rows) > limit else None
        return Page(tuple(shown), write_cursor(ORDER, [last["deleted_at"], last["id"]]) if last else None)

    def deleted_with(self, top: Task) -> list[int]:
        """The task itself, then those below it that went at the same moment."""
        assert top.deleted_at is not None
        found, level = [top.id], [top.id]
        while level:
            rows = self.db.all(
                "SELECT id FROM task WHERE parent_id IN :ids AND owner_id = :owner AND deleted_at = :at ORDER BY id",
                ids=level,
                owner=self.owner,
                at=stamp(top.deleted_at),
            )
            level = [row["id"] for row in rows]
            found += level
        return found

    def purge(self, before: datetime, limit: int) -> int:
        """Remove everybody's that were deleted earlier, at most so many: whoever deleted them had a month."""
        rows = self.db.all(
            f"""
            SELECT id FROM task WHERE deleted_at IS NOT NULL AND deleted_at < :before AND NOT ({REFERRED})
             ORDER BY deleted_at LIMIT :limit
            """,
            before=stamp(before),
            limit=limit,
        )
        ids = [row["id"] for row in rows]
        if ids:
            for table, column in _GONE:
                self.db.run(f"DELETE FROM {table} WHERE {column} IN :ids", ids=ids)
        return len(ids)


def _read(cursor: str) -> dict[str, Any]:
    at, number = read_cursor(cursor, ORDER, 2)
    if not isinstance(at, str) or not isinstance(number, int) or abs(number) > ID_MOST or not _MOMENT.fullmatch(at):
        raise foreign()
    return {"at": at, "number": number}
