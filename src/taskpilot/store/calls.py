"""Calls that changed nothing, in the database. Written in batches, and kept for a while."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from taskpilot.domain.calls import Call
from taskpilot.domain.moments import stamp
from taskpilot.store.database import Connection, Row

COLUMNS = ("at", "owner_id", "actor", "address", "door", "tool", "outcome")


class Calls:
    def __init__(self, db: Connection) -> None:
        self.db = db

    def add(self, calls: Sequence[Call]) -> None:
        rows = [
            (stamp(each.at), each.owner, each.actor, each.address, each.door, each.tool, each.outcome) for each in calls
        ]
        self.db.load("call_log", COLUMNS, rows)

    def touch(self, table: str, used: Mapping[int, datetime]) -> None:
        """Note when tokens or logins were last used."""
        for number, at in used.items():
            self.db.run(f"UPDATE {table} SET last_used_at = :at WHERE id = :id", at=stamp(at), id=number)


def load(row: Row) -> Call:
    return Call(
        id=row["id"],
        at=datetime.fromisoformat(row["at"]),
        owner=row["owner_id"],
        actor=row["actor"],
        address=row["address"],
        door=row["door"],
        tool=row["tool"],
        outcome=row["outcome"],
    )
