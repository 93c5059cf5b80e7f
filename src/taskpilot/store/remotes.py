"""Remotes and their links in the database."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from datetime import datetime

from taskpilot.domain.errors import NotFound
from taskpilot.domain.moments import stamp
from taskpilot.domain.remote import Face, Link, Remote, State
from taskpilot.store.database import Connection, Row


class Remotes:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    def get(self, remote_id: int) -> Remote:
        return _load(self._row(remote_id))

    def find(self, workspace_id: int, system: str, scope: str) -> Remote | None:
        row = self.db.one(
            """
            SELECT * FROM remote
             WHERE owner_id = :owner AND workspace_id = :workspace AND system = :system AND scope = :scope
            """,
            owner=self.owner,
            workspace=workspace_id,
            system=system,
            scope=scope,
        )
        return _load(row) if row else None

    def latest(self, workspace_id: int, system: str) -> Remote | None:
        """The place of this kind that was set up or changed last."""
        row = self.db.one(
            """
            SELECT * FROM remote WHERE owner_id = :owner AND workspace_id = :workspace AND system = :system
             ORDER BY updated_at DESC, id DESC LIMIT 1
            """,
            owner=self.owner,
            workspace=workspace_id,
            system=system,
        )
        return _load(row) if row else None

    def add(self, remote: Remote, secrets: str) -> Remote:
        number = self.db.insert(
            """
            INSERT INTO remote
                (owner_id, workspace_id, system, scope, config, secrets, since, leased_by, created_at, updated_at,
                 version)
            VALUES (:owner, :workspace, :system, :scope, :config, :secrets, '', '', :created, :updated, :version)
            """,
            owner=self.owner,
            workspace=remote.workspace,
            system=remote.system,
            scope=remote.scope,
            config=json.dumps(dict(remote.config), ensure_ascii=False),
            secrets=secrets,
            created=stamp(remote.created_at),
            updated=stamp(remote.updated_at),
            version=remote.version,
        )
        return replace(remote, id=number)

    def save(self, remote: Remote, secrets: str) -> Remote:
        self.db.run(
            """
            UPDATE remote SET config = :config, secrets = :secrets, updated_at = :updated, version = :version
             WHERE id = :id AND owner_id = :owner
            """,
            id=remote.id,
            owner=self.owner,
            config=json.dumps(dict(remote.config), ensure_ascii=False),
            secrets=secrets,
            updated=stamp(remote.updated_at),
            version=remote.version,
        )
        return remote

    def secrets(self, remote_id: int) -> str:
        """Sealed; only a vault can read them."""
        return self._row(remote_id)["secrets"]

    def since(self, remote_id: int) -> str:
        return self._row(remote_id)["since"]

    def set_since(self, remote_id: int, since: str) -> None:
        self._set(remote_id, since=since)

    def lease(self, remote_id: int) -> tuple[str, datetime | None]:
        """Who syncs, and until when nobody else may."""
        row = self._row(remote_id)
        until = row["leased_until"]
        return row["leased_by"], None if until is None else datetime.fromisoformat(until)

    def set_lease(self, remote_id: int, token: str, until: datetime | None) -> None:
        self._set(remote_id, leased_by=token, leased_until=None if until is None else stamp(until))

    def links(self, remote_id: int) -> list[Link]:
        rows = self.db.all(
            """
            SELECT remote_link.* FROM remote_link JOIN remote ON remote.id = remote_link.remote_id
             WHERE remote_id = :remote AND remote.owner_id = :owner ORDER BY task_id
            """,
            remote=remote_id,
            owner=self.owner,
        )
        return [_load_link(row) for row in rows]

    def link_of(self, remote_id: int, task_id: int) -> Link | None:
        row = self.db.one(
            """
            SELECT remote_link.* FROM remote_link JOIN remote ON remote.id = remote_link.remote_id
             WHERE remote_id = :remote AND task_id = :task AND remote.owner_id = :owner
            """,
            remote=remote_id,
            task=task_id,
            owner=self.owner,
        )
        return _load_link(row) if row else None

    def put_link(self, remote_id: int, link: Link) -> None:
        self.db.run(
            """
            INSERT INTO remote_link (remote_id, key, task_id, label, url, ours, theirs, gone)
            VALUES (:remote, :key, :task, :label, :url, :ours, :theirs, :gone)
            ON CONFLICT (remote_id, key) DO UPDATE
               SET label = :label, url = :url, ours = :ours, theirs = :theirs, gone = :gone
            """,
            remote=remote_id,
            key=link.key,
            task=link.task_id,
            label=link.label,
            url=link.url,
            ours=_write(link.ours),
            theirs=_write(link.theirs),
            gone=int(link.gone),
        )

    def unlinked(self, remote: Remote) -> list[int]:
        """Tasks of its workspace that it does not know: the open ones, and those that refer to some system."""
        rows = self.db.all(
            """
            SELECT id FROM task
             WHERE owner_id = :owner AND workspace_id = :workspace AND deleted_at IS NULL
               AND (open = 1 OR external_refs <> '[]')
               AND NOT EXISTS (
                   SELECT 1 FROM remote_link WHERE remote_id = :remote AND remote_link.task_id = task.id)
             ORDER BY id
            """,
            owner=self.owner,
            workspace=remote.workspace,
            remote=remote.id,
        )
        return [row["id"] for row in rows]

    def titled(self, remote: Remote, title: str) -> list[int]:
        """Open tasks of its workspace with exactly this title, those it knows first."""
        rows = self.db.all(
            """
            SELECT task.id FROM task
              LEFT JOIN remote_link ON remote_link.task_id = task.id AND remote_link.remote_id = :remote
             WHERE task.owner_id = :owner AND task.workspace_id = :workspace AND task.open = 1 AND task.title = :title
             ORDER BY CASE WHEN remote_link.key IS NULL THEN 1 ELSE 0 END, task.id
            """,
            remote=remote.id,
            owner=self.owner,
            workspace=remote.workspace,
            title=title,
        )
        return [row["id"] for row in rows]

    def _row(self, remote_id: int) -> Row:
        row = self.db.one("SELECT * FROM remote WHERE id = :id AND owner_id = :owner", id=remote_id, owner=self.owner)
        if row is None:
            raise NotFound(f"There is no remote {remote_id}.", hint="Connect it first.")
        return row

    def _set(self, remote_id: int, **values: str | None) -> None:
        self.db.run(
            f"UPDATE remote SET {', '.join(f'{name} = :{name}' for name in values)}"
            " WHERE id = :id AND owner_id = :owner",
            id=remote_id,
            owner=self.owner,
            **values,
        )


def _load(row: Row) -> Remote:
    return Remote(
        id=row["id"],
        owner=row["owner_id"],
        workspace=row["workspace_id"],
        system=row["system"],
        scope=row["scope"],
        config=json.loads(row["config"]),
        created_at=datetime.fromisoformat(row["created_at"]),
        updated_at=datetime.fromisoformat(row["updated_at"]),
        version=row["version"],
    )


def _load_link(row: Row) -> Link:
    return Link(
        task_id=row["task_id"],
        key=row["key"],
        label=row["label"],
        url=row["url"],
        ours=_read(row["ours"]),
        theirs=_read(row["theirs"]),
        gone=bool(row["gone"]),
    )


def _write(face: Face) -> str:
    return json.dumps(asdict(face), ensure_ascii=False)


def _read(stored: str) -> Face:
    values = json.loads(stored)
    return Face(values["title"], values["description"], State(values["state"]))
