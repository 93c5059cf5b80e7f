"""Access tokens: signed statements that a login is good for a quarter of an hour."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any
from uuid import uuid4

from taskpilot.domain.errors import Unauthenticated
from taskpilot.domain.login import ACCESS_LIFETIME, Login
from taskpilot.domain.scopes import write_scopes
from taskpilot.domain.user import User
from taskpilot.store.vault import Vault

ALGORITHM = "HS256"
"""The only one that is ever accepted, whatever a token's header says."""
ISSUER = "taskpilot"
ANYWHERE = "taskpilot"
"""The audience of a token for this whole server; any other is the address of one resource."""
TYPE = "at+jwt"
REQUIRED = ["iss", "aud", "sub", "sid", "iat", "exp"]


@dataclass(frozen=True, slots=True)
class Ticket:
    login: int
    audience: str
    expires_at: datetime


class Signer:
    """Makes and reads them. The key comes from the vault, so that every process on one store has the same."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    @cached_property
    def _key(self) -> bytes:
        return self._vault.derive("access tokens")

    def sign(self, user: User, login: Login, now: datetime) -> tuple[str, datetime]:
        """A token, and when it ends: never later than the login."""
        import jwt

        until = min(now + ACCESS_LIFETIME, login.expires_at)
        claims = {
            "iss": ISSUER,
            "aud": login.resource or ANYWHERE,
            "sub": user.uuid,
            "sid": login.id,
            "scope": write_scopes(login.scopes),
            "iat": int(now.timestamp()),
            "exp": int(until.timestamp()),
            "jti": uuid4().hex,
        }
        return jwt.encode(claims, self._key, ALGORITHM, {"typ": TYPE}), until

    def read(self, token: str, now: datetime) -> Ticket:
        """What a token says, if it is ours and not over."""
        import jwt

        try:
            found = jwt.decode_complete(
                token,
                self._key,
                [ALGORITHM],
                issuer=ISSUER,
                # Time is checked below, by our own clock; the audience by whoever knows what was asked for.
                options={"require": REQUIRED, "verify_exp": False, "verify_iat": False, "verify_aud": False},
            )
        except (jwt.PyJWTError, ValueError, RecursionError):
            raise refuse() from None
        return _check(found["header"], found["payload"], now)


def refuse() -> Unauthenticated:
    return Unauthenticated("This access token is not valid.", hint="Sign in, or refresh it.")


def _check(header: dict[str, Any], claims: dict[str, Any], now: datetime) -> Ticket:
    login, audience, until = claims["sid"], claims["aud"], claims["exp"]
    if header.get("typ") != TYPE or type(login) is not int or type(until) is not int or not isinstance(audience, str):
        raise refuse()
    if now.timestamp() >= until:
        raise Unauthenticated("This access token has run out.", hint="Refresh it, or sign in again.")
    return Ticket(login, audience, datetime.fromtimestamp(until, UTC))
