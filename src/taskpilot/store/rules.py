"""Rules in the database."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from taskpilot.domain.events import plain
from taskpilot.domain.moments import load_moment
from taskpilot.domain.rule import Rule, RuleKind
from taskpilot.store.database import Connection, Row

COLUMN = {"owner": "owner_id", "workspace": "workspace_id"}
FIELDS = tuple(item.name for item in fields(Rule))
_MOMENTS = ("created_at", "updated_at", "deleted_at")


class Rules:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    def find(self, rule_id: int, *, deleted: bool = False) -> Rule | None:
        row = self.db.one("SELECT * FROM rule WHERE id = :id AND owner_id = :owner", id=rule_id, owner=self.owner)
        return None if row is None or (row["deleted_at"] is not None and not deleted) else _load(row)

    def all(self, workspace_id: int) -> list[Rule]:
        """A workspace's rules, oldest first."""
        rows = self.db.all(
            """
            SELECT * FROM rule
             WHERE workspace_id = :workspace AND owner_id = :owner AND deleted_at IS NULL ORDER BY id
            """,
            workspace=workspace_id,
            owner=self.owner,
        )
        return [_load(row) for row in rows]

    def add(self, rule: Rule) -> Rule:
        number = self.db.insert(
            """
            INSERT INTO rule (owner_id, workspace_id, kind, content, created_at, updated_at, version)
            VALUES (:owner, :workspace, :kind, :content, :created_at, :updated_at, :version)
            """,
            owner=self.owner,
            workspace=rule.workspace,
            kind=rule.kind.value,
            content=rule.content,
            created_at=plain(rule.created_at),
            updated_at=plain(rule.updated_at),
            version=rule.version,
        )
        return replace(rule, id=number)

    def save(self, rule: Rule) -> Rule:
        self.db.run(
            """
            UPDATE rule SET content = :content, updated_at = :updated_at, deleted_at = :deleted_at, version = :version
             WHERE id = :id AND owner_id = :owner
            """,
            id=rule.id,
            content=rule.content,
            updated_at=plain(rule.updated_at),
            deleted_at=plain(rule.deleted_at),
            version=rule.version,
            owner=self.owner,
        )
        return rule


def revive(values: dict[str, Any]) -> dict[str, Any]:
    """Field values back from their JSON form."""
    revived = {name: load_moment(value) if name in _MOMENTS else value for name, value in values.items()}
    return revived | {"kind": RuleKind(values["kind"])} if "kind" in values else revived


def _load(row: Row) -> Rule:
    return Rule(**revive({name: row[COLUMN.get(name, name)] for name in FIELDS}))
