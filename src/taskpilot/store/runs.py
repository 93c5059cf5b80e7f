"""Runs in the database."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, NamedTuple

from taskpilot.domain.errors import Conflict
from taskpilot.domain.events import plain
from taskpilot.domain.moments import stamp
from taskpilot.domain.run import Agent, Run, State, missing, revive
from taskpilot.domain.task import ID_MOST, Status
from taskpilot.store.database import Connection, Row
from taskpilot.store.run_log import RunLog

FIELDS = tuple(item.name for item in fields(Run))
COLUMN = {"owner": "owner_id", "task": "task_id", "workspace": "workspace_id"}
AS_JSON = {"config", "result", "files_changed", "commands"}
NEW = tuple(name for name in FIELDS if name != "id")
FIXED = {"id", "owner", "task", "session", "agent", "created_at"}

SELECT = "SELECT run.* FROM run JOIN task ON task.id = run.task_id AND task.deleted_at IS NULL"
LATEST = "run.id = (SELECT max(id) FROM run AS other WHERE other.task_id = task.id)"
INSERT = (
    f"INSERT INTO run ({', '.join(COLUMN.get(name, name) for name in NEW)}) "
    f"VALUES ({', '.join(':' + name for name in NEW)})"
)


class Count(NamedTuple):
    """How many tasks stand alike."""

    status: Status
    agent: Agent | None
    state: State | None
    held: bool
    number: int


class Usage(NamedTuple):
    tokens_in: int
    tokens_out: int
    cost_micros: int


class Diff(NamedTuple):
    head: str
    patch: str
    added: int
    removed: int


class Runs:
    """Those of tasks in the bin are not shown."""

    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    @property
    def log(self) -> RunLog:
        return RunLog(self.db, self.owner)

    def get(self, run_id: int) -> Run:
        row = None
        if abs(run_id) <= ID_MOST:
            row = self.db.one("SELECT * FROM run WHERE id = :id AND owner_id = :owner", id=run_id, owner=self.owner)
        if row is None:
            raise missing(run_id)
        return _load(row)

    def by_session(self, session: str) -> Run:
        row = self.db.one(
            f"{SELECT} WHERE run.session = :session AND run.owner_id = :owner", session=session, owner=self.owner
        )
        if row is None:
            raise missing(session)
        return _load(row)

    def latest(self, task_id: int) -> Run | None:
        return self.latest_of([task_id]).get(task_id)

    def latest_of(self, task_ids: Iterable[int]) -> dict[int, Run]:
        """The latest run of each task that has one."""
        rows = self.db.all(
            f"{SELECT} WHERE task.id IN :ids AND run.owner_id = :owner AND {LATEST}",
            ids=list(task_ids),
            owner=self.owner,
        )
        return {row["task_id"]: _load(row) for row in rows}

    def recent(self, limit: int, *, agent: str | None = None, begun: str = "") -> list[Run]:
        """Runs of agents, latest first; of one agent, or whose session begins like this."""
        rows = self.db.all(
            f"""
            {SELECT} WHERE run.owner_id = :owner AND run.agent {"= :agent" if agent else "<> 'hand'"}
               AND substr(run.session, 1, length(:begun)) = :begun
             ORDER BY run.id DESC LIMIT :limit
            """,
            owner=self.owner,
            agent=agent,
            begun=begun,
            limit=limit,
        )
        return [_load(row) for row in rows]

    def page(
        self,
        limit: int,
        offset: int = 0,
        *,
        states: Sequence[State] = (),
        agent: Agent | None = None,
        task: int | None = None,
        workspace: int | None = None,
    ) -> tuple[list[Run], int]:
        """Runs of agents that fit, latest first, and how many there are."""
        where = "WHERE run.owner_id = :owner AND run.agent " + ("= :agent" if agent else "<> 'hand'")
        where += " AND run.state IN :states" if states else ""
        where += " AND run.task_id = :task" if task is not None else ""
        where += " AND run.workspace_id = :workspace" if workspace is not None else ""
        params = {"owner": self.owner, "agent": agent, "states": list(states), "task": task, "workspace": workspace}
        rows = self.db.all(
            f"{SELECT} {where} ORDER BY run.id DESC LIMIT :limit OFFSET :offset", limit=limit, offset=offset, **params
        )
        counted = self.db.one(
            f"""
            SELECT count(*) AS number FROM run JOIN task ON task.id = run.task_id AND task.deleted_at IS NULL
            {where}
            """,
            **params,
        )
        return [_load(row) for row in rows], counted["number"] if counted else 0

    def own(self, run_ids: Iterable[int]) -> set[int]:
        """Those of these that are the user's."""
        rows = self.db.all(
            "SELECT id FROM run WHERE id IN :ids AND owner_id = :owner", ids=list(run_ids), owner=self.owner
        )
        return {row["id"] for row in rows}

    def on_branch(self, branch: str, limit: int) -> list[int]:
        """Tasks that were worked on there, latest first."""
        rows = self.db.all(
            """
            SELECT run.task_id, max(run.id) FROM run JOIN task ON task.id = run.task_id AND task.deleted_at IS NULL
             WHERE run.owner_id = :owner AND run.branch = :branch
             GROUP BY run.task_id ORDER BY 2 DESC LIMIT :limit
            """,
            owner=self.owner,
            branch=branch,
            limit=limit,
        )
        return [row["task_id"] for row in rows]

    def earlier(self, run: Run, limit: int) -> list[Run]:
        """Those that had a worktree for the same task and branch before, latest first."""
        rows = self.db.all(
            """
            SELECT * FROM run WHERE task_id = :task AND owner_id = :owner AND branch = :branch AND id < :id
               AND worktree <> '' ORDER BY id DESC LIMIT :limit
            """,
            task=run.task,
            owner=self.owner,
            branch=run.branch,
            id=run.id,
            limit=limit,
        )
        return [_load(row) for row in rows]

    def branches(self, limit: int, *, begun: str = "", workspace: int | None = None) -> list[str]:
        """Branches that runs were given, latest first; those that begin like this, or of one workspace."""
        rows = self.db.all(
            f"""
            SELECT run.branch, max(run.id) FROM run JOIN task ON task.id = run.task_id AND task.deleted_at IS NULL
             WHERE run.owner_id = :owner AND run.branch <> '' AND substr(run.branch, 1, length(:begun)) = :begun
               {"AND run.workspace_id = :workspace" if workspace is not None else ""}
             GROUP BY run.branch ORDER BY 2 DESC LIMIT :limit
            """,
            owner=self.owner,
            begun=begun,
            workspace=workspace,
            limit=limit,
        )
        return [row["branch"] for row in rows]

    def counts(self, workspace: int | None = None) -> list[Count]:
        """All tasks, or one workspace's, by all that tells how they stand."""
        rows = self.db.all(
            f"""
            SELECT task.status, run.agent, run.state,
                   run.worker <> '' OR (run.state = 'pending' AND run.queued_at IS NOT NULL
                                        AND task.status NOT IN ('done', 'dropped')) AS held,
                   count(*) AS number
              FROM task LEFT JOIN run ON run.task_id = task.id AND {LATEST}
             WHERE task.owner_id = :owner AND task.deleted_at IS NULL
               {"AND task.workspace_id = :workspace" if workspace is not None else ""}
             GROUP BY 1, 2, 3, 4
            """,
            owner=self.owner,
            workspace=workspace,
        )
        return [
            Count(
                Status(row["status"]),
                Agent(row["agent"]) if row["agent"] else None,
                State(row["state"]) if row["state"] else None,
                bool(row["held"]),
                row["number"],
            )
            for row in rows
        ]

    def usage(self) -> Usage:
        """What all runs have used together."""
        row = self.db.one(
            """
            SELECT coalesce(sum(tokens_in), 0) AS tokens_in, coalesce(sum(tokens_out), 0) AS tokens_out,
                   coalesce(sum(cost_micros), 0) AS cost
              FROM run WHERE owner_id = :owner
            """,
            owner=self.owner,
        ) or {"tokens_in": 0, "tokens_out": 0, "cost": 0}
        return Usage(int(row["tokens_in"]), int(row["tokens_out"]), int(row["cost"]))

    def diff(self, run_id: int) -> Diff | None:
        """What it changed, as it was last kept."""
        row = self.db.one(
            "SELECT * FROM run_diff WHERE run_id = :run AND owner_id = :owner", run=run_id, owner=self.owner
        )
        return Diff(row["head"], row["patch"], row["added"], row["removed"]) if row else None

    def keep_diff(self, run_id: int, diff: Diff, at: datetime) -> None:
        self.db.run(
            """
            INSERT INTO run_diff (run_id, owner_id, head, patch, added, removed, at)
            VALUES (:run, :owner, :head, :patch, :added, :removed, :at)
            ON CONFLICT (run_id) DO UPDATE SET head = excluded.head, patch = excluded.patch,
                   added = excluded.added, removed = excluded.removed, at = excluded.at
             WHERE run_diff.owner_id = excluded.owner_id
            """,
            run=run_id,
            owner=self.owner,
            **diff._asdict(),
            at=stamp(at),
        )

    def add(self, run: Run) -> Run:
        values = _dump(run, NEW)
        values["owner"] = self.owner
        return replace(run, id=self.db.insert(INSERT, **values))

    def save(self, before: Run, after: Run) -> Run:
        """Write what changed, unless the run has changed or changed hands since `before` was read."""
        changed = [name for name in FIELDS if name not in FIXED and getattr(before, name) != getattr(after, name)]
        if not changed:
            return after
        found = self.db.run(
            f"UPDATE run SET {', '.join(f'{COLUMN.get(name, name)} = :{name}' for name in changed)} "
            "WHERE id = :id AND owner_id = :owner_is AND attempt = :attempt_was AND version = :version_was",
            **_dump(after, changed),
            id=after.id,
            owner_is=self.owner,
            attempt_was=before.attempt,
            version_was=before.version,
        )
        if not found:
            raise Conflict(f"Run {after.id} has changed since.", hint="Look at it again and repeat.")
        return after


def _load(row: Row) -> Run:
    values: dict[str, Any] = {name: row[COLUMN.get(name, name)] for name in FIELDS}
    for name in AS_JSON:
        values[name] = json.loads(values[name]) if values[name] else None
    return Run(**revive(values))


def _dump(run: Run, names: Iterable[str]) -> dict[str, Any]:
    values = {name: plain(getattr(run, name)) for name in names}
    for name in AS_JSON & values.keys():
        values[name] = "" if values[name] is None else json.dumps(values[name], ensure_ascii=False)
    return values
