"""Following what happens, from any point of the log onwards."""

from __future__ import annotations

from dataclasses import dataclass

from taskpilot.domain.events import Event
from taskpilot.domain.operation import reads
from taskpilot.store.work import Work

READ_AT_ONCE = 200


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
