"""Tasks in the database."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from taskpilot.domain import text
from taskpilot.domain.events import plain
from taskpilot.domain.moments import load, stored
from taskpilot.domain.selection import Page, Selection, Sort, foreign, read_cursor, write_cursor
from taskpilot.domain.similarity import make_key
from taskpilot.domain.task import FIELDS, ID_MOST, Energy, Priority, Status, Task, missing, revive
from taskpilot.store import conditions
from taskpilot.store.database import Connection, Dialect, Row
from taskpilot.store.tallies import tally

# Where a field lives, if not in a column of its own name.
COLUMN = {"owner": "owner_id", "workspace": "workspace_id", "parent": "parent_id", "follows": "follows_id"}
ELSEWHERE = {"tags", "blocked_by", "project"}
AS_JSON = {"connected_files", "external_refs", "acceptance"}
STORED = tuple(name for name in FIELDS if name not in ELSEWHERE)
NEW = tuple(name for name in STORED if name != "id")

_LISTED: dict[Dialect, str] = {
    "sqlite": "(SELECT json_group_array({0}) FROM {1})",
    "postgres": "(SELECT CAST(coalesce(json_agg({0}), '[]') AS TEXT) FROM {1})",
}


def _select(listed: str) -> str:
    """Whole tasks in one statement, tags and blockers with them: what is read together belongs together."""
    columns = [f"task.{COLUMN[name]} AS {name}" if name in COLUMN else f"task.{name}" for name in STORED]
    tags = "task_tag JOIN tag ON tag.id = task_tag.tag_id WHERE task_tag.task_id = task.id"
    columns += [
        "task.priority_key",
        "task.due_key",
        "project.name AS project",
        f"{listed.format('tag.name', tags)} AS tags",
        f"{listed.format('blocker_id', 'task_blocker AS link WHERE link.task_id = task.id')} AS blocked_by",
    ]
    return f"SELECT {', '.join(columns)} FROM task LEFT JOIN project ON project.id = task.project_id"


SELECT = {dialect: _select(listed) for dialect, listed in _LISTED.items()}
SELECT_ONE = {dialect: f"{select} WHERE task.id = :id AND task.owner_id = :owner" for dialect, select in SELECT.items()}
INSERT = (
    f"INSERT INTO task ({', '.join(COLUMN.get(name, name) for name in NEW)}, title_key) "
    f"VALUES ({', '.join(':' + name for name in NEW)}, :title_key)"
)
INDEX = "INSERT INTO task_search (rowid, title, description, notes) VALUES (:id, :title, :description, :notes)"
NAMED_MOST = 40
"""A number longer than any id is not repeated whole."""

ORDER: dict[Sort, tuple[tuple[str, ...], str]] = {
    Sort.PRIORITY: (("priority_key", "created_at", "id"), "ASC"),
    Sort.OLDEST: (("created_at", "id"), "ASC"),
    Sort.NEWEST: (("created_at", "id"), "DESC"),
    Sort.UPDATED: (("updated_at", "id"), "DESC"),
    Sort.DUE: (("due_key", "id"), "ASC"),
}


class Tasks:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner
        self._select = SELECT[db.dialect]

    def get(self, task_id: int, *, deleted: bool = False) -> Task:
        """One of the owner's tasks; with `deleted`, also from the bin."""
        if abs(task_id) > ID_MOST:  # no column holds it
            raise missing(text.shorten(str(task_id), NAMED_MOST))
        row = self.db.one(SELECT_ONE[self.db.dialect], id=task_id, owner=self.owner)
        if row is None or (row["deleted_at"] is not None and not deleted):
            raise missing(task_id)
        return _task(row)

    def many(self, task_ids: Iterable[int]) -> list[Task]:
        """Those of the ids that exist, in the order asked."""
        wanted = list(dict.fromkeys(task_ids))
        rows = self.db.all(
            f"{self._select} WHERE task.id IN :ids AND task.owner_id = :owner AND task.deleted_at IS NULL",
            ids=wanted,
            owner=self.owner,
        )
        place = {task_id: number for number, task_id in enumerate(wanted)}
        return [_task(row) for row in sorted(rows, key=lambda row: place[row["id"]])]

    def page(
        self,
        selection: Selection,
        sort: Sort,
        limit: int,
        cursor: str | None = None,
        *,
        offset: int = 0,
        backwards: bool = False,
    ) -> Page[Task]:
        """One page, and where the next begins. Costs the same on page 1 and page 1,000, unless it has to skip."""
        keys, direction = _direct(sort, backwards)
        name = f"-{sort}" if backwards else sort
        where, params = conditions.write(selection, self.owner, self.db.dialect)
        if cursor:
            past = ">" if direction == "ASC" else "<"
            place = {f"key_{number}": part for number, part in enumerate(_read_place(cursor, name, keys))}
            where.append(f"({_columns(keys)}) {past} ({', '.join(':' + key for key in place)})")
            params.update(place)
        rows = self.db.all(
            f"{self._select} WHERE {' AND '.join(where)} ORDER BY {_order(keys, direction)}"
            f" LIMIT :limit{' OFFSET :offset' if offset else ''}",
            **params,
            limit=limit + 1,
            offset=offset,
        )
        more = write_cursor(name, [rows[limit - 1][key] for key in keys]) if len(rows) > limit else None
        return Page(tuple(map(_task, rows[:limit])), more)

    def slice(self, selection: Selection, sort: Sort, limit: int | None, offset: int) -> list[Task]:
        """So many of the tasks that fit, after skipping some."""
        where, params = conditions.write(selection, self.owner, self.db.dialect)
        return self.fetch(where, params, sort, ID_MOST if limit is None else limit, offset)

    def fetch(self, where: list[str], params: dict[str, Any], sort: Sort, limit: int, offset: int = 0) -> list[Task]:
        """Tasks under conditions of the store's own making, which name the owner."""
        rows = self.db.all(
            f"{self._select} WHERE {' AND '.join(where)} ORDER BY {_order(*ORDER[sort])} LIMIT :limit OFFSET :offset",
            **params,
            limit=limit,
            offset=offset,
        )
        return [_task(row) for row in rows]

    def count(self, selection: Selection) -> int:
        """Cheap to repeat: it counts again only when something has changed."""
        where, params = conditions.write_count(selection, self.owner, self.db.dialect)

        def count() -> int:
            row = self.db.one(f"SELECT count(*) AS number FROM task WHERE {' AND '.join(where)}", **params)
            return row["number"] if row else 0

        return tally(self.db, self.owner, selection, count)

    def add(self, task: Task) -> Task:
        """Store a new task; its id is the database's to give."""
        values = _dump(task, NEW)
        values["owner"], values["title_key"] = self.owner, make_key(task.title)
        number = self.db.insert(INSERT, **values)
        if self.db.dialect == "sqlite":
            self.db.run(INDEX, id=number, title=task.title, description=task.description, notes=task.notes)
        self._set_tags(number, (), task.tags)
        self._set_blockers(number, (), task.blocked_by)
        return replace(task, id=number)

    def save(self, before: Task, after: Task) -> Task:
        """Write what changed, and only that: untouched text is not indexed again."""
        changed = [name for name in STORED if getattr(before, name) != getattr(after, name)]
        if not changed:
            changed = ["version"]
        values = _dump(after, changed)
        if "title" in changed:
            values["title_key"] = make_key(after.title)
        found = self.db.run(
            f"UPDATE task SET {', '.join(f'{COLUMN.get(name, name)} = :{name}' for name in values)} "
            "WHERE id = :id AND owner_id = :owner_is",
            **values,
            id=after.id,
            owner_is=self.owner,
        )
        if not found:
            raise missing(after.id)
        self._set_tags(after.id, before.tags, after.tags)
        self._set_blockers(after.id, before.blocked_by, after.blocked_by)
        return after

    def blockers_of(self, task_ids: list[int]) -> list[int]:
        """What these tasks wait on, directly."""
        rows = self.db.all(
            """
            SELECT DISTINCT task_blocker.blocker_id FROM task_blocker JOIN task ON task.id = task_blocker.task_id
             WHERE task_blocker.task_id IN :ids AND task.owner_id = :owner
            """,
            ids=task_ids,
            owner=self.owner,
        )
        return [row["blocker_id"] for row in rows]

    def parents_of(self, task_ids: list[int]) -> list[int]:
        rows = self.db.all(
            "SELECT DISTINCT parent_id FROM task WHERE id IN :ids AND owner_id = :owner AND parent_id IS NOT NULL",
            ids=task_ids,
            owner=self.owner,
        )
        return [row["parent_id"] for row in rows]

    def children_of(self, task_ids: list[int]) -> list[int]:
        """Direct subtasks that are not in the bin."""
        rows = self.db.all(
            "SELECT id FROM task WHERE parent_id IN :ids AND owner_id = :owner AND deleted_at IS NULL ORDER BY id",
            ids=task_ids,
            owner=self.owner,
        )
        return [row["id"] for row in rows]

    def waiting_on(self, task_id: int) -> list[Task]:
        """Open tasks that name this one as a blocker, oldest first."""
        rows = self.db.all(
            f"""
            {self._select} JOIN task_blocker ON task_blocker.task_id = task.id
             WHERE task_blocker.blocker_id = :id AND task.open = 1 AND task.owner_id = :owner
             ORDER BY task.id
            """,
            id=task_id,
            owner=self.owner,
        )
        return [_task(row) for row in rows]

    def open_blockers(self, task_id: int) -> list[int]:
        """What it still waits on."""
        rows = self.db.all(
            """
            SELECT blocker.id FROM task_blocker JOIN task AS blocker ON blocker.id = task_blocker.blocker_id
             WHERE task_blocker.task_id = :id AND blocker.open = 1 AND blocker.owner_id = :owner ORDER BY blocker.id
            """,
            id=task_id,
            owner=self.owner,
        )
        return [row["id"] for row in rows]

    def follower(self, task_id: int) -> int | None:
        """The next occurrence made when this one was completed, if it was not deleted."""
        row = self.db.one(
            "SELECT id FROM task WHERE follows_id = :id AND owner_id = :owner AND deleted_at IS NULL",
            id=task_id,
            owner=self.owner,
        )
        return row["id"] if row else None

    def _set_tags(self, task_id: int, before: tuple[str, ...], after: tuple[str, ...]) -> None:
        gone = [name for name in before if name not in after]
        if gone:
            self.db.run(
                """
                DELETE FROM task_tag WHERE task_id = :task
                   AND tag_id IN (SELECT id FROM tag WHERE owner_id = :owner AND name IN :gone)
                """,
                task=task_id,
                owner=self.owner,
                gone=gone,
            )
        for name in after:
            if name not in before:
                self.db.run(
                    "INSERT INTO tag (owner_id, name) VALUES (:owner, :name) ON CONFLICT DO NOTHING",
                    owner=self.owner,
                    name=name,
                )
                self.db.run(
                    """
                    INSERT INTO task_tag (task_id, tag_id)
                    SELECT :task, id FROM tag WHERE owner_id = :owner AND name = :name
                    """,
                    task=task_id,
                    owner=self.owner,
                    name=name,
                )

    def _set_blockers(self, task_id: int, before: tuple[int, ...], after: tuple[int, ...]) -> None:
        gone = [blocker for blocker in before if blocker not in after]
        if gone:
            self.db.run(
                "DELETE FROM task_blocker WHERE task_id = :task AND blocker_id IN :gone", task=task_id, gone=gone
            )
        for blocker in after:
            if blocker not in before:
                self.db.run(
                    """
                    INSERT INTO task_blocker (task_id, blocker_id)
                    SELECT :task, id FROM task WHERE id = :blocker AND owner_id = :owner
                    """,
                    task=task_id,
                    blocker=blocker,
                    owner=self.owner,
                )


