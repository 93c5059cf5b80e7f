"""Claims in the database. At most one on a task has not ended."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import NamedTuple

from taskpilot.domain import text
from taskpilot.domain.claim import Claim, Ending, Handoff
from taskpilot.domain.events import plain
from taskpilot.domain.moments import load_moment, stamp
from taskpilot.domain.task import ID_MOST, missing
from taskpilot.store.database import Connection, Row
from taskpilot.store.tasks import NAMED_MOST

GLANCE = """
SELECT EXISTS (SELECT 1 FROM claim WHERE owner_id = :owner AND ended_at IS NULL AND lease_until <= :now) AS over,
       EXISTS (SELECT 1 FROM wip_limit WHERE owner_id = :owner) AS limited,
       EXISTS (SELECT 1 FROM task_blocker) AS linked
"""
LATEST = """
SELECT claim.* FROM task LEFT JOIN claim ON claim.task_id = task.id
 WHERE task.id = :task AND task.owner_id = :owner AND task.deleted_at IS NULL ORDER BY claim.id DESC LIMIT 2
"""


class Glance(NamedTuple):
    over: bool
    """A lease has run out that nobody has ended yet."""
    limited: bool
    """There is a limit of work in progress."""
    linked: bool
    """A task waits on another, here or at somebody else's: looking closer would cost more than it saves."""


