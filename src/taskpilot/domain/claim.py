"""A claim: one agent's exclusive hold on a task, for as long as its lease lasts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from taskpilot.domain import text
from taskpilot.domain.errors import Conflict, Invalid
from taskpilot.domain.moments import wire

LEASE_LEAST = 5
LEASE_USUAL = 900
LEASE_MOST = 86_400
"""In seconds."""
HANDOFF_MOST = 4_000


class Ending(StrEnum):
    COMPLETED = "completed"  # the task was closed
    RELEASED = "released"  # given back
    EXPIRED = "expired"  # the lease ran out
    TAKEN = "taken"  # a person gave it to somebody else


@dataclass(frozen=True, slots=True, kw_only=True)
class Handoff:
    """What whoever leaves a task tells whoever comes next."""

    done: str = ""
    tried: str = ""
    failed: str = ""
    next: str = ""

    def __bool__(self) -> bool:
        return any(getattr(self, item.name) for item in fields(self))

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(f"{item.name}: {said}" for item in fields(self) if (said := getattr(self, item.name)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    id: int
    """The fencing token: a later claim always has a higher one, of whatever task."""
    owner: int
    task: int
    actor: str
    claimed_at: datetime
    lease_until: datetime
    lease: int
    """In seconds: what each renewal adds."""
    ended_at: datetime | None = None
    ending: Ending | None = None
    handoff: Handoff = Handoff()

    def holds(self, now: datetime) -> bool:
        return self.ended_at is None and now < self.lease_until

    def renew(self, now: datetime, lease: int | None = None) -> Claim:
        lease = self.lease if lease is None else lease
        return replace(self, lease=lease, lease_until=now + timedelta(seconds=lease))

    def end(self, ending: Ending, now: datetime, handoff: Handoff | None = None) -> Claim:
        return replace(self, ended_at=now, ending=ending, handoff=handoff or self.handoff)

    def resume(self) -> Claim:
        """As if it had not ended; its lease goes on from where it was."""
        return replace(self, ended_at=None, ending=None)


def parse_lease(given: int | None) -> int:
    lease = LEASE_USUAL if given is None else given
    if not LEASE_LEAST <= lease <= LEASE_MOST:
        raise Invalid(f"A lease cannot be {lease} seconds.", hint=f"Choose {LEASE_LEAST} to {LEASE_MOST}.")
    return lease


def parse_handoff(given: Mapping[str, Any]) -> Handoff:
    return Handoff(
        **{name: text.prose(str(said), f"The handoff's {name}", HANDOFF_MOST) for name, said in given.items() if said}
    )


def stale(task_id: int, token: int, mine: Claim | None, now_held: Claim | None, now: datetime) -> Conflict:
    """Why a token does not count any more, and who has the task now."""
    if mine is None or mine.task != task_id:
        what = f"Claim {token} is not a claim on task {task_id}"
    elif mine.ended_at is None:
        what = f"Claim {token} on task {task_id} ran out at {wire(mine.lease_until)}"
    else:
        what = f"Claim {token} on task {task_id} has ended ({mine.ending})"
    if now_held is not None and now_held.holds(now) and now_held.id != token:
        return Conflict(
            f"{what}; {now_held.actor} holds it now, until {wire(now_held.lease_until)}.",
            hint="Nothing was changed. Stop working on it, and take another.",
        )
    return Conflict(f"{what}; nobody holds it now.", hint="Nothing was changed. Claim it again before you go on.")
