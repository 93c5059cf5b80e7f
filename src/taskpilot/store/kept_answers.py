"""What creates with an Idempotency-Key were answered."""

from __future__ import annotations

from datetime import datetime

from taskpilot.domain.moments import stamp
from taskpilot.store.database import Connection


class KeptAnswers:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    def find(self, key: str) -> tuple[str, str] | None:
        """The fingerprint of what was asked then, and the answer."""
        row = self.db.one(
            "SELECT fingerprint, body FROM kept_answer WHERE owner_id = :owner AND key = :key",
            owner=self.owner,
            key=key,
        )
        return (row["fingerprint"], row["body"]) if row else None

    def add(self, key: str, fingerprint: str, body: str, at: datetime) -> None:
        self.db.run(
            """
            INSERT INTO kept_answer (owner_id, key, fingerprint, body, created_at)
            VALUES (:owner, :key, :fingerprint, :body, :at)
            """,
            owner=self.owner,
            key=key,
            fingerprint=fingerprint,
            body=body,
            at=stamp(at),
        )
