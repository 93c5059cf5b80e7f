"""The event log in the database. It only grows."""

from __future__ import annotations

import json
from datetime import datetime
from typing import NamedTuple

from taskpilot.domain.errors import NotFound
from taskpilot.domain.events import ACCOUNT_NOUNS, UNTOLD_KINDS, Event, Fields
from taskpilot.domain.moments import stamp
from taskpilot.store.database import Connection, Row

RESTORED = "store.restored"
"""A backup has taken the place of everything: its subject is 0, no single thing, and its owner the local user."""

ACCOUNTS = str(ACCOUNT_NOUNS)
"""A tuple of plain words happens to be written alike in Python and in SQL."""
UNTOLD = str(UNTOLD_KINDS)
TOLD = f"noun NOT IN {ACCOUNTS} AND noun <> 'conversation' AND kind NOT IN {UNTOLD}"
"""What history tells, and what undo can look at. That something was said is no change of anything."""

OF_TASKS_AFTER = """
SELECT event.id, event.actor, event.kind, event.subject_id, event.before_fields, event.after_fields,
       coalesce(task.title, '') AS title, coalesce(task.status, '') AS status
  FROM event LEFT JOIN task ON task.id = event.subject_id AND task.owner_id = event.owner_id
 WHERE event.owner_id = :owner AND event.id > :id AND event.noun = 'task'
 ORDER BY event.id LIMIT :limit
"""


class TaskEvent(NamedTuple):
    """As much of an event as it takes to tell of it. A tuple, because a thousand may be made for one answer."""

    id: int
    actor: str
    kind: str
    task: int
    title: str
    """As it is today, and so is the status."""
    status: str
    before: Fields | None
    after: Fields