class Claims:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    def find(self, token: int) -> Claim | None:
        if abs(token) > ID_MOST:  # no column holds it
            return None
        row = self.db.one("SELECT * FROM claim WHERE id = :id AND owner_id = :owner", id=token, owner=self.owner)
        return _load(row) if row else None

    def current(self, task_id: int) -> Claim | None:
        """The one that has not ended, whether or not its lease has run out."""
        row = self.db.one(
            "SELECT * FROM claim WHERE task_id = :task AND owner_id = :owner AND ended_at IS NULL",
            task=task_id,
            owner=self.owner,
        )
        return _load(row) if row else None

    def latest(self, task_id: int) -> list[Claim]:
        """Of a task that is not in the bin, the last two, newest first: only the newest may not have ended."""
        if abs(task_id) > ID_MOST:  # no column holds it
            raise missing(text.shorten(str(task_id), NAMED_MOST))
        rows = self.db.all(LATEST, task=task_id, owner=self.owner)
        if not rows:
            raise missing(task_id)
        return [_load(row) for row in rows if row["id"] is not None]

    def last_ended(self, task_id: int) -> Claim | None:
        row = self.db.one(
            """
            SELECT * FROM claim WHERE task_id = :task AND owner_id = :owner AND ended_at IS NOT NULL
             ORDER BY id DESC LIMIT 1
            """,
            task=task_id,
            owner=self.owner,
        )
        return _load(row) if row else None

    def last_word(self, task_id: int) -> Claim | None:
        """The last that ended with something to tell."""
        row = self.db.one(
            """
            SELECT * FROM claim
             WHERE task_id = :task AND owner_id = :owner AND ended_at IS NOT NULL AND handoff <> '{}'
             ORDER BY id DESC LIMIT 1
            """,
            task=task_id,
            owner=self.owner,
        )
        return _load(row) if row else None

    def glance(self, now: datetime) -> Glance:
        """What may have to be minded, in one look: mostly nothing."""
        row = self.db.one(GLANCE, owner=self.owner, now=stamp(now))
        return Glance(*map(bool, row.values())) if row else Glance(True, True, True)

    def run_out(self, now: datetime, limit: int) -> list[Claim]:
        """Those whose lease is over and that nobody has ended yet, longest over first."""
        rows = self.db.all(
            """
            SELECT * FROM claim WHERE owner_id = :owner AND ended_at IS NULL AND lease_until <= :now
             ORDER BY lease_until LIMIT :limit
            """,
            owner=self.owner,
            now=stamp(now),
            limit=limit,
        )
        return [_load(row) for row in rows]

    def owners_over(self, now: datetime) -> list[int]:
        """Whose leases are over and not ended yet: of all, not only of the user."""
        rows = self.db.all(
            "SELECT DISTINCT owner_id FROM claim WHERE ended_at IS NULL AND lease_until <= :now ORDER BY owner_id",
            now=stamp(now),
        )
        return [row["owner_id"] for row in rows]

    def live(self, now: datetime) -> list[Claim]:
        """Everything that is held, oldest first."""
        rows = self.db.all(
            "SELECT * FROM claim WHERE owner_id = :owner AND ended_at IS NULL AND lease_until > :now ORDER BY id",
            owner=self.owner,
            now=stamp(now),
        )
        return [_load(row) for row in rows]

    def count_of(self, actor: str, now: datetime) -> int:
        row = self.db.one(
            """
            SELECT count(*) AS number FROM claim
             WHERE owner_id = :owner AND ended_at IS NULL AND lease_until > :now AND actor = :actor
            """,
            owner=self.owner,
            now=stamp(now),
            actor=actor,
        )
        return row["number"] if row else 0

    def files_held(self, workspace: int | None, but: int, now: datetime) -> dict[str, int]:
        """Files that the tasks of live claims name or their runs have changed, each with one such task:

        in one workspace, or in none.
        """
        rows = self.db.all(
            f"""
            SELECT task.id, task.connected_files, coalesce(run.files_changed, '[]') AS files_changed
              FROM claim JOIN task ON task.id = claim.task_id
              LEFT JOIN run ON run.task_id = task.id AND run.claim = claim.id
             WHERE claim.owner_id = :owner AND claim.ended_at IS NULL AND claim.lease_until > :now
               AND task.id <> :but AND (task.connected_files <> '[]' OR run.files_changed <> '[]')
               AND task.workspace_id {"IS NULL" if workspace is None else "= :workspace"}
            """,
            owner=self.owner,
            now=stamp(now),
            but=but,
            workspace=workspace,
        )
        columns = ("connected_files", "files_changed")
        return {path: row["id"] for row in rows for column in columns for path in json.loads(row[column])}

    def add(self, *, task: int, actor: str, now: datetime, lease: int) -> Claim:
        until = now + timedelta(seconds=lease)
        number = self.db.insert(
            """
            INSERT INTO claim (owner_id, task_id, actor, claimed_at, lease_until, lease, handoff)
            VALUES (:owner, :task, :actor, :claimed_at, :lease_until, :lease, '{}')
            """,
            owner=self.owner,
            task=task,
            actor=actor,
            claimed_at=stamp(now),
            lease_until=stamp(until),
            lease=lease,
        )
        return Claim(
            id=number, owner=self.owner, task=task, actor=actor, claimed_at=now, lease_until=until, lease=lease
        )

    def save(self, claim: Claim) -> Claim:
        said = {name: value for name, value in asdict(claim.handoff).items() if value}
        self.db.run(
            """
            UPDATE claim SET lease_until = :lease_until, lease = :lease, ended_at = :ended_at, ending = :ending,
                   handoff = :handoff
             WHERE id = :id AND owner_id = :owner
            """,
            id=claim.id,
            owner=self.owner,
            lease_until=stamp(claim.lease_until),
            lease=claim.lease,
            ended_at=plain(claim.ended_at),
            ending=claim.ending.value if claim.ending else None,
            handoff=json.dumps(said, ensure_ascii=False),
        )
        return claim


def _load(row: Row) -> Claim:
    return Claim(
        id=row["id"],
        owner=row["owner_id"],
        task=row["task_id"],
        actor=row["actor"],
        claimed_at=datetime.fromisoformat(row["claimed_at"]),
        lease_until=datetime.fromisoformat(row["lease_until"]),
        lease=row["lease"],
        ended_at=load_moment(row["ended_at"]),
        ending=Ending(row["ending"]) if row["ending"] else None,
        handoff=Handoff(**json.loads(row["handoff"])),
    )
