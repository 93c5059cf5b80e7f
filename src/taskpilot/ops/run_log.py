"""What was said and done on the way."""

from __future__ import annotations

from datetime import date

from taskpilot.domain.events import Event
from taskpilot.domain.operation import reads
from taskpilot.domain.run import Entry
from taskpilot.store.work import Work


@reads
def read_task(work: Work, task_id: int, *, limit: int, before: int | None = None) -> list[Entry]:
    """The last entries of a task's log, in the order they came."""
    work.tasks.get(task_id)
    return work.runs.log.of_task(task_id, limit, before=before)


@reads
def read_output(work: Work, task_id: int, *, limit: int) -> list[Entry]:
    """What the agent of a task said last, in the order it came."""
    work.tasks.get(task_id)
    return work.runs.log.messages(task_id, limit)


@reads
def read_events(work: Work, task_id: int, *, limit: int) -> list[Event]:
    """What befell a task and its runs, in the order it came."""
    work.tasks.get(task_id)
    return work.runs.log.events_of(task_id, limit)


@reads
def read_day(work: Work, day: date, *, limit: int, before: int | None = None, runs: bool = False) -> list[Entry]:
    """The last entries of one day (UTC) in all logs, in the order they came; with `runs`, only what belongs to one."""
    return work.runs.log.of_day(day, limit, before=before, runs=runs)


@reads
def read_audit(work: Work, day: date, *, limit: int, before: int | None = None) -> list[Event]:
    """The last of what changed on one day (UTC), in the order it came."""
    return work.runs.log.events_on(day, limit, before=before)


@reads
def list_days(work: Work, *, audit: bool = False) -> list[str]:
    """Days (UTC) that have a log, or on which something changed; latest first."""
    return work.runs.log.event_days() if audit else work.runs.log.days()
