"""Logins and their refresh tokens in the database."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from taskpilot.domain.events import plain
from taskpilot.domain.login import Login, LoginKind
from taskpilot.domain.moments import load_moment, stamp
from taskpilot.domain.scopes import read_scopes, write_scopes
from taskpilot.store.database import Connection, Row


class Logins:
    """Of one user; `find` and the refresh tokens are for the door, where nobody is known yet."""

    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    def find(self, login_id: int) -> Login | None:
        row = self.db.one("SELECT * FROM login WHERE id = :id", id=login_id)
        return _load(row) if row else None

    def all(self, now: datetime) -> list[Login]:
        """The caller's that still hold, newest first."""
        rows = self.db.all(
            """
            SELECT * FROM login
             WHERE owner_id = :owner AND revoked_at IS NULL AND expires_at > :now
             ORDER BY id DESC
            """,
            owner=self.owner,
            now=stamp(now),
        )
        return [_load(row) for row in rows]

    def page(self, now: datetime, limit: int, offset: int) -> tuple[list[Login], int]:
        """A part of `all`, and how many there are."""
        where = "owner_id = :owner AND revoked_at IS NULL AND expires_at > :now"
        rows = self.db.all(
            f"SELECT * FROM login WHERE {where} ORDER BY id DESC LIMIT :limit OFFSET :offset",
            owner=self.owner,
            now=stamp(now),
            limit=limit,
            offset=offset,
        )
        counted = self.db.one(f"SELECT count(*) AS number FROM login WHERE {where}", owner=self.owner, now=stamp(now))
        return [_load(row) for row in rows], counted["number"] if counted else 0

    def add(self, login: Login) -> Login:
        number = self.db.insert(
            """
            INSERT INTO login
                (owner_id, kind, client, client_id, scopes, resource, address, created_at, expires_at, last_used_at)
            VALUES
                (:owner, :kind, :client, :client_id, :scopes, :resource, :address, :created_at, :expires_at,
                 :created_at)
            """,
            owner=login.owner,
            kind=login.kind.value,
            client=login.client,
            client_id=login.client_id,
            scopes=write_scopes(login.scopes),
            resource=login.resource,
            address=login.address,
            created_at=stamp(login.created_at),
            expires_at=stamp(login.expires_at),
        )
        return replace(login, id=number, last_used_at=login.created_at)

    def save(self, login: Login) -> Login:
        self.db.run(
            """
            UPDATE login SET expires_at = :expires_at, last_used_at = :last_used_at, revoked_at = :revoked_at
             WHERE id = :id
            """,
            id=login.id,
            expires_at=stamp(login.expires_at),
            last_used_at=plain(login.last_used_at),
            revoked_at=plain(login.revoked_at),
        )
        return login

    def add_refresh(self, login: Login, hashed: str) -> None:
        self.db.run(
            "INSERT INTO refresh_token (hash, login_id, expires_at) VALUES (:hash, :login, :expires_at)",
            hash=hashed,
            login=login.id,
            expires_at=stamp(login.expires_at),
        )

    def find_refresh(self, hashed: str) -> tuple[Login, datetime | None] | None:
        """The login a refresh token belongs to, and when it was used, if it was."""
        row = self.db.one("SELECT login_id, used_at FROM refresh_token WHERE hash = :hash", hash=hashed)
        login = self.find(row["login_id"]) if row else None
        return (login, load_moment(row["used_at"])) if row and login else None

    def use_refresh(self, hashed: str, at: datetime) -> None:
        self.db.run("UPDATE refresh_token SET used_at = :at WHERE hash = :hash", at=stamp(at), hash=hashed)

    def prune(self, now: datetime) -> None:
        """Let go of the caller's refresh tokens that nobody can use any more, nor misuse."""
        self.db.run(
            """
            DELETE FROM refresh_token
             WHERE login_id IN (SELECT id FROM login WHERE owner_id = :owner)
               AND (expires_at < :now
                    OR login_id IN (SELECT id FROM login WHERE owner_id = :owner AND revoked_at IS NOT NULL))
            """,
            owner=self.owner,
            now=stamp(now),
        )


def _load(row: Row) -> Login:
    return Login(
        id=row["id"],
        owner=row["owner_id"],
        kind=LoginKind(row["kind"]),
        client=row["client"],
        client_id=row["client_id"],
        scopes=read_scopes(row["scopes"]),
        resource=row["resource"],
        address=row["address"],
        created_at=datetime.fromisoformat(row["created_at"]),
        expires_at=datetime.fromisoformat(row["expires_at"]),
        last_used_at=load_moment(row["last_used_at"]),
        revoked_at=load_moment(row["revoked_at"]),
    )
