"""How the tasks of today came to stand where they do: counts over time, from the tasks and from the log."""

from __future__ import annotations

import json
from typing import NamedTuple

from taskpilot.domain.days import Grain, begin_of
from taskpilot.domain.task import ID_MOST
from taskpilot.store.database import Connection
from taskpilot.store.stats import GRAINS

_STATUS = {
    "sqlite": "json_extract({0}, '$.status')",
    "postgres": """substring({0} from '"status":"([a-z_]+)"')""",
}
"""Out of an event's fields. In JSON a bare quotation mark belongs to no text, so what looks like it is the status.

PostgreSQL is not asked to parse it: it refuses texts with characters that it cannot store itself.
"""
_MINUTES = {
    "sqlite": "CAST(((julianday({1}) - julianday({0})) * 86400 + 0.001) / 60 AS INTEGER)",
    "postgres": "CAST(floor(extract(epoch FROM CAST({1} AS timestamptz) - CAST({0} AS timestamptz)) / 60) AS BIGINT)",
}
"""A Julian day is a fraction, and a little less than it should be."""


class Standing(NamedTuple):
    status: str
    priority: int
    project: int | None
    number: int


class Move(NamedTuple):
    """Tasks that went from one status to another in the same stretch of time."""

    began: str
    was: str
    became: str
    number: int
    actor: str = ""
    """Who completed them, if that is still how they stand; and through which door."""
    door: str = ""


Finish = tuple[str, int, int | None, int | None]
"""A task that is done: the stretch of time in which it was, its priority and project, and how many minutes it took;

None for one that nobody ever began.
"""


class Attempt(NamedTuple):
    """A run, and what it takes to tell how it went."""

    id: int
    agent: str
    state: str
    head: str
    cost_micros: int
    acceptance: tuple[str, ...]


class Insights:
    """Of the tasks of one user that exist today, or of those in one project or workspace."""

    def __init__(self, db: Connection, owner: int, project: int | None = None, workspace: int | None = None) -> None:
        self.db = db
        self.owner = owner
        self._given = {"owner": owner, "project": project, "workspace": workspace}
        self._there = (
            "task.deleted_at IS NULL"
            f"{' AND task.project_id = :project' if project is not None else ''}"
            f"{' AND task.workspace_id = :workspace' if workspace is not None else ''}"
        )

    def standings(self) -> list[Standing]:
        """How the tasks stand now."""
        rows = self.db.all(
            f"""
            SELECT status, priority, project_id, count(*) AS number FROM task
             WHERE task.owner_id = :owner AND {self._there} GROUP BY status, priority, project_id
            """,
            **self._given,
        )
        return [Standing(row["status"], row["priority"], row["project_id"], row["number"]) for row in rows]

    def creations(self, since: str, grain: Grain) -> list[tuple[str, int]]:
        """How many were made in each stretch of time."""
        return self._count("created_at", since, grain)

    def completions(self, since: str, grain: Grain) -> list[tuple[str, int]]:
        return self._count("completed_at", since, grain, "AND status = 'done'")

    def finishes(self, since: str, grain: Grain) -> list[Finish]:
        """Each that was completed from a moment on: to read them once is quicker than to count them three times."""
        rows = self.db.tuples(
            f"""
            SELECT {GRAINS[grain].format("completed_at")} AS began, priority, project_id,
                   {_MINUTES[self.db.dialect].format("started_at", "completed_at")} AS minutes
              FROM task WHERE task.owner_id = :owner AND {self._there} AND status = 'done' AND completed_at >= :since
            """,
            since=since,
            **self._given,
        )
        return [(began, priority, project, minutes) for began, priority, project, minutes in rows]

    def beginnings(self, since: str, grain: Grain) -> list[Move]:
        """Those made from a moment on as anything but to do, which most are."""
        rows = self.db.all(
            f"""
            SELECT {GRAINS[grain].format("task.created_at")} AS began,
                   {_STATUS[self.db.dialect].format("event.after_fields")} AS became, count(*) AS number
              FROM event JOIN task ON task.id = event.subject_id
             WHERE event.owner_id = :owner AND event.id >= :first AND event.kind = 'task.created'
               AND event.after_fields LIKE '%"status":"%' AND task.created_at >= :since
               AND task.owner_id = :owner AND {self._there}
             GROUP BY 1, 2
            """,
            first=self._first_event(since),
            since=since,
            **self._given,
        )
        return [Move(begin_of(row["began"], grain), "todo", row["became"], row["number"]) for row in rows]

    def moves(self, since: str, grain: Grain) -> list[Move]:
        """What the log tells of statuses that changed from a moment on."""
        status = _STATUS[self.db.dialect]
        rows = self.db.all(
            f"""
            SELECT {GRAINS[grain].format("event.at")} AS began, {status.format("event.before_fields")} AS was,
                   {status.format("event.after_fields")} AS became,
                   CASE WHEN event.at = task.completed_at THEN event.actor ELSE '' END AS actor,
                   CASE WHEN event.at = task.completed_at THEN event.door ELSE '' END AS door, count(*) AS number
              FROM event JOIN task ON task.id = event.subject_id
             WHERE event.owner_id = :owner AND event.id >= :first AND event.noun = 'task'
               AND event.kind <> 'task.created' AND event.before_fields LIKE '%"status":"%'
               AND task.owner_id = :owner AND {self._there}
             GROUP BY 1, 2, 3, 4, 5
            """,
            first=self._first_event(since),
            **self._given,
        )
        return [
            Move(begin_of(row["began"], grain), row["was"], row["became"], row["number"], row["actor"], row["door"])
            for row in rows
        ]

    def attempts(self, since: str) -> list[Attempt]:
        """Runs of agents made from a moment on."""
        rows = self.db.all(
            f"""
            SELECT run.id, run.agent, run.state, run.head, run.cost_micros, task.acceptance
              FROM run JOIN task ON task.id = run.task_id
             WHERE run.owner_id = :owner AND run.created_at >= :since AND run.agent <> 'hand'
             AND task.owner_id = :owner AND {self._there}
             ORDER BY run.id
            """,
            since=since,
            **self._given,
        )
        return [
            Attempt(
                row["id"],
                row["agent"],
                row["state"],
                row["head"],
                row["cost_micros"],
                tuple(json.loads(row["acceptance"])),
            )
            for row in rows
        ]

    def _count(self, moment: str, since: str, grain: Grain, where: str = "") -> list[tuple[str, int]]:
        rows = self.db.all(
            f"""
            SELECT {GRAINS[grain].format(moment)} AS began, count(*) AS number FROM task
             WHERE task.owner_id = :owner AND {self._there} {where} AND {moment} >= :since GROUP BY 1
            """,
            since=since,
            **self._given,
        )
        return [(begin_of(row["began"], grain), row["number"]) for row in rows]

    def _first_event(self, since: str) -> int:
        """Where in the log a moment is. Its numbers grow with time, so halving finds it without reading it all."""
        low, high = 0, self._next_event(ID_MOST, "<=")[0]
        while low < high:
            number, at = self._next_event(middle := (low + high) // 2, ">=")
            if at >= since:
                high = middle
            else:
                low = number + 1
        return low

    def _next_event(self, number: int, side: str) -> tuple[int, str]:
        row = self.db.one(
            f"""
            SELECT id, at FROM event WHERE owner_id = :owner AND id {side} :number
             ORDER BY id {"DESC" if side == "<=" else ""} LIMIT 1
            """,
            owner=self.owner,
            number=number,
        )
        return (row["id"], row["at"]) if row else (0, "")
