"""What a board shows, read in few statements: of many tasks at once, and only the columns that it needs."""

from __future__ import annotations

from typing import Any

from taskpilot.domain import card
from taskpilot.domain.card import Card
from taskpilot.store.database import Connection, Dialect

_COUNTED: dict[Dialect, str] = {
    "sqlite": "json_array_length(connected_files)",
    "postgres": "json_array_length(CAST(connected_files AS json))",
}
# Empty is NULL, and a moment is told to the second: the database is quicker at it than we are, row by row.
_READ = {
    "state": "status",
    "estimate": "time_estimate",
    "every": "nullif(recurrence, '')",
    "files": "CASE WHEN connected_files <> '[]' THEN {counted} END",
    "described": "description <> '' OR notes <> ''",
    "accept": "acceptance <> '[]'",
    "created": "substr(created_at, 1, 19) || 'Z'",
    "updated": "substr(updated_at, 1, 19) || 'Z'",
    "done": "substr(completed_at, 1, 19) || 'Z'",
    "due": "CASE WHEN length(due_date) = 10 THEN due_date ELSE substr(due_date, 1, 19) || 'Z' END",
    "start": "CASE WHEN length(scheduled_start) = 10 THEN scheduled_start"
    " ELSE substr(scheduled_start, 1, 19) || 'Z' END",
}
ID = card.COLUMNS.index("id")
_LIST = ", ".join(_READ.get(name, name) for name in card.COLUMNS)
SELECT = {dialect: f"SELECT {_LIST.format(counted=counted)} FROM task" for dialect, counted in _COUNTED.items()}


class Board:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner
        self._select = SELECT[db.dialect]

    def cards(self, limit: int, workspace: int | None) -> list[Card]:
        """Open tasks, the most important and the oldest first, then done ones, newest first: so many in all."""
        there = "" if workspace is None else "AND workspace_id = :workspace"
        params: dict[str, Any] = {"owner": self.owner, "workspace": workspace}
        rows = self.db.tuples(
            f"""
            {self._select} WHERE owner_id = :owner AND open = 1 {there}
             ORDER BY priority_key, created_at, id LIMIT :limit
            """,
            **params,
            limit=limit,
        )
        left = limit - len(rows)
        if left:
            rows += self.db.tuples(
                f"""
                {self._select} WHERE owner_id = :owner AND completed_at IS NOT NULL AND deleted_at IS NULL
                   AND status = 'done' {there} ORDER BY completed_at DESC, id DESC LIMIT :limit
                """,
                **params,
                limit=left,
            )
        return self._write(rows)

    def pick(self, task_ids: list[int]) -> list[Card]:
        """Those of the ids that a board shows, in the order asked."""
        rows = self.db.tuples(
            f"{self._select} WHERE id IN :ids AND owner_id = :owner AND deleted_at IS NULL AND status <> 'dropped'",
            ids=task_ids,
            owner=self.owner,
        )
        place = {task_id: number for number, task_id in enumerate(task_ids)}
        return self._write(sorted(rows, key=lambda row: place[row[ID]]))

    def _write(self, rows: list[tuple[Any, ...]]) -> list[Card]:
        ids = [row[ID] for row in rows]
        tags = _gather(
            self.db.tuples(
                """
                SELECT task_tag.task_id, tag.name FROM task_tag JOIN tag ON tag.id = task_tag.tag_id
                 WHERE task_tag.task_id IN :ids AND tag.owner_id = :owner
                """,
                ids=ids,
                owner=self.owner,
            )
        )
        blockers = _gather(
            self.db.tuples(
                """
                SELECT task_blocker.task_id, task_blocker.blocker_id
                  FROM task_blocker JOIN task ON task.id = task_blocker.task_id
                 WHERE task_blocker.task_id IN :ids AND task.owner_id = :owner
                """,
                ids=ids,
                owner=self.owner,
            )
        )
        return [card.write(row, tags.get(row[ID]), blockers.get(row[ID])) for row in rows]


def _gather(pairs: list[tuple[Any, ...]]) -> dict[int, list[Any]]:
    found: dict[int, list[Any]] = {}
    for task_id, value in pairs:
        found.setdefault(task_id, []).append(value)
    return found
