"""Who asks, through which door, and what they may do."""

from __future__ import annotations

from dataclasses import dataclass

from taskpilot.domain.scopes import EVERY, USUAL, Scope

LOCAL_USER = 1
LOCAL_HANDLE = "dev-user"
NOBODY = 0
"""Owns nothing and sees nothing."""
CARRYING_OUT = frozenset({Scope.READ, Scope.WRITE, Scope.RUN, Scope.DESK})
PEOPLES_DOORS = frozenset({"cli", "rest", "web", "chat"})
AT_THE_DOOR = frozenset({Scope.READ, Scope.ACCOUNT})
"""What it takes to find out who somebody is, and to let them in."""


@dataclass(frozen=True, slots=True)
class Caller:
    user: int
    """Whose tasks these are: the only rows the store will show."""
    actor: str
    """Who did it, as history tells it: a person's handle or an assistant's name."""
    door: str
    """Through which door: `cli`, `rest`, or a contract's name."""
    scopes: frozenset[Scope] = USUAL
    trusted: bool = False
    """This machine's own user: a contract that passes a `user_id` may take it at its word."""
    address: str = ""
    """The network address the call came from; empty on this machine's own streams."""
    tool: str = ""
    """The tool or route that was called."""
    credential: str = ""
    """What proved it: `login:12` or `token:3`; empty for the local user."""
    origin: str = ""
    """The connection, run or conversation it belongs to, such as `mcp:…`: one of them is one changeset."""
    run: int | None = None
    """The run whose agent it is."""

    @property
    def is_program(self) -> bool:
        """Whether an agent or a worker acts, and not a person: what it says is believed once it is proved."""
        return self.door not in PEOPLES_DOORS


def local(door: str, actor: str = LOCAL_HANDLE) -> Caller:
    """The person this machine belongs to."""
    return Caller(LOCAL_USER, actor, door, scopes=EVERY, trusted=True)


def worker(owner: int = NOBODY, actor: str = "worker", run: int | None = None) -> Caller:
    """Whoever carries runs out: for the owner of one, or for nobody while looking for work."""
    origin = f"run:{run}" if run is not None else ""
    trusted = owner == LOCAL_USER
    return Caller(owner, actor, "run", scopes=CARRYING_OUT, trusted=trusted, origin=origin, run=run)


def unknown(door: str, address: str = "") -> Caller:
    """Somebody at the door who has not said who they are: they can sign up or sign in, and own nothing."""
    return Caller(NOBODY, "unknown", door, scopes=AT_THE_DOOR, address=address)
