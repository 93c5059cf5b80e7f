"""What happened, and taking it back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from taskpilot.domain.errors import Conflict, Invalid, NotFound
from taskpilot.domain.events import Event
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.selection import Page, limit
from taskpilot.ops import reversal
from taskpilot.store.work import Work

MOST_SHOWN = 200
MOST_UNDONE = 10_000


@dataclass(frozen=True, slots=True)
class Undone:
    events: tuple[Event, ...]
    """What was taken back, latest first."""
    conflicts: tuple[str, ...] = ()
    """What was left as it is, because somebody changed it since: which thing, which of its fields, and who."""
    preview: bool = False
    """Nothing was changed: this is what an undo would do now."""
    change: int | None = None
    """The change that this undo is: undo that one to put everything back."""


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
def undo(
    work: Work,
    *,
    event_id: int | None = None,
    task_id: int | None = None,
    version: int | None = None,
    reason: str = "",
) -> Undone:
    """Take one change back whole, with all that the same operation did; or refuse and say why.

    Names nothing: the caller's own latest. Undoing an undo puts the change back. With the `version` of a task, only
    if nobody has changed it since; a deleted one is known by the version it had until then, too.
    """
    if task_id is not None and version is not None:
        _expect(work, task_id, version)
    event = work.events.get(event_id) if event_id is not None else _latest(work, task_id)
    events = work.events.of_change(event.change)
    if event.id in work.events.undone([event.id]):
        raise Conflict(f"Change {event.id} was undone already.", hint="Undo the undoing to put it back.")
    undone = _revert_all(work, events, reason)
    if not undone.events and not undone.conflicts:
        raise Conflict("There is nothing in this change to take back.", hint="Look at the history and name another.")
    if undone.conflicts:
        raise Conflict(f"Cannot undo: {'; '.join(undone.conflicts)}.", hint="Undo the later changes first.")
    return undone


@writes
def undo_changes(
    work: Work,
    *,
    actor: str | None = None,
    origin: str | None = None,
    since: datetime | None = None,
    preview: bool = False,
    reason: str = "",
) -> Undone:
    """Take back a changeset: what one actor did, or what came from one origin, since a moment or ever.

    What others have changed since is left, and named. `preview` tells the same and changes nothing. The undoing is
    one change: undoing that puts everything back.
    """
    if actor is None and origin is None:
        raise Invalid("Nobody to take changes back from was given.", hint="Name an actor, or an origin.")
    events = work.events.changeset(actor=actor, origin=origin, since=since, limit=MOST_UNDONE + 1)
    if not events:
        whose = f"{actor!r} has changed nothing" if origin is None else f"Nothing was changed from {origin!r}"
        when = " since then" if since is not None else ""
        raise NotFound(f"{whose}{when}.", hint="Look at the history for names and times.")
    if len(events) > MOST_UNDONE:
        raise Invalid(f"More than {MOST_UNDONE} changes are too many for one undo.", hint="Name a later moment.")
    # A change and its own undoing, both in the list, cancel each other out.
    mine = {event.id for event in events}
    cancelled = {event.undoes for event in events if event.undoes in mine}
    live = [event for event in events if event.id not in cancelled and event.undoes not in mine]
    gone = work.events.undone([event.id for event in live])
    live = [event for event in live if event.id not in gone]
    return _rehearse(work, live) if preview else _revert_all(work, live, reason)


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
        (each for each in events if reversal.can_revert(each) and each.change not in gone and each.undoes is None), None
    )
    if found is None:
        raise NotFound("There is nothing to undo.", hint="Look at the history and name a change.")
    return found


def _expect(work: Work, task_id: int, version: int) -> None:
    task = work.tasks.get(task_id, deleted=True)
    if version == task.version or (task.deleted_at is not None and version == task.version - 1):
        return
    since = min(max(task.version - version, 1), MOST_SHOWN)
    events = work.events.history(noun="task", subject=task_id, before=None, limit=since)
    who = " and ".join(dict.fromkeys(event.actor for event in reversed(events)))
    raise Conflict(
        f"Task {task_id} has been changed since by {who}: it is at version {task.version}, not {version}.",
        hint="Look at its history, and name the change to take back.",
    )


class _Rehearsed(Exception):
    """Ends a rehearsal: all it did is rolled back."""


def _rehearse(work: Work, events: list[Event]) -> Undone:
    known = len(work.changes)
    found = Undone((), preview=True)
    try:
        with work.db.savepoint():
            found = _revert_all(work, events, "")
            raise _Rehearsed
    except _Rehearsed:
        del work.changes[known:]
    return replace(found, preview=True, change=None)


def _revert_all(work: Work, events: list[Event], reason: str) -> Undone:
    undone: list[Event] = []
    conflicts: list[str] = []
    mine = {event.id for event in events}
    for event in events:
        try:
            if reversal.can_revert(event):
                reversal.revert(work, event, mine, reason)
                undone.append(event)
        except (Conflict, NotFound) as error:
            conflicts.append(error.message.rstrip("."))
    return Undone(tuple(undone), tuple(dict.fromkeys(conflicts)), change=work.changes[0] if undone else None)


def _before(cursor: str | None) -> int | None:
    if cursor is None:
        return None
    if not cursor.isascii() or not cursor.isdigit():
        raise Invalid("This cursor does not belong to this list.", hint="Start again without a cursor.")
    return int(cursor[:18])


def _limit(given: int) -> int:
    return limit(given, MOST_SHOWN)
