"""Who asks, and through which door."""

from __future__ import annotations

from dataclasses import dataclass

LOCAL_USER = 1
LOCAL_HANDLE = "dev-user"


@dataclass(frozen=True, slots=True)
class Caller:
    user: int
    """Whose tasks these are: the only rows the store will show."""
    actor: str
    """Who did it, as history tells it: a person's handle or an assistant's name."""
    door: str
    """Through which door: `cli`, a contract's name, later `rest`."""


def local(door: str, actor: str = LOCAL_HANDLE) -> Caller:
    """The person this machine belongs to."""
    return Caller(LOCAL_USER, actor, door)
