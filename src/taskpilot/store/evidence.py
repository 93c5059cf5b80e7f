"""What acceptance commands showed, in the database. It only grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime

from taskpilot.domain.evidence import Evidence
from taskpilot.domain.moments import stamp
from taskpilot.store.database import Connection, Row


class EvidenceRoom:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    def of_task(self, task_id: int, limit: int) -> list[Evidence]:
        """The latest, latest first."""
        rows = self.db.all(
            "SELECT * FROM evidence WHERE task_id = :task AND owner_id = :owner ORDER BY id DESC LIMIT :limit",
            task=task_id,
            owner=self.owner,
            limit=limit,
        )
        return [_load(row) for row in rows]

    def of_runs(self, run_ids: Sequence[int]) -> list[Evidence]:
        """All that these runs showed, by their numbers and in order."""
        rows = self.db.all(
            "SELECT * FROM evidence WHERE run_id IN :runs AND owner_id = :owner ORDER BY id",
            runs=list(run_ids),
            owner=self.owner,
        )
        return [_load(row) for row in rows]

    def add(self, evidence: Evidence) -> Evidence:
        values = {**asdict(evidence), "owner": self.owner, "at": stamp(evidence.at)}
        del values["id"]
        number = self.db.insert(
            """
            INSERT INTO evidence (owner_id, task_id, run_id, command, exit_code, head, digest, tail, seconds, at)
            VALUES (:owner, :task, :run, :command, :exit_code, :head, :digest, :tail, :seconds, :at)
            """,
            **values,
        )
        return replace(evidence, id=number)


def _load(row: Row) -> Evidence:
    return Evidence(
        id=row["id"],
        owner=row["owner_id"],
        task=row["task_id"],
        run=row["run_id"],
        command=row["command"],
        exit_code=row["exit_code"],
        head=row["head"],
        digest=row["digest"],
        tail=row["tail"],
        seconds=row["seconds"],
        at=datetime.fromisoformat(row["at"]),
    )
