"""What workers look for: runs of everybody that are to be carried out, and those nobody carries out any more."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from taskpilot.domain.moments import stamp
from taskpilot.store.database import Connection, Row


class Ticket(NamedTuple):
    """Enough of a run to find it by."""

    run: int
    owner: int
    turn: int


class RunQueue:
    """Everybody's: who carries runs out works for all."""

    def __init__(self, db: Connection) -> None:
        self.db = db

    def waiting(self, limit: int) -> list[Ticket]:
        """Wanted, and not yet admitted; oldest first."""
        return self._find("state = 'pending' AND queued_at IS NOT NULL AND admitted_at IS NULL", limit)

    def admitted(self, limit: int) -> list[Ticket]:
        """Free to be taken, oldest first."""
        return self._find("state = 'pending' AND queued_at IS NOT NULL AND admitted_at IS NOT NULL", limit)

    def silent(self, now: datetime, limit: int) -> list[Ticket]:
        """Under way in the hands of a worker that gives no sign of life."""
        return self._find("state = 'in_progress' AND queued_at IS NOT NULL AND lease_until <= :now", limit, now=now)

    def interrupted(self, limit: int) -> list[Ticket]:
        """Begun, and in nobody's hands."""
        return self._find("state = 'interrupted' AND queued_at IS NOT NULL", limit)

    def count_admitted(self, owner: int, workspace: int | None = None) -> int:
        """How many of somebody's are under way or free to be taken; in one workspace, if that is named."""
        row = self.db.one(
            f"""
            SELECT count(*) AS number FROM run
             WHERE owner_id = :owner AND queued_at IS NOT NULL AND state IN ('pending', 'in_progress', 'interrupted')
               AND admitted_at IS NOT NULL {"" if workspace is None else "AND workspace_id = :workspace"}
            """,
            owner=owner,
            workspace=workspace,
        )
        return row["number"] if row else 0

    def renew(self, worker: str, now: datetime, until: datetime, claims_until: datetime) -> list[int]:
        """Prolong what a worker holds, and the claims that go with it; the runs that are still its own."""
        rows = self.db.all(
            """
            SELECT id, claim FROM run
             WHERE state = 'in_progress' AND queued_at IS NOT NULL AND worker = :worker AND lease_until > :now
            """,
            worker=worker,
            now=stamp(now),
        )
        runs = [row["id"] for row in rows]
        if runs:
            self.db.run("UPDATE run SET lease_until = :until WHERE id IN :runs", until=stamp(until), runs=runs)
            self._renew_claims([row["claim"] for row in rows if row["claim"] is not None], claims_until)
        return runs

    def reserve(self, run_id: int, now: datetime, until: datetime) -> bool:
        """Mark a run as about to be taken, unless it is marked already."""
        found = self.db.run(
            """
            UPDATE run SET lease_until = :until
             WHERE id = :run AND state IN ('pending', 'interrupted') AND queued_at IS NOT NULL
               AND (lease_until IS NULL OR lease_until <= :now)
            """,
            run=run_id,
            now=stamp(now),
            until=stamp(until),
        )
        return bool(found)

    def expire(self, worker: str, now: datetime) -> int:
        """Let a worker's time run out for all it holds; how many runs that were."""
        return self.db.run(
            """
            UPDATE run SET lease_until = :now
             WHERE state = 'in_progress' AND queued_at IS NOT NULL AND worker = :worker AND lease_until > :now
            """,
            worker=worker,
            now=stamp(now),
        )

    def at_rest(self, runs: Sequence[int]) -> dict[int, datetime]:
        """Those of these that nobody carries out or wants carried out, each with its last change."""
        if not runs:
            return {}
        rows = self.db.all(
            """
            SELECT id, updated_at FROM run
             WHERE id IN :runs AND state IN ('waiting', 'completed', 'failed', 'cancelled')
            """,
            runs=list(runs),
        )
        return {row["id"]: datetime.fromisoformat(row["updated_at"]) for row in rows}

    def _renew_claims(self, claims: Sequence[int], until: datetime) -> None:
        if claims:
            self.db.run(
                "UPDATE claim SET lease_until = :until WHERE id IN :claims AND ended_at IS NULL",
                until=stamp(until),
                claims=list(claims),
            )

    def _find(self, where: str, limit: int, **params: datetime) -> list[Ticket]:
        rows: list[Row] = self.db.all(
            f"SELECT id, owner_id, turn FROM run WHERE {where} ORDER BY queued_at, id LIMIT :limit",
            limit=limit,
            **{name: stamp(value) for name, value in params.items()},
        )
        return [Ticket(row["id"], row["owner_id"], row["turn"]) for row in rows]
