"""The audit in the database: calls that changed nothing, beside the events of what did."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from taskpilot.domain.calls import FAILED, OK, Call, Search, Step
from taskpilot.domain.moments import stamp
from taskpilot.store.database import Connection, Row

COLUMNS = ("at", "owner_id", "actor", "address", "door", "tool", "outcome")
RAGGED = timedelta(minutes=10)
"""Ids are in the order of writing, and moments nearly so."""
SECONDS = 5.0
"""For a search that finds little in a long log."""
FIRST = 2**63 - 1

_EVENTS = """
    SELECT 'event' AS source, event.id, event.at, user_account.handle, event.actor, event.address, event.door,
           event.tool, 'ok' AS outcome, event.kind, event.subject_id AS subject, event.reason
      FROM event LEFT JOIN user_account ON user_account.id = event.owner_id
"""
_CALLS = """
    SELECT 'call' AS source, call_log.id, call_log.at, user_account.handle, call_log.actor, call_log.address,
           call_log.door, call_log.tool, call_log.outcome, '' AS kind, CAST(NULL AS BIGINT) AS subject, '' AS reason
      FROM call_log LEFT JOIN user_account ON user_account.id = call_log.owner_id
"""


class Calls:
    """Everybody's. Whoever asks names the owner; None asks for all there is."""

    def __init__(self, db: Connection) -> None:
        self.db = db

    def add(self, calls: Sequence[Call]) -> None:
        """All but those of users who are gone: nothing new is kept about them."""
        owners = sorted({call.owner for call in calls if call.owner is not None})
        known = self.db.all("SELECT id FROM user_account WHERE id IN :ids AND deleted_at IS NULL", ids=owners)
        kept = {None, *(row["id"] for row in known)}
        rows = [
            (stamp(each.at), each.owner, each.actor, each.address, each.door, each.tool, each.outcome)
            for each in calls
            if each.owner in kept
        ]
        self.db.load("call_log", COLUMNS, rows)

    def touch(self, table: str, used: Mapping[int, datetime]) -> None:
        """Note when tokens or logins were last used."""
        for number, at in used.items():
            self.db.run(f"UPDATE {table} SET last_used_at = :at WHERE id = :id", at=stamp(at), id=number)

    def steps(self, owner: int | None, search: Search, event: int, call: int, limit: int) -> tuple[list[Step], bool]:
        """The latest steps before an event and before a call, latest first, and whether there are more.

        Each of the two logs is read in the order of its ids, so that a page never skips what a clock put elsewhere.
        """
        parts = [_part(_CALLS, "call_log", "call", owner, search)]
        if search.outcome in (None, OK):
            parts.append(_part(_EVENTS, "event", "event", owner, search))
        params: dict[str, Any] = {"owner": owner, "limit": limit + 1, "event": event, "call": call}
        params |= {name: getattr(search, name) for name in ("actor", "door", "tool", "outcome")}
        params |= {"since": _stamp(search.since), "until": _stamp(search.until)}
        for table, before in (("event", "event"), ("call_log", "call")):
            params[f"{before}_low"] = self._place(table, search.since, -RAGGED)
            params[before] = min(params[before], self._place(table, search.until, RAGGED))
        with self.db.within(SECONDS):
            rows = self.db.all(
                " UNION ALL ".join(f"SELECT * FROM ({part}) AS {name}" for name, part in parts), **params
            )
        streams = [[row for row in rows if row["source"] == source] for source in ("event", "call")]
        found = _merge(*streams)
        return [_load_step(row) for row in found[:limit]], len(found) > limit

    def _place(self, table: str, at: datetime | None, leeway: timedelta) -> int:
        """An id that lies before (or, with a leeway ahead, after) everything of that moment."""
        ahead = leeway > timedelta()
        if at is None:
            return FIRST if ahead else 0
        last = self.db.one(f"SELECT coalesce(max(id), 0) AS id FROM {table}")
        ids = range(1, (last["id"] if last else 0) + 1)
        return bisect_left(ids, _shift(at, leeway), key=lambda number: self._moment(table, number)) + ahead

    def _moment(self, table: str, number: int) -> str:
        row = self.db.one(f"SELECT at FROM {table} WHERE id >= :id ORDER BY id LIMIT 1", id=number)
        return row["at"] if row else "9"


def _part(select: str, table: str, before: str, owner: int | None, search: Search) -> tuple[str, str]:
    where = [f"{table}.id < :{before}", f"{table}.id > :{before}_low"]
    if owner is not None:
        where.append(f"{table}.owner_id = :owner")
    where += [f"{table}.{name} = :{name}" for name in ("actor", "door", "tool") if getattr(search, name) is not None]
    if search.since is not None:
        where.append(f"{table}.at >= :since")
    if search.until is not None:
        where.append(f"{table}.at < :until")
    if search.outcome is not None and table == "call_log":
        where.append("outcome <> 'ok'" if search.outcome == FAILED else "outcome = :outcome")
    return before, f"{select} WHERE {' AND '.join(where)} ORDER BY {table}.id DESC LIMIT :limit"


def _merge(events: Iterable[Row], calls: Iterable[Row]) -> list[Row]:
    """Two lists, each kept in its own order, by time."""
    left, right = list(events), list(calls)
    merged: list[Row] = []
    while left and right:
        merged.append((left if left[0]["at"] >= right[0]["at"] else right).pop(0))
    return [*merged, *left, *right]


def _shift(at: datetime, by: timedelta) -> str:
    try:
        return stamp(at + by)
    except OverflowError:
        return stamp(at)


def _stamp(at: datetime | None) -> str | None:
    return None if at is None else stamp(at)


def _load_step(row: Row) -> Step:
    return Step(
        id=row["id"],
        source=row["source"],
        at=datetime.fromisoformat(row["at"]),
        user=row["handle"],
        actor=row["actor"],
        address=row["address"],
        door=row["door"],
        tool=row["tool"],
        outcome=row["outcome"],
        kind=row["kind"],
        subject=row["subject"],
        reason=row["reason"],
    )
