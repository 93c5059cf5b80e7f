"""Tasks that could be next: only what it takes to compare them."""

from __future__ import annotations

import json
from datetime import datetime
from functools import lru_cache

from taskpilot.domain.candidate import Candidate
from taskpilot.domain.moments import load, stamp
from taskpilot.domain.selection import Selection
from taskpilot.domain.task import Energy, Priority, Status
from taskpilot.store import conditions
from taskpilot.store.database import Connection, Row

FREE = """NOT EXISTS (
    SELECT 1 FROM claim WHERE claim.task_id = task.id AND claim.ended_at IS NULL AND claim.lease_until > :now)"""
LAPSED = """task.status = 'in_progress' AND task.id IN (
    SELECT claim.task_id FROM claim
     WHERE claim.owner_id = :owner AND claim.ended_at IS NULL AND claim.lease_until <= :now)"""
"""Begun by somebody whose lease has run out: as good as returned, though nobody has put it back yet."""
WAITING = "task.status IN ('todo', 'backlog')"
"""Written as in the partial indexes, or the planner will not use them."""
DATED = "task.due_key < '9999'"
RANKED = "task.priority_key, task.created_at, task.id"
ORDERS = ((WAITING, RANKED), (f"{WAITING} AND {DATED}", "task.due_key, task.id"))
"""The most important first, and the soonest due first: the best is among the first of one of them."""

SELECT = """
SELECT task.id, task.title, task.priority, task.status, task.due_date, task.created_at, task.energy,
       task.time_estimate, task.project_id, task.workspace_id, task.connected_files,
       (SELECT count(*) FROM task_blocker JOIN task AS waiting ON waiting.id = task_blocker.task_id
         WHERE task_blocker.blocker_id = task.id AND waiting.open = 1) AS unblocks,
       (SELECT max(claim.id) FROM claim WHERE claim.task_id = task.id) AS last_claim
  FROM task
"""

_PRIORITY = {item.value: item for item in Priority}
_STATUS = {item.value: item for item in Status} | {"in_progress": Status.TODO}
"""What has lapsed counts as what it returns to."""
_ENERGY = {item.value: item for item in Energy}


class Candidates:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    def first(
        self,
        now: datetime,
        limit: int,
        *,
        project: str | None,
        tag: str | None,
        workspace: int | None,
        lapsed: bool,
    ) -> list[Candidate]:
        """The first that could be begun now, by each order, each task once. `lapsed`, if a lease has run out."""
        wish = {"project": project, "tag": tag, "workspace": workspace}
        narrow = tuple(value is not None for value in wish.values())
        values = {"owner": self.owner, "now": stamp(now), "startable_at": stamp(now), "limit": limit, **wish}
        found: dict[int, Candidate] = {}
        for which, order in ORDERS:
            rows = self.db.all(_write(which, order, *narrow), **values)
            found.update((row["id"], _load(row)) for row in rows if row["id"] not in found)
            if len(rows) < limit:
                break  # that was all of them
        if lapsed:
            found.update((row["id"], _load(row)) for row in self.db.all(_write(LAPSED, RANKED, *narrow), **values))
        return list(found.values())


@lru_cache
def _write(which: str, order: str, project: bool, tag: bool, workspace: bool) -> str:
    """Putting a statement together takes longer than running it: once for each kind of wish."""
    wish = Selection(
        closed=True,  # the order says which have not begun
        project="" if project else None,
        tag="" if tag else None,
        workspace=0 if workspace else None,
        startable_at=datetime.max,
        ready=True,
    )
    (_, *where), _ = conditions.write(wish, 0)
    more = " AND ".join((*where, which, FREE))
    return f"{SELECT} WHERE task.owner_id = :owner AND {more} ORDER BY {order} LIMIT :limit"


def _load(row: Row) -> Candidate:
    return Candidate(
        id=row["id"],
        title=row["title"],
        priority=_PRIORITY[row["priority"]],
        status=_STATUS[row["status"]],
        due_date=load(row["due_date"]),
        created_at=datetime.fromisoformat(row["created_at"]),
        energy=_ENERGY[row["energy"]],
        time_estimate=row["time_estimate"],
        project=row["project_id"],
        workspace=row["workspace_id"],
        files=() if row["connected_files"] == "[]" else tuple(json.loads(row["connected_files"])),
        unblocks=row["unblocks"],
        last_claim=row["last_claim"],
    )
