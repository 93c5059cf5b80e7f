"""Following what happens, from any point of the log onwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from taskpilot.domain import text
from taskpilot.domain.errors import Invalid
from taskpilot.domain.events import Event, Fields
from taskpilot.domain.operation import reads
from taskpilot.domain.selection import limit as check_limit
from taskpilot.domain.task import Status
from taskpilot.domain.wording import tell_fields
from taskpilot.store.events import TaskEvent
from taskpilot.store.work import Work

READ_AT_ONCE = 200
RECALLED_MOST = 1_000
"""So many changes are summed up task by task; of more, only the counts are told."""
COUNTED_MOST = 10_000
TOLD_MOST = 160
FOLLOWS = {"status", "progress"}
"""What goes without saying of a task that was completed or reopened."""
WHOLE = {"completed", "reopened"}
CLOSED = {status.value for status in Status if not status.open}


@dataclass(frozen=True, slots=True)
class News:
    events: tuple[Event, ...]
    """The caller's own, in the order in which they were committed."""
    last: int
    """Where to go on from."""
    more: bool = False
    """There is more to read at once."""
    reset: bool = False
    """What was known before is void: look at everything again, then go on from here."""


class TaskChange(NamedTuple):
    """All that happened to one task, as one change."""

    task: int
    title: str
    status: str
    """As it is today."""
    what: str
    actors: tuple[str, ...]
    last: int
    """The latest of its events."""


@dataclass(frozen=True, slots=True)
class Digest:
    changes: tuple[TaskChange, ...]
    """One for each task, in the order of their latest events."""
    last: int
    """Where to go on from."""
    more: int = 0
    """How many tasks come after these."""
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    """How often what happened, where too much did to tell each; up to COUNTED_MOST in all."""
    reset: bool = False
    """What was known before is void: look at everything again, then go on from here."""


@reads(quick=True)
def find_last(work: Work) -> int:
    """Where the log ends now: what comes later is past this."""
    return work.events.last()


@reads
def read_after(work: Work, event_id: int, *, limit: int = READ_AT_ONCE) -> News:
    """What happened to the caller's things past one event: nothing twice, and nothing left out.

    A restored backup voids what was known, and so does an id this log has not come to: it is another log's.
    """
    restored = work.events.restored()
    if restored > event_id:
        return News((), restored, more=True, reset=True)
    events = work.events.own_after(event_id, limit + 1)
    if events:
        return News(tuple(events[:limit]), events[:limit][-1].id, more=len(events) > limit)
    end = work.events.last()
    return News((), end, reset=True) if event_id > end else News((), event_id)


@reads
def sum_up(work: Work, revision: int, *, limit: int = READ_AT_ONCE) -> Digest:
    """What has changed since a revision, which is an event's id, task by task. Costs what the changes cost."""
    if revision < 0:
        raise Invalid(f"A revision cannot be {revision}.", hint="Give the revision of an earlier answer, or 0.")
    most = check_limit(limit)
    restored, end = work.events.find_ends()
    if restored > revision or revision > end:
        return Digest((), end, reset=True)
    past = work.events.of_tasks_after(revision, RECALLED_MOST + 1) if revision < end else []
    if len(past) > RECALLED_MOST:
        counts = work.events.count_of_tasks_after(revision, COUNTED_MOST)
        return Digest((), end, counts={kind.partition(".")[2]: number for kind, number in counts.items()})
    by_task: dict[int, list[TaskEvent]] = {}
    for event in past:
        by_task.setdefault(event.task, []).append(event)
    changes = sorted(map(_merge, by_task.values()), key=lambda change: change.last)
    more = len(changes) - most
    return Digest(tuple(changes), end) if more <= 0 else Digest(tuple(changes[:most]), changes[most - 1].last, more)


def _merge(events: list[TaskEvent]) -> TaskChange:
    newest = events[-1]
    actors = (newest.actor,) if len(events) == 1 else tuple(dict.fromkeys(event.actor for event in events))
    return TaskChange(
        newest.task, newest.title, newest.status, text.shorten(_tell(events), TOLD_MOST), actors, newest.id
    )


def _tell(events: list[TaskEvent]) -> str:
    """In words: what became of it, and the fields that are not what they were."""
    made = events[0].before is None
    before, after = _sum_fields(events)
    if after.get("deleted_at") is not None:
        return "created and deleted" if made else "deleted"
    if made:
        return "created"
    became = _become(before, after)
    if became in WHOLE:
        after = {name: value for name, value in after.items() if name not in FOLLOWS}
    told = [became, *tell_fields(before, after)] if became else tell_fields(before, after)
    if told:
        return "; ".join(told)
    return events[0].kind.partition(".")[2] if len(events) == 1 else "changed back"


def _sum_fields(events: list[TaskEvent]) -> tuple[Fields, Fields]:
    """The fields that are not what they were, before the first event and after the last."""
    if len(events) == 1:
        return events[0].before or {}, events[0].after
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    for event in events:
        before = {**(event.before or {}), **before}  # the earliest counts
        after.update(event.after)
    return before, {name: value for name, value in after.items() if before.get(name) != value}


def _become(before: Fields, after: Fields) -> str:
    if "deleted_at" in after:
        return "restored"
    if "status" not in after:
        return ""
    if after["status"] == Status.DONE:
        return "completed"
    return "reopened" if before.get("status") in CLOSED else ""
