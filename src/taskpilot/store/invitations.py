"""Invitations in the database: a hash each, never the code."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from taskpilot.domain.events import plain
from taskpilot.domain.invitation import Invitation
from taskpilot.domain.moments import load_moment, stamp
from taskpilot.store.database import Connection, Row


class Invitations:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    def find_hash(self, hashed: str) -> Invitation | None:
        """Anybody's: for the door, where whoever comes is not known yet."""
        row = self.db.one("SELECT * FROM invitation WHERE hash = :hash", hash=hashed)
        return _load(row) if row else None

    def find(self, invitation_id: int) -> Invitation | None:
        row = self.db.one(
            "SELECT * FROM invitation WHERE id = :id AND owner_id = :owner", id=invitation_id, owner=self.owner
        )
        return _load(row) if row else None

    def page(self, now: datetime, limit: int, offset: int) -> tuple[list[Invitation], int]:
        """The caller's that can still be used, newest first, and how many there are."""
        where = "owner_id = :owner AND used_at IS NULL AND expires_at > :now"
        rows = self.db.all(
            f"SELECT * FROM invitation WHERE {where} ORDER BY id DESC LIMIT :limit OFFSET :offset",
            owner=self.owner,
            now=stamp(now),
            limit=limit,
            offset=offset,
        )
        counted = self.db.one(
            f"SELECT count(*) AS number FROM invitation WHERE {where}", owner=self.owner, now=stamp(now)
        )
        return [_load(row) for row in rows], counted["number"] if counted else 0

    def add(self, invitation: Invitation, hashed: str) -> Invitation:
        number = self.db.insert(
            """
            INSERT INTO invitation (owner_id, hash, email, created_at, expires_at)
            VALUES (:owner, :hash, :email, :created_at, :expires_at)
            """,
            owner=self.owner,
            hash=hashed,
            email=invitation.email,
            created_at=stamp(invitation.created_at),
            expires_at=stamp(invitation.expires_at),
        )
        return replace(invitation, id=number)

    def save(self, invitation: Invitation) -> Invitation:
        self.db.run(
            """
            UPDATE invitation SET expires_at = :expires_at, used_at = :used_at
             WHERE id = :id AND owner_id = :owner
            """,
            expires_at=stamp(invitation.expires_at),
            used_at=plain(invitation.used_at),
            id=invitation.id,
            owner=self.owner,
        )
        return invitation


def _load(row: Row) -> Invitation:
    return Invitation(
        id=row["id"],
        owner=row["owner_id"],
        email=row["email"],
        created_at=datetime.fromisoformat(row["created_at"]),
        expires_at=datetime.fromisoformat(row["expires_at"]),
        used_at=load_moment(row["used_at"]),
    )
