"""Working sessions in the database."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from taskpilot.domain.events import plain
from taskpilot.domain.moments import load_moment
from taskpilot.domain.session import Session
from taskpilot.store.database import Connection, Row


class Sessions:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    def find_open(self, workspace_id: int) -> Session | None:
        row = self.db.one(
            "SELECT * FROM work_session WHERE workspace_id = :workspace AND owner_id = :owner AND ended_at IS NULL",
            workspace=workspace_id,
            owner=self.owner,
        )
        return _load(row) if row else None

    def find(self, session_id: int) -> Session | None:
        row = self.db.one(
            "SELECT * FROM work_session WHERE id = :id AND owner_id = :owner", id=session_id, owner=self.owner
        )
        return _load(row) if row else None

    def slice(self, workspace_id: int, limit: int, offset: int) -> list[Session]:
        """So many of a workspace's sessions, latest first, after skipping some."""
        rows = self.db.all(
            """
            SELECT * FROM work_session WHERE workspace_id = :workspace AND owner_id = :owner
             ORDER BY id DESC LIMIT :limit OFFSET :offset
            """,
            workspace=workspace_id,
            owner=self.owner,
            limit=limit,
            offset=offset,
        )
        return [_load(row) for row in rows]

    def count(self, workspace_id: int) -> int:
        row = self.db.one(
            "SELECT count(*) AS number FROM work_session WHERE workspace_id = :workspace AND owner_id = :owner",
            workspace=workspace_id,
            owner=self.owner,
        )
        return row["number"] if row else 0

    def add(self, session: Session) -> Session:
        number = self.db.insert(
            """
            INSERT INTO work_session (owner_id, workspace_id, started_at) VALUES (:owner, :workspace, :started_at)
            """,
            owner=self.owner,
            workspace=session.workspace,
            started_at=plain(session.started_at),
        )
        return replace(session, id=number)

    def save(self, session: Session) -> Session:
        self.db.run(
            "UPDATE work_session SET ended_at = :ended_at WHERE id = :id AND owner_id = :owner",
            ended_at=plain(session.ended_at),
            id=session.id,
            owner=self.owner,
        )
        return session


def _load(row: Row) -> Session:
    return Session(
        id=row["id"],
        owner=row["owner_id"],
        workspace=row["workspace_id"],
        started_at=datetime.fromisoformat(row["started_at"]),
        ended_at=load_moment(row["ended_at"]),
    )
