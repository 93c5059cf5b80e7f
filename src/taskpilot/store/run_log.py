"""What was said on the way, in the database. It only grows."""

from __future__ import annotations

import json
from bisect import bisect_left
from dataclasses import replace
from datetime import date, datetime, timedelta

from taskpilot.domain.events import Event
from taskpilot.domain.moments import stamp
from taskpilot.domain.run import Entry, Kind
from taskpilot.store.database import Connection, Row
from taskpilot.store.events import UNTOLD
from taskpilot.store.events import load as load_event

NEWEST = 10_000
"""How far back the days of the event log are looked for."""


class RunLog:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    def append(self, entry: Entry) -> Entry:
        """Its id is the database's to give; its number follows the last one's."""
        which = "run_id IS NULL AND task_id = :task" if entry.run is None else "run_id = :run"
        row = self.db.one(
            f"SELECT coalesce(max(number), 0) + 1 AS number FROM run_log WHERE {which}",
            task=entry.task,
            run=entry.run,
        )
        number = row["number"] if row else 1
        row_id = self.db.insert(
            """
            INSERT INTO run_log (owner_id, task_id, run_id, number, attempt, kind, text, data, at)
            VALUES (:owner, :task, :run, :number, :attempt, :kind, :text, :data, :at)
            """,
            owner=self.owner,
            task=entry.task,
            run=entry.run,
            number=number,
            attempt=entry.attempt,
            kind=entry.kind,
            text=entry.text,
            data=json.dumps(entry.data, ensure_ascii=False) if entry.data else "",
            at=stamp(entry.at),
        )
        return replace(entry, id=row_id, number=number)

    def of_run(self, run_id: int, limit: int, *, after: int = 0) -> list[Entry]:
        """The first entries past a number, in order."""
        rows = self.db.all(
            """
            SELECT * FROM run_log WHERE run_id = :run AND owner_id = :owner AND number > :after
             ORDER BY number LIMIT :limit
            """,
            run=run_id,
            owner=self.owner,
            after=after,
            limit=limit,
        )
        return [_load(row) for row in rows]

    def instructions_after(self, run_id: int, number: int) -> list[Entry]:
        """What the agent has not been told yet, in order."""
        rows = self.db.all(
            """
            SELECT * FROM run_log
             WHERE run_id = :run AND owner_id = :owner AND number > :after AND kind = 'instructions' ORDER BY number
            """,
            run=run_id,
            owner=self.owner,
            after=number,
        )
        return [_load(row) for row in rows]

    def of_task(self, task_id: int, limit: int, *, before: int | None = None) -> list[Entry]:
        """The last entries, oldest of them first."""
        return self._last("task_id = :task", limit, before, task=task_id)

    def of_day(self, day: date, limit: int, *, before: int | None = None, runs: bool = False) -> list[Entry]:
        """The last entries of a day in UTC, oldest of them first; with `runs`, only what belongs to one."""
        where = "at >= :first AND at < :last" + (" AND run_id IS NOT NULL" if runs else "")
        return self._last(where, limit, before, first=day.isoformat(), last=(day + timedelta(days=1)).isoformat())

    def counts(self, task_id: int) -> dict[str, int]:
        """How many entries there are of each kind."""
        rows = self.db.all(
            """
            SELECT kind, count(*) AS number FROM run_log WHERE task_id = :task AND owner_id = :owner
             GROUP BY kind ORDER BY kind
            """,
            task=task_id,
            owner=self.owner,
        )
        return {row["kind"]: row["number"] for row in rows}

    def counts_of_run(self, run_id: int) -> dict[str, int]:
        rows = self.db.all(
            """
            SELECT kind, count(*) AS number FROM run_log WHERE run_id = :run AND owner_id = :owner
             GROUP BY kind ORDER BY kind
            """,
            run=run_id,
            owner=self.owner,
        )
        return {row["kind"]: row["number"] for row in rows}

    def last_of_run(self, run_id: int, limit: int) -> list[Entry]:
        """The last entries, oldest of them first."""
        return self._last("run_id = :run", limit, None, run=run_id)

    def messages(self, task_id: int, limit: int) -> list[Entry]:
        """What an agent said last, oldest first."""
        return self._last("task_id = :task AND kind = 'message'", limit, None, task=task_id)

    def days(self) -> list[str]:
        """Days in UTC with entries, latest first."""
        rows = self.db.all(
            "SELECT DISTINCT substr(at, 1, 10) AS day FROM run_log WHERE owner_id = :owner ORDER BY 1 DESC LIMIT 100",
            owner=self.owner,
        )
        return [row["day"] for row in rows]

    # The event log, as a run's reader wants it.

    def events_of(self, task_id: int, limit: int) -> list[Event]:
        """What befell a task and its runs, oldest of the last first. Log entries are told elsewhere."""
        rows = self.db.all(
            f"""
            SELECT * FROM event
             WHERE owner_id = :owner AND noun = 'task' AND subject_id = :task
            UNION ALL
            SELECT event.* FROM event JOIN run ON run.id = event.subject_id AND run.task_id = :task
             WHERE event.owner_id = :owner AND event.noun = 'run' AND event.kind NOT IN {UNTOLD}
             ORDER BY id DESC LIMIT :limit
            """,
            owner=self.owner,
            task=task_id,
            limit=limit,
        )
        return [load_event(row) for row in reversed(rows)]

    def events_on(self, day: date, limit: int, *, before: int | None = None) -> list[Event]:
        """The last of all that happened on a day in UTC, oldest of them first."""
        last = self.db.one("SELECT coalesce(max(id), 0) AS id FROM event WHERE owner_id = :owner", owner=self.owner)
        every = range(1, (last["id"] if last else 0) + 1)
        first, end = (day.isoformat(), (day + timedelta(days=1)).isoformat())
        # Ids are in the order of commits, and moments nearly so: a day is a stretch of the log, with ragged ends.
        low = bisect_left(every, _shift(day, minutes=-5), key=self._moment_at)
        high = bisect_left(every, _shift(day, days=1, minutes=5), key=self._moment_at)
        rows = self.db.all(
            """
            SELECT * FROM event
             WHERE owner_id = :owner AND id > :low AND id <= :high AND at >= :first AND at < :last AND id < :before
             ORDER BY id DESC LIMIT :limit
            """,
            owner=self.owner,
            low=low,
            high=high,
            first=first,
            last=end,
            before=before or high + 1,
            limit=limit,
        )
        return [load_event(row) for row in reversed(rows)]

    def event_days(self) -> list[str]:
        """Days in UTC on which something happened of late, latest first."""
        rows = self.db.all(
            """
            SELECT DISTINCT substr(at, 1, 10) AS day
              FROM (SELECT at FROM event WHERE owner_id = :owner ORDER BY id DESC LIMIT :newest) AS late ORDER BY 1 DESC
            """,
            owner=self.owner,
            newest=NEWEST,
        )
        return [row["day"] for row in rows]

    def _moment_at(self, event_id: int) -> str:
        row = self.db.one(
            "SELECT at FROM event WHERE owner_id = :owner AND id >= :id ORDER BY id LIMIT 1",
            owner=self.owner,
            id=event_id,
        )
        return row["at"] if row else "9"

    def _last(self, where: str, limit: int, before: int | None, **params: object) -> list[Entry]:
        past = "" if before is None else "AND id < :before"
        rows = self.db.all(
            f"SELECT * FROM run_log WHERE owner_id = :owner AND {where} {past} ORDER BY id DESC LIMIT :limit",
            owner=self.owner,
            before=before,
            limit=limit,
            **params,
        )
        return [_load(row) for row in reversed(rows)]


def _shift(day: date, **by: int) -> str:
    return (datetime(day.year, day.month, day.day) + timedelta(**by)).isoformat()


def _load(row: Row) -> Entry:
    return Entry(
        id=row["id"],
        task=row["task_id"],
        run=row["run_id"],
        number=row["number"],
        attempt=row["attempt"],
        kind=Kind(row["kind"]),
        text=row["text"],
        data=json.loads(row["data"]) if row["data"] else None,
        at=datetime.fromisoformat(row["at"]),
    )
