"""Questions of runs in the database."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from datetime import datetime

from taskpilot.domain.events import plain
from taskpilot.domain.moments import load_moment, stamp
from taskpilot.domain.question import Asking, Option, Question, missing
from taskpilot.domain.task import ID_MOST
from taskpilot.store.database import Connection, Row


class Questions:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    def get(self, question_id: int) -> Question:
        row = None
        if abs(question_id) <= ID_MOST:
            row = self.db.one(
                "SELECT * FROM question WHERE id = :id AND owner_id = :owner", id=question_id, owner=self.owner
            )
        if row is None:
            raise missing(question_id)
        return _load(row)

    def of_run(self, run_id: int) -> list[Question]:
        """All that a run has asked, oldest first."""
        rows = self.db.all(
            "SELECT * FROM question WHERE run_id = :run AND owner_id = :owner ORDER BY id", run=run_id, owner=self.owner
        )
        return [_load(row) for row in rows]

    def unanswered(self, limit: int) -> list[Question]:
        """What waits for an answer, oldest first."""
        rows = self.db.all(
            "SELECT * FROM question WHERE owner_id = :owner AND answered_at IS NULL ORDER BY id LIMIT :limit",
            owner=self.owner,
            limit=limit,
        )
        return [_load(row) for row in rows]

    def count_unanswered(self) -> int:
        row = self.db.one(
            "SELECT count(*) AS number FROM question WHERE owner_id = :owner AND answered_at IS NULL", owner=self.owner
        )
        return row["number"] if row else 0

    def unanswered_of(self, run_ids: list[int]) -> dict[int, Question]:
        """By run: the latest that waits for an answer."""
        rows = self.db.all(
            """
            SELECT * FROM question WHERE owner_id = :owner AND answered_at IS NULL AND run_id IN :runs ORDER BY id
            """,
            owner=self.owner,
            runs=run_ids,
        )
        return {row["run_id"]: _load(row) for row in rows}

    def add(self, question: Question) -> Question:
        number = self.db.insert(
            """
            INSERT INTO question (owner_id, task_id, run_id, asking, text, options, data, asked_at, answer, answered_by)
            VALUES (:owner, :task, :run, :asking, :text, :options, :data, :asked_at, '', '')
            """,
            owner=self.owner,
            task=question.task,
            run=question.run,
            asking=question.asking.value,
            text=question.text,
            options=json.dumps([asdict(option) for option in question.options], ensure_ascii=False),
            data=json.dumps(dict(question.data), ensure_ascii=False),
            asked_at=stamp(question.asked_at),
        )
        return replace(question, id=number)

    def save(self, question: Question) -> Question:
        self.db.run(
            """
            UPDATE question SET answer = :answer, answered_at = :answered_at, answered_by = :answered_by
             WHERE id = :id AND owner_id = :owner
            """,
            id=question.id,
            owner=self.owner,
            answer=question.answer,
            answered_at=plain(question.answered_at),
            answered_by=question.answered_by,
        )
        return question


def _load(row: Row) -> Question:
    return Question(
        id=row["id"],
        owner=row["owner_id"],
        task=row["task_id"],
        run=row["run_id"],
        asking=Asking(row["asking"]),
        text=row["text"],
        options=tuple(Option(**option) for option in json.loads(row["options"])),
        data=json.loads(row["data"]),
        asked_at=datetime.fromisoformat(row["asked_at"]),
        answer=row["answer"],
        answered_at=load_moment(row["answered_at"]),
        answered_by=row["answered_by"],
    )
