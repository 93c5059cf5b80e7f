"""What happened, and taking it back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from taskpilot.domain import links, run, task
from taskpilot.domain.errors import Conflict, Invalid, NotFound
from taskpilot.domain.events import Event, plain
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.selection import Page, limit
from taskpilot.domain.task import Task
from taskpilot.store.projects import revive as revive_project
from taskpilot.store.rules import revive as revive_rule
from taskpilot.store.work import Work

MOST_SHOWN = 200
MOST_UNDONE = 10_000


@dataclass(frozen=True, slots=True)
class Undone:
    events: tuple[Event, ...]
    """What was taken back, latest first."""
    conflicts: tuple[str, ...] = ()
    """What was left as it is, because somebody changed it since."""


@reads
def list_page(work: Work, *, task_id: int | None = None, limit: int = 20, cursor: str | None = None) -> Page[Event]:
    """What happened, latest first: to one task, or to everything the caller owns."""
    if task_id is not None:
        work.tasks.get(task_id, deleted=True)
    number = _limit(limit)
    noun = "task" if task_id is not None else None
    events = work.events.history(noun=noun, subject=task_id, before=_before(cursor), limit=number + 1)
    more = str(events[number - 1].id) if len(events) > number else None
    return Page(tuple(events[:number]), more)


@writes
def undo(work: Work, *, event_id: int | None = None, task_id: int | None = None, reason: str = "") -> Undone:
    """Take one change back whole, with all that the same operation did; or refuse and say why.

    Names nothing: the caller's own latest. Undoing an undo puts the change back.
    """
    event = work.events.get(event_id) if event_id is not None else _latest(work, task_id)
    events = work.events.of_change(event.change)
    if event.id in work.events.undone([event.id]):
        raise Conflict(f"Change {event.id} was undone already.", hint="Undo the undoing to put it back.")
    undone, conflicts = _revert_all(work, events, reason)
    if not undone.events and not conflicts:
        raise Conflict("There is nothing in this change to take back.", hint="Look at the history and name another.")
    if conflicts:
        raise Conflict(f"Cannot undo: {'; '.join(conflicts)}.", hint="Undo the later changes first.")
    return undone


@writes
def undo_actor(work: Work, actor: str, since: datetime, *, reason: str = "") -> Undone:
    """Take back everything one actor did since a moment, except what others have changed since."""
    events = work.events.by_actor(actor, since)
    if not events:
        raise NotFound(f"{actor!r} has changed nothing since then.", hint="Look at the history for names and times.")
    if len(events) > MOST_UNDONE:
        raise Invalid(f"{len(events)} changes are too many for one undo.", hint="Name a later moment.")
    # A change and its own undoing, both in the list, cancel each other out.
    mine = {event.id for event in events}
    cancelled = {event.undoes for event in events if event.undoes in mine}
    live = [event for event in events if event.id not in cancelled and event.undoes not in mine]
    gone = work.events.undone([event.id for event in live])
    undone, conflicts = _revert_all(work, [event for event in live if event.id not in gone], reason)
    return replace(undone, conflicts=tuple(conflicts))


def _latest(work: Work, task_id: int | None) -> Event:
    """The latest change that can still be undone: of one task, or by the caller."""
    if task_id is not None:
        work.tasks.get(task_id, deleted=True)
        events = work.events.history(noun="task", subject=task_id, before=None, limit=MOST_SHOWN)
    else:
        events = work.events.latest_by(work.caller.actor, MOST_SHOWN)
    undone = work.events.undone([event.id for event in events])
    gone = {event.change for event in events if event.id in undone}
    found = next(
        (each for each in events if each.noun in _CHANGES and each.change not in gone and each.undoes is None), None
    )
    if found is None:
        raise NotFound("There is nothing to undo.", hint="Look at the history and name a change.")
    return found


_CHANGES = {"task", "project", "rule", "run"}
"""Nouns that undo can take back; the others tell of what may stay."""


def _revert_all(work: Work, events: list[Event], reason: str) -> tuple[Undone, list[str]]:
    undone: list[Event] = []
    conflicts: list[str] = []
    mine = {event.id for event in events}
    for event in events:
        try:
            if _revert(work, event, mine, reason):
                undone.append(event)
        except (Conflict, NotFound) as error:
            conflicts.append(error.message.rstrip("."))
    return Undone(tuple(undone)), conflicts


def _revert(work: Work, event: Event, mine: set[int], reason: str) -> bool:
    """Take one event back. False: it only tells of something that may stay, such as a folder that was opened."""
    if event.noun == "task":
        _revert_task(work, event, mine, reason)
    elif event.noun == "project":
        _revert_project(work, event, reason)
    elif event.noun == "rule":
        _revert_rule(work, event, reason)
    elif event.noun == "run" and event.before:
        _revert_run(work, event, reason)
    else:
        return False
    return True


def _revert_task(work: Work, event: Event, mine: set[int], reason: str) -> None:
    before = work.tasks.get(event.subject, deleted=True)
    after = before.delete(work.now) if event.before is None else _task_as_before(work, before, event)
    if event.before is None:
        _forbid_later(work, event, mine)
    work.tasks.save(before, after)
    work.record("task.undone", before, after, reason=reason, undoes=event.id)


def _revert_project(work: Work, event: Event, reason: str) -> None:
    old = work.projects.get(event.subject, deleted=True)
    values: dict[str, Any] = (
        {"deleted_at": work.now} if event.before is None else revive_project(_unchanged(old, event))
    )
    if event.before is None and work.projects.task_ids(old.id):
        raise Conflict(f"project {old.name!r} has tasks")
    name: str = values.get("name", old.name)
    twin = work.projects.find(name)
    if twin is not None and twin.id != old.id:
        raise Conflict(f"there is another project {name!r}")
    new = work.projects.save(replace(old, **values, version=old.version + 1, updated_at=work.now))
    work.record("project.undone", old, new, reason=reason, undoes=event.id)


def _revert_rule(work: Work, event: Event, reason: str) -> None:
    old = work.rules.find(event.subject, deleted=True)
    if old is None:
        raise NotFound(f"There is no rule {event.subject}.")
    values: dict[str, Any] = {"deleted_at": work.now} if event.before is None else revive_rule(_unchanged(old, event))
    new = work.rules.save(replace(old, **values, version=old.version + 1, updated_at=work.now))
    work.record("rule.undone", old, new, reason=reason, undoes=event.id)


def _revert_run(work: Work, event: Event, reason: str) -> None:
    old = work.runs.get(event.subject)
    values = run.revive(_unchanged(old, event))
    new = replace(old, **values, version=old.version + 1, updated_at=work.now)
    work.runs.save(old, new)
    work.record("run.undone", old, new, reason=reason, undoes=event.id)


def _task_as_before(work: Work, now: Task, event: Event) -> Task:
    values = task.revive(_unchanged(now, event))
    if values.get("project_id") is not None:
        values["project"] = work.projects.get(values["project_id"]).name
    if values.get("blocked_by"):
        links.forbid_cycle(now.id, values["blocked_by"], work.tasks.blockers_of, "wait on")
    if values.get("parent") is not None:
        links.forbid_cycle(now.id, [values["parent"]], work.tasks.parents_of, "be part of")
    return replace(now, **values).touched(now, work.now)


def _unchanged(now: Any, event: Event) -> dict[str, Any]:
    """The values to go back to, if nobody has changed those fields since."""
    before = dict(event.before or {})
    for name in before:
        if plain(getattr(now, name)) != event.after[name]:
            raise Conflict(f"{event.noun} {event.subject} has had its {name.replace('_', ' ')} changed since")
    return before


def _forbid_later(work: Work, event: Event, mine: set[int]) -> None:
    """A new task is not taken back under the hands of somebody who has worked on it since."""
    later = [
        other
        for other in work.events.history(noun=event.noun, subject=event.subject, before=None, limit=MOST_SHOWN)
        if other.id > event.id and other.id not in mine and other.undoes is None
    ]
    gone = work.events.undone([other.id for other in later])
    other = next((other for other in later if other.id not in gone), None)
    if other is not None:
        raise Conflict(f"{event.noun} {event.subject} has been changed since by {other.actor}")


def _before(cursor: str | None) -> int | None:
    if cursor is None:
        return None
    if not cursor.isascii() or not cursor.isdigit():
        raise Invalid("This cursor does not belong to this list.", hint="Start again without a cursor.")
    return int(cursor[:18])


def _limit(given: int) -> int:
    return limit(given, MOST_SHOWN)
