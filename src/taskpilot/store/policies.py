"""How agents are to work, workspace by workspace, in the database."""

from __future__ import annotations

import json

from taskpilot.domain.policy import Policy, dump, load
from taskpilot.store.database import Connection


class Policies:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    def get(self, workspace: int | None) -> Policy:
        """The workspace's own, or the usual."""
        if workspace is None:
            return Policy()
        row = self.db.one(
            "SELECT policy FROM run_policy WHERE workspace_id = :workspace AND owner_id = :owner",
            workspace=workspace,
            owner=self.owner,
        )
        return load(workspace, json.loads(row["policy"]) if row else {})

    def save(self, policy: Policy) -> Policy:
        self.db.run(
            """
            INSERT INTO run_policy (workspace_id, owner_id, policy) VALUES (:workspace, :owner, :policy)
            ON CONFLICT (workspace_id) DO UPDATE SET policy = excluded.policy
             WHERE run_policy.owner_id = excluded.owner_id
            """,
            workspace=policy.workspace,
            owner=self.owner,
            policy=json.dumps(dump(policy), ensure_ascii=False),
        )
        return policy
