"""Following what happens, from any point of the log onwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from taskpilot.domain import text
from taskpilot.domain.errors import Invalid
from taskpilot.domain.events import Event
from taskpilot.domain.operation import reads
from taskpilot.domain.selection import limit as check_limit
from taskpilot.domain.task import Status
from taskpilot.domain.wording import SILENT, describe
from taskpilot.store.work import Work

READ_AT_ONCE = 200
RECALLED_MOST = 1_000
"""So many changes are summed up task by task; of more, only the counts are told."""
COUNTED_MOST = 10_000
TOLD_MOST = 160
FOLLOWS = {"status", "progress"}
"""What goes without saying of a task that was completed or reopened."""


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


@dataclass(frozen=True, slots=True)
class TaskChange:
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
    by_task: dict[int, list[tuple[Event, str, str]]] = {}
    for each in past:
        by_task.setdefault(each[0].subject, []).append(each)
    changes = sorted(map(_merge, by_task.values()), key=lambda change: change.last)
    more = len(changes) - most
    return Digest(tuple(changes), end) if more <= 0 else Digest(tuple(changes[:most]), changes[most - 1].last, more)


def _merge(past: list[tuple[Event, str, str]]) -> TaskChange:
    events = [event for event, _, _ in past]
    newest, title, status = past[-1]
    return TaskChange(
        task=newest.subject,
        title=title,
        status=status,
        what=text.shorten(_tell(events), TOLD_MOST),
        actors=tuple(dict.fromkeys(event.actor for event in events)),
        last=newest.id,
    )


def _tell(events: list[Event]) -> str:
    """In words: what became of it, and the fields that are not what they were."""
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    for event in events:
        before = {**(event.before or {}), **before}  # the earliest counts
        after.update(event.after)
    made = events[0].before is None
    if after.get("deleted_at") is not None:
        return "created and deleted" if made else "deleted"
    if made:
        return "created"
    changed = {name for name in after if before.get(name) != after[name]}
    became = _become(before, after) if "status" in changed or "deleted_at" in changed else ""
    told = changed - SILENT - (FOLLOWS if became in ("completed", "reopened") else set())
    fields = _tell_fields(events[-1], before, {name: after[name] for name in after if name in told}) if told else ""
    if became or fields:
        return "; ".join(part for part in (became, fields) if part)
    return events[-1].kind.partition(".")[2] if len(events) == 1 else "changed back"


def _tell_fields(latest: Event, before: dict[str, Any], after: dict[str, Any]) -> str:
    if latest.undoes or latest.before != before or latest.after != after:  # else it tells all there is by itself
        latest = replace(latest, kind="task.updated", undoes=None, before=before, after=after)
    return describe(latest).partition(" ")[2]


def _become(before: Mapping[str, object], after: Mapping[str, object]) -> str:
    if before.get("deleted_at") is not None:
        return "restored"
    if after.get("status") == Status.DONE:
        return "completed"
    return "reopened" if before.get("status") in (Status.DONE, Status.DROPPED) else ""
