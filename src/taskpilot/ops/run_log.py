"""What was said and done on the way."""

from __future__ import annotations

from datetime import date

from taskpilot.domain import payload, text
from taskpilot.domain.events import Event
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.run import LOG_MOST, Entry, Kind, Logged, Run, Said
from taskpilot.domain.scopes import Scope
from taskpilot.domain.task import Task
from taskpilot.store.work import Work

TOLD_MOST = 500
"""Of a log entry, in the event log."""


@writes(scope=Scope.RUN)
def say(work: Work, task: Task, run: Run | None, *said: Said) -> Entry:
    """Add to the log of a run, or of a task that has none; the last entry. Followers are told once."""
    entry: Entry | None = None
    for each in said:
        entry = work.runs.log.append(
            Entry(
                id=0,
                task=task.id,
                run=run.id if run else None,
                number=0,
                attempt=run.attempt if run else 0,
                kind=each.kind,
                text=payload.mask(text.shorten(each.text, LOG_MOST)),
                data=payload.mask(dict(each.data), names=True) if each.data else None,
                at=work.now,
            )
        )
    if entry is None:
        raise ValueError("there was nothing to say")
    _tell(work, task, run, entry)
    return entry


def _tell(work: Work, task: Task, run: Run | None, entry: Entry) -> None:
    told = Logged(
        id=run.id if run else 0,
        task=task.id,
        number=entry.number,
        kind=entry.kind,
        text=text.shorten(entry.text, TOLD_MOST),
        session=run.session if run else "",
        agent=run.agent if run else "",
        branch=run.branch if run else "",
        workspace=task.workspace,
        path=work.workspaces.get(task.workspace).path if task.workspace is not None else "",
    )
    work.record("run.logged", None, told)


@writes(scope=Scope.RUN)
def say_state(work: Work, task: Task, run: Run | None, before: object, after: object) -> None:
    """That it stands otherwise than before."""
    say(work, task, run, Said(Kind.STATUS, f"{before} → {after}"))


@reads
def read_run(work: Work, run_id: int, *, after: int = 0, limit: int = 200) -> list[Entry]:
    """Entries of a run's log past a number, in order: nothing twice, and nothing left out."""
    work.runs.get(run_id)
    return work.runs.log.of_run(run_id, limit, after=after)


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
