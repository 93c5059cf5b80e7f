"""Forgetting what nobody needs any more, a little at a time."""

from __future__ import annotations

from datetime import datetime, timedelta

from taskpilot.domain.caller import NOBODY
from taskpilot.domain.moments import stamp
from taskpilot.store.bin import Bin
from taskpilot.store.database import Connection

AT_ONCE = 2_000
"""Rows in one transaction: everybody else's changes wait for it."""
DAY = timedelta(days=1)
ANSWERS_FOR = timedelta(days=7)
BINNED_FOR = timedelta(days=30)
TASKS_AT_ONCE = 500

_OVER: dict[str, tuple[str, str]] = {
    "call_log": ("id", "at"),
    "refresh_token": ("hash", "expires_at"),
    "oauth_request": ("id", "expires_at"),
    "kept_answer": ("owner_id, key", "created_at"),
}
"""Table → what names a row, and the moment that counts."""


def limits(now: datetime, audit_days: int) -> dict[str, datetime]:
    """Before when each table's rows are no longer needed.

    What has run out is kept for a day, so that its owner is told so, and not that it never was.
    """
    return {
        "call_log": now - timedelta(days=audit_days),
        "refresh_token": now - DAY,
        "oauth_request": now - DAY,
        "kept_answer": now - ANSWERS_FOR,
        "task": now - BINNED_FOR,
    }


def purge(db: Connection, table: str, before: datetime) -> bool:
    """Delete some of the rows from before a moment; True if there may be more. Of tasks, those in the bin."""
    if table == "task":
        return Bin(db, NOBODY).purge(before, TASKS_AT_ONCE) > 0  # a task goes after its subtasks
    key, moment = _OVER[table]
    gone = db.run(
        f"""
        DELETE FROM {table}
         WHERE ({key}) IN (SELECT {key} FROM {table} WHERE {moment} < :before LIMIT :most)
        """,
        before=stamp(before),
        most=AT_ONCE,
    )
    return gone >= AT_ONCE