# Looked up, not called: a list of fifty tasks asks two hundred times.
_STATUS = {item.value: item for item in Status}
_PRIORITY = {item.value: item for item in Priority}
_ENERGY = {item.value: item for item in Energy}


def _task(row: Row) -> Task:
    # The names are ours, not the row's: Python matches arguments by their very names faster than by their letters.
    values: dict[str, Any] = {name: row[name] for name in STORED}
    values["status"] = _STATUS[row["status"]]
    values["reopens_as"] = _STATUS[row["reopens_as"]]
    values["priority"] = _PRIORITY[row["priority"]]
    values["energy"] = _ENERGY[row["energy"]]
    for name in _MOMENTS:
        if values[name] is not None:
            values[name] = load(values[name])
    for name in AS_JSON:
        values[name] = () if values[name] == "[]" else revive({name: json.loads(values[name])})[name]
    for name in ("tags", "blocked_by"):
        values[name] = () if row[name] == "[]" else _sort_listed(row[name])
    return Task(**values, project=row["project"])


@lru_cache(maxsize=4_096)
def _sort_listed(written: str) -> tuple[Any, ...]:
    """Many tasks have the same few tags."""
    return tuple(sorted(json.loads(written)))


_MOMENTS = (
    "created_at",
    "updated_at",
    "started_at",
    "completed_at",
    "deleted_at",
    "due_date",
    "scheduled_start",
    "remind_at",
    "recurs_from",
)


