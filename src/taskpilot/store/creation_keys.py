"""Idempotency keys: what an earlier create with the same key made."""

from __future__ import annotations

import json
from datetime import datetime

from taskpilot.domain.moments import stamp
from taskpilot.store.database import Connection


class CreationKeys:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    def find(self, key: str) -> tuple[str, list[int]] | None:
        """The fingerprint of what was asked then, and the tasks it made."""
        row = self.db.one(
            "SELECT fingerprint, task_ids FROM creation_key WHERE owner_id = :owner AND key = :key",
            owner=self.owner,
            key=key,
        )
        return (row["fingerprint"], json.loads(row["task_ids"])) if row else None

    def add(self, key: str, fingerprint: str, task_ids: list[int], at: datetime) -> None:
        self.db.run(
            """
            INSERT INTO creation_key (owner_id, key, fingerprint, task_ids, created_at)
            VALUES (:owner, :key, :fingerprint, :task_ids, :at)
            """,
            owner=self.owner,
            key=key,
            fingerprint=fingerprint,
            task_ids=json.dumps(task_ids),
            at=stamp(at),
        )
