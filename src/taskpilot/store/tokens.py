"""Personal access tokens in the database: a hash each, never the secret."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from taskpilot.domain.events import plain
from taskpilot.domain.moments import load_moment, stamp
from taskpilot.domain.scopes import read_scopes, write_scopes
from taskpilot.domain.token import Token
from taskpilot.store.database import Connection, Row


class Tokens:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    def find_hash(self, token_id: int) -> tuple[Token, str] | None:
        """Anybody's, with its hash: for the door, where nobody is known yet."""
        row = self.db.one("SELECT * FROM access_token WHERE id = :id", id=token_id)
        return (_load(row), row["hash"]) if row else None

    def find(self, token_id: int) -> Token | None:
        row = self.db.one(
            "SELECT * FROM access_token WHERE id = :id AND owner_id = :owner", id=token_id, owner=self.owner
        )
        return _load(row) if row else None

    def page(self, limit: int, offset: int) -> tuple[list[Token], int]:
        """The caller's that were not revoked, newest first, and how many; those that ran out are shown as such."""
        where = "owner_id = :owner AND revoked_at IS NULL AND run_id IS NULL"
        rows = self.db.all(
            f"SELECT * FROM access_token WHERE {where} ORDER BY id DESC LIMIT :limit OFFSET :offset",
            owner=self.owner,
            limit=limit,
            offset=offset,
        )
        counted = self.db.one(f"SELECT count(*) AS number FROM access_token WHERE {where}", owner=self.owner)
        return [_load(row) for row in rows], counted["number"] if counted else 0

    def of_run(self, run_id: int) -> list[Token]:
        """Those made for a run that still open its desk."""
        rows = self.db.all(
            "SELECT * FROM access_token WHERE run_id = :run AND owner_id = :owner AND revoked_at IS NULL",
            run=run_id,
            owner=self.owner,
        )
        return [_load(row) for row in rows]

    def add(self, token: Token, hashed: str) -> Token:
        number = self.db.insert(
            """
            INSERT INTO access_token (owner_id, name, hash, scopes, created_at, expires_at, run_id)
            VALUES (:owner, :name, :hash, :scopes, :created_at, :expires_at, :run)
            """,
            owner=self.owner,
            name=token.name,
            hash=hashed,
            scopes=write_scopes(token.scopes),
            created_at=stamp(token.created_at),
            expires_at=plain(token.expires_at),
            run=token.run,
        )
        return replace(token, id=number)

    def save(self, token: Token) -> Token:
        self.db.run(
            "UPDATE access_token SET revoked_at = :revoked_at WHERE id = :id AND owner_id = :owner",
            revoked_at=plain(token.revoked_at),
            id=token.id,
            owner=self.owner,
        )
        return token


def _load(row: Row) -> Token:
    return Token(
        id=row["id"],
        owner=row["owner_id"],
        name=row["name"],
        scopes=read_scopes(row["scopes"]),
        created_at=datetime.fromisoformat(row["created_at"]),
        expires_at=load_moment(row["expires_at"]),
        last_used_at=load_moment(row["last_used_at"]),
        revoked_at=load_moment(row["revoked_at"]),
        run=row["run_id"],
    )