class Events:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    def append(
        self,
        *,
        change: int | None,
        at: datetime,
        actor: str,
        door: str,
        kind: str,
        subject: int,
        before: Fields | None,
        after: Fields,
        reason: str,
        undoes: int | None,
        workspace: int | None,
        address: str,
        tool: str,
        origin: str,
    ) -> Event:
        number = self.db.insert(
            """
            INSERT INTO event
                (change_id, at, owner_id, actor, door, noun, kind, subject_id,
                 before_fields, after_fields, reason, undoes, workspace_id, address, tool, origin)
            VALUES
                (:change, :at, :owner, :actor, :door, :noun, :kind, :subject,
                 :before, :after, :reason, :undoes, :workspace, :address, :tool, :origin)
            """,
            change=change,
            at=stamp(at),
            owner=self.owner,
            actor=actor,
            door=door,
            noun=kind.partition(".")[0],
            kind=kind,
            subject=subject,
            before=None if before is None else _write(before),
            after=_write(after),
            reason=reason,
            undoes=undoes,
            workspace=workspace,
            address=address,
            tool=tool,
            origin=origin,
        )
        return Event(
            id=number,
            change=change or number,
            at=at,
            owner=self.owner,
            actor=actor,
            door=door,
            kind=kind,
            subject=subject,
            before=before,
            after=after,
            reason=reason,
            undoes=undoes,
            workspace=workspace,
            address=address,
            tool=tool,
            origin=origin,
        )

    def get(self, event_id: int) -> Event:
        row = self.db.one("SELECT * FROM event WHERE id = :id AND owner_id = :owner", id=event_id, owner=self.owner)
        if row is None:
            raise NotFound(f"There is no change {event_id}.", hint="Look at the history to see the numbers of changes.")
        return load(row)

    def of_change(self, change: int) -> list[Event]:
        """All that one operation did, latest first: the order in which to take it back."""
        rows = self.db.all(
            "SELECT * FROM event WHERE (id = :change OR change_id = :change) AND owner_id = :owner ORDER BY id DESC",
            change=change,
            owner=self.owner,
        )
        return [load(row) for row in rows]

    def history(self, *, noun: str | None, subject: int | None, before: int | None, limit: int) -> list[Event]:
        """Latest first: of one subject, or of everything the user owns."""
        where = ["owner_id = :owner"]
        if noun is not None:
            where.append("noun = :noun AND subject_id = :subject")
        else:
            where.append(TOLD)
        if before is not None:
            where.append("id < :before")
        rows = self.db.all(
            f"SELECT * FROM event WHERE {' AND '.join(where)} ORDER BY id DESC LIMIT :limit",
            owner=self.owner,
            noun=noun,
            subject=subject,
            before=before,
            limit=limit,
        )
        return [load(row) for row in rows]

    def latest_by(self, actor: str, limit: int) -> list[Event]:
        """What one actor did last, latest first."""
        rows = self.db.all(
            f"SELECT * FROM event WHERE owner_id = :owner AND actor = :actor AND {TOLD} ORDER BY id DESC LIMIT :limit",
            owner=self.owner,
            actor=actor,
            limit=limit,
        )
        return [load(row) for row in rows]

    def changeset(self, *, actor: str | None, origin: str | None, since: datetime | None, limit: int) -> list[Event]:
        """What one actor did, or what came from one origin, or both, since a moment: latest first."""
        where = ["owner_id = :owner", TOLD]
        if actor is not None:
            where.append("actor = :actor")
        if origin is not None:
            where.append("origin = :origin AND origin <> ''")  # as in the partial index
        if since is not None:
            where.append("at >= :since")
        rows = self.db.all(
            f"SELECT * FROM event WHERE {' AND '.join(where)} ORDER BY id DESC LIMIT :limit",
            owner=self.owner,
            actor=actor,
            origin=origin,
            since=None if since is None else stamp(since),
            limit=limit,
        )
        return [load(row) for row in rows]

    def undone(self, event_ids: list[int]) -> set[int]:
        """Which of these were taken back, and not put back since."""
        rows = self.db.all(
            """
            SELECT undoes FROM event AS undo
             WHERE undoes IN :ids AND owner_id = :owner
               AND NOT EXISTS (SELECT 1 FROM event AS redo WHERE redo.undoes = undo.id)
            """,
            ids=event_ids,
            owner=self.owner,
        )
        return {row["undoes"] for row in rows}

    def own_after(self, event_id: int, limit: int) -> list[Event]:
        """The user's events past one, oldest first; not those of accounts."""
        rows = self.db.all(
            f"""
            SELECT * FROM event
             WHERE owner_id = :owner AND id > :id AND noun NOT IN {ACCOUNTS}
             ORDER BY id LIMIT :limit
            """,
            owner=self.owner,
            id=event_id,
            limit=limit,
        )
        return [load(row) for row in rows]

    def of_tasks_after(self, event_id: int, limit: int) -> list[TaskEvent]:
        """What happened to the user's tasks past an event, oldest first."""
        rows = self.db.all(OF_TASKS_AFTER, owner=self.owner, id=event_id, limit=limit)
        written = ",".join([f"{row['before_fields'] or 'null'},{row['after_fields']}" for row in rows])
        fields = iter(json.loads(f"[{written}]"))  # read at once: a parser takes longer to begin than to read one
        return [
            TaskEvent(
                row["id"], row["actor"], row["kind"], row["subject_id"], row["title"], row["status"], before, after
            )
            for row, before, after in zip(rows, fields, fields, strict=True)
        ]

    def count_of_tasks_after(self, event_id: int, limit: int) -> dict[str, int]:
        """How much of each kind happened to the user's tasks past an event, among the first of it."""
        rows = self.db.all(
            """
            SELECT kind, count(*) AS number
              FROM (SELECT kind FROM event WHERE owner_id = :owner AND id > :id AND noun = 'task'
                     ORDER BY id LIMIT :limit) AS past
             GROUP BY kind ORDER BY kind
            """,
            owner=self.owner,
            id=event_id,
            limit=limit,
        )
        return {row["kind"]: row["number"] for row in rows}

    def find_ends(self) -> tuple[int, int]:
        """`restored` and `last` at once."""
        row = self.db.one(
            """
            SELECT (SELECT coalesce(max(id), 0) FROM event WHERE noun = 'store' AND subject_id = 0) AS restored,
                   (SELECT coalesce(max(id), 0) FROM event) AS last
            """
        )
        return (row["restored"], row["last"]) if row else (0, 0)

    def restored(self) -> int:
        """The event that tells of the latest restored backup; 0 if there was none."""
        row = self.db.one("SELECT coalesce(max(id), 0) AS id FROM event WHERE noun = 'store' AND subject_id = 0")
        return row["id"] if row else 0

    def last(self) -> int:
        """The newest event's id, whoever it belongs to; 0 in an empty log."""
        row = self.db.one("SELECT coalesce(max(id), 0) AS id FROM event")
        return row["id"] if row else 0

    def after(self, event_id: int, limit: int) -> list[Event]:
        """Everybody's events past one, oldest first: for the feed, which sorts out who may see what.

        A restored backup brings its own past; that is not told as news.
        """
        rows = self.db.all(
            """
            SELECT * FROM event
             WHERE id > :id AND id >= (SELECT coalesce(max(id), 0) FROM event WHERE noun = 'store' AND subject_id = 0)
             ORDER BY id LIMIT :limit
            """,
            id=event_id,
            limit=limit,
        )
        return [load(row) for row in rows]


def load(row: Row) -> Event:
    return Event(
        id=row["id"],
        change=row["change_id"] or row["id"],
        at=datetime.fromisoformat(row["at"]),
        owner=row["owner_id"],
        actor=row["actor"],
        door=row["door"],
        kind=row["kind"],
        subject=row["subject_id"],
        before=None if row["before_fields"] is None else json.loads(row["before_fields"]),
        after=json.loads(row["after_fields"]),
        reason=row["reason"],
        undoes=row["undoes"],
        workspace=row["workspace_id"],
        address=row["address"],
        tool=row["tool"],
        origin=row["origin"],
    )


def _write(fields: Fields) -> str:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
