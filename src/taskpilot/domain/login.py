"""One signing in, and what it may be used for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from taskpilot.domain.scopes import Scope

ACCESS_LIFETIME = timedelta(minutes=15)
"""How long one access token holds; its login lives on through refreshing."""
LOGIN_LIFETIME = timedelta(days=30)
"""Since it was last refreshed."""
CLIENT_MOST = 200


class LoginKind(StrEnum):
    SESSION = "session"  # by password: the whole account
    OAUTH = "oauth"  # a client acting for somebody, within its scopes, at one resource


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    id: int
    owner: int
    kind: LoginKind
    client: str
    """What it was done with, in words: a browser, a program, an OAuth client's name."""
    created_at: datetime
    expires_at: datetime
    scopes: frozenset[Scope]
    client_id: str = ""
    resource: str = ""
    """The one address its tokens are for; empty: this whole server."""
    address: str = ""
    last_used_at: datetime | None = None
    revoked_at: datetime | None = None

    def holds(self, now: datetime) -> bool:
        return self.revoked_at is None and now < self.expires_at


def read_credential(credential: str) -> int | None:
    """The login by which somebody is in; None for tokens and for this machine's own user."""
    kind, _, number = credential.partition(":")
    return int(number) if kind == "login" else None
