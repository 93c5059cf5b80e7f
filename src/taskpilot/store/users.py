"""Users in the database."""

from __future__ import annotations

from datetime import datetime
from uuid import uuid4

from taskpilot.domain.moments import stamp
from taskpilot.domain.user import User
from taskpilot.store.database import Connection, Row


class Users:
    def __init__(self, db: Connection) -> None:
        self.db = db

    def find(self, user_id: int) -> User | None:
        row = self.db.one("SELECT * FROM user_account WHERE id = :id", id=user_id)
        return _load(row) if row else None

    def find_handle(self, handle: str) -> User | None:
        row = self.db.one("SELECT * FROM user_account WHERE handle = :handle", handle=handle)
        return _load(row) if row else None

    def add(self, handle: str, at: datetime, user_id: int | None = None) -> User:
        """A new user. A generated id lies above every id in use, also those that callers named."""
        row = self.db.one(
            """
            INSERT INTO user_account (id, uuid, handle, created_at)
            SELECT coalesce(CAST(:id AS BIGINT), max(id) + 1), :uuid, :handle, :at FROM user_account
            RETURNING *
            """,
            id=user_id,
            uuid=str(uuid4()),
            handle=handle,
            at=stamp(at),
        )
        assert row is not None
        return _load(row)


def _load(row: Row) -> User:
    return User(
        id=row["id"],
        uuid=row["uuid"],
        handle=row["handle"],
        created_at=datetime.fromisoformat(row["created_at"]),
    )