def _dump(task: Task, names: Iterable[str]) -> dict[str, Any]:
    """Fields as columns take them."""
    values = {name: getattr(task, name) for name in names}
    for name in _MOMENTS:
        if values.get(name) is not None:
            values[name] = stored(values[name])
    for name in AS_JSON:
        if name in values:
            values[name] = json.dumps(plain(values[name]), ensure_ascii=False) if values[name] else "[]"
    return values


def _read_place(cursor: str, sort: str, keys: tuple[str, ...]) -> list[Any]:
    """Where the page starts; a cursor is a stranger's text until each part has its column's type."""
    place = read_cursor(cursor, sort, len(keys))
    for key, part in zip(keys, place, strict=True):
        number = isinstance(part, int) and not isinstance(part, bool) and abs(part) < 2**63
        if not (
            number if key in ("id", "priority_key") else isinstance(part, str) and part.isascii() and "\0" not in part
        ):
            raise foreign()
    return place


def _direct(sort: Sort, backwards: bool) -> tuple[tuple[str, ...], str]:
    keys, direction = ORDER[sort]
    return keys, direction if not backwards else "DESC" if direction == "ASC" else "ASC"


def _order(keys: tuple[str, ...], direction: str) -> str:
    return ", ".join(f"task.{key} {direction}" for key in keys)


def _columns(keys: tuple[str, ...]) -> str:
    return ", ".join(f"task.{key}" for key in keys)
