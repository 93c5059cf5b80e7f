"""What a credential allows."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from taskpilot.domain.errors import Invalid


class Scope(StrEnum):
    READ = "tasks:read"
    WRITE = "tasks:write"
    RUN = "agents:run"
    ADMIN = "admin"
    DESK = "run:desk"
    """An agent's own run, and nothing else. Only the token made for a run carries it."""
    ACCOUNT = "account"
    """Passwords, tokens and the account itself: for a person who signed in. No token can carry it."""


GRANTABLE = (Scope.READ, Scope.WRITE, Scope.RUN, Scope.ADMIN)
"""What a token may be given."""
USUAL = frozenset({Scope.READ, Scope.WRITE, Scope.RUN})
PERSONAL = USUAL | {Scope.ACCOUNT}
"""What signing in gives a person who is no administrator."""
EVERY = frozenset(Scope) - {Scope.DESK}
"""What there is for people. A desk belongs to the agent of a run."""


def parse_scopes(given: Iterable[str]) -> frozenset[Scope]:
    """Scopes by their names, as a token may carry them. Writing includes reading: nobody can use one without."""
    names = list(dict.fromkeys(given))
    unknown = [name for name in names if name not in GRANTABLE]
    if unknown or not names:
        what = f"There is no scope {unknown[0]!r}." if unknown else "No scope was given."
        raise Invalid(what, hint=f"Choose from: {', '.join(GRANTABLE)}.")
    scopes = {Scope(name) for name in names}
    return frozenset(scopes | {Scope.READ} if scopes & {Scope.WRITE, Scope.RUN} else scopes)


def write_scopes(scopes: Iterable[Scope]) -> str:
    """As tokens and tables carry them: in one order, separated by blanks."""
    held = set(scopes)
    return " ".join(scope for scope in Scope if scope in held)


def read_scopes(written: str) -> frozenset[Scope]:
    return frozenset(Scope(name) for name in written.split())
