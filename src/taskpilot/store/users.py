"""Users in the database. Whoever asks here has a reason to know of others: signing in, or running the server."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from uuid import uuid4

from taskpilot.domain.events import plain
from taskpilot.domain.moments import load_moment, stamp
from taskpilot.domain.user import User
from taskpilot.store.database import Connection, Row


class Users:
    def __init__(self, db: Connection) -> None:
        self.db = db

    def find(self, user_id: int) -> User | None:
        return self._find("id = :value", user_id)

    def find_handle(self, handle: str) -> User | None:
        return self._find("handle = :value", handle)

    def find_email(self, email: str) -> User | None:
        return self._find("email = :value", email)

    def find_uuid(self, uuid: str) -> User | None:
        return self._find("uuid = :value", uuid)

    def page(self, limit: int, offset: int) -> tuple[list[User], int]:
        """In the order of their numbers, and how many there are; accounts that were deleted are not shown."""
        rows = self.db.all(
            "SELECT * FROM user_account WHERE deleted_at IS NULL ORDER BY id LIMIT :limit OFFSET :offset",
            limit=limit,
            offset=offset,
        )
        counted = self.db.one("SELECT count(*) AS number FROM user_account WHERE deleted_at IS NULL")
        return [_load(row) for row in rows], counted["number"] if counted else 0

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

    def save(self, user: User) -> User:
        user = replace(user, version=user.version + 1)
        self.db.run(
            """
            UPDATE user_account
               SET handle = :handle, email = :email, name = :name, admin = :admin, settings = :settings,
                   disabled_at = :disabled_at, deleted_at = :deleted_at, version = :version
             WHERE id = :id
            """,
            id=user.id,
            handle=user.handle,
            email=user.email,
            name=user.name,
            admin=int(user.admin),
            settings=json.dumps(dict(user.settings), ensure_ascii=False),
            disabled_at=plain(user.disabled_at),
            deleted_at=plain(user.deleted_at),
            version=user.version,
        )
        return user

    def password_of(self, user_id: int) -> str | None:
        """The hash; None for a user who cannot sign in."""
        row = self.db.one("SELECT password FROM user_account WHERE id = :id", id=user_id)
        return row["password"] if row else None

    def set_password(self, user_id: int, hashed: str | None) -> None:
        self.db.run("UPDATE user_account SET password = :hashed WHERE id = :id", hashed=hashed, id=user_id)

    def _find(self, condition: str, value: int | str) -> User | None:
        row = self.db.one(f"SELECT * FROM user_account WHERE {condition}", value=value)
        return _load(row) if row else None


def _load(row: Row) -> User:
    return User(
        id=row["id"],
        uuid=row["uuid"],
        handle=row["handle"],
        created_at=datetime.fromisoformat(row["created_at"]),
        email=row["email"],
        name=row["name"],
        admin=bool(row["admin"]),
        settings=json.loads(row["settings"]),
        disabled_at=load_moment(row["disabled_at"]),
        deleted_at=load_moment(row["deleted_at"]),
        version=row["version"],
    )
