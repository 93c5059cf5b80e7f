"""Who did what, through which door, and how it ended: the steps that the audit shows."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal, get_args

from taskpilot.domain import text
from taskpilot.domain.caller import Caller
from taskpilot.domain.errors import Invalid, Kind
from taskpilot.domain.moments import wire

OK = "ok"
BUG = "bug"
FAILED = "failed"
"""Asks for whatever was not `ok`."""
OUTCOMES = (OK, *get_args(Kind), BUG)

ACTOR_MOST = 100
DOOR_MOST = 100
TOOL_MOST = 200
MASK = "***"
_OPAQUE = re.compile(r"[\w.~+-]{40,}")
"""No tool or route has a name that long in one piece: it is somebody's token, put where it does not belong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call that changed nothing: what did is in the event log."""

    at: datetime
    owner: int | None
    """None where nobody was recognised."""
    actor: str
    address: str
    door: str
    tool: str
    outcome: str
    """`ok`, the kind of an error, or `bug`."""
    id: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One entry of the audit: an event, or a call that changed nothing."""

    id: int
    source: Literal["event", "call"]
    at: datetime
    user: str | None
    """The handle of whose it is; None where nobody was recognised."""
    actor: str
    address: str
    door: str
    tool: str
    outcome: str
    kind: str = ""
    """What befell what: `task.completed`; empty when nothing changed."""
    subject: int | None = None
    reason: str = ""

    @property
    def plain(self) -> dict[str, Any]:
        """As JSON carries it, wherever the audit is read."""
        return {**asdict(self), "at": wire(self.at)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """Which steps to show; every condition must hold."""

    actor: str | None = None
    door: str | None = None
    tool: str | None = None
    outcome: str | None = None
    since: datetime | None = None
    until: datetime | None = None


def make_call(at: datetime, caller: Caller, outcome: str) -> Call:
    """What is kept of a call. Names may come from strangers who were turned away: they are cleaned and cut."""
    return Call(
        at=at,
        owner=caller.user or None,
        actor=_tidy(caller.actor, ACTOR_MOST),
        address=_tidy(caller.address, DOOR_MOST),
        door=_tidy(caller.door, DOOR_MOST),
        tool=_tidy(caller.tool, TOOL_MOST),
        outcome=outcome,
    )


def parse_outcome(given: str) -> str:
    if given not in (*OUTCOMES, FAILED):
        raise Invalid(f"There is no outcome {given!r}.", hint=f"Choose one of: {', '.join((*OUTCOMES, FAILED))}.")
    return given


def _tidy(name: str, most: int) -> str:
    return text.shorten(_OPAQUE.sub(MASK, text.clean_line(name)), most)
