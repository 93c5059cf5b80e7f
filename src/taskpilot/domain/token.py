"""A personal access token: what a program shows instead of a password."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from taskpilot.domain.scopes import Scope

NAME_MOST = 100
LIFETIME_MOST = timedelta(days=3650)

_WRITTEN = re.compile(r"tp_([1-9][0-9]{0,17})_([A-Za-z0-9_-]{43})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """Its secret is shown once, when it is made; the store keeps only a hash."""

    id: int
    owner: int
    name: str
    created_at: datetime
    scopes: frozenset[Scope]
    expires_at: datetime | None = None
    last_used_at: datetime | None = None
    revoked_at: datetime | None = None
    run: int | None = None
    """The run whose agent it was made for."""

    def holds(self, now: datetime) -> bool:
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


def write_token(number: int, secret: str) -> str:
    return f"tp_{number}_{secret}"


def read_token(written: str) -> tuple[int, str] | None:
    """Its number and its secret; None for what is no such token."""
    found = _WRITTEN.fullmatch(written)
    return (int(found[1]), found[2]) if found else None
