"""What one can do with personal access tokens."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, replace
from datetime import datetime

from taskpilot.domain import text
from taskpilot.domain.errors import Forbidden, Invalid, NotFound, OutOfScope, Unauthenticated
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.scopes import Scope
from taskpilot.domain.token import LIFETIME_MOST, NAME_MOST, Token
from taskpilot.domain.user import User
from taskpilot.store.work import Work


@dataclass(frozen=True, slots=True)
class Bearer:
    """Somebody who showed a token."""

    user: User
    token: Token


@reads(quick=True)
def verify(work: Work, token_id: int, hashed: str) -> Bearer:
    """Who a token stands for. Wrong, revoked and unknown ones get the same answer, in the same time."""
    found = work.tokens.find_hash(token_id)
    stored = found[1] if found else "0" * len(hashed)
    same = hmac.compare_digest(stored, hashed)
    user = work.users.find(found[0].owner) if found else None
    if not same or found is None or user is None or not user.active or not found[0].holds(work.now):
        raise Unauthenticated("This token is not valid, or not any more.", hint="Make a new one.")
    return Bearer(user, found[0])


@writes(scope=Scope.ACCOUNT)
def create(
    work: Work, name: str, hashed: str, scopes: frozenset[Scope], *, expires_at: datetime | None = None
) -> Token:
    """A new token that can do at most what its maker can."""
    beyond = scopes - work.caller.scopes
    if beyond:
        raise OutOfScope(min(beyond))
    owner = work.users.find(work.caller.user)
    if Scope.ADMIN in scopes and not (owner and owner.admin):
        raise Forbidden("Only an administrator's token can have the scope admin.", hint="Leave it out.")
    if expires_at is not None and not work.now < expires_at <= work.now + LIFETIME_MOST:
        raise Invalid("A token's last day lies ahead, and within ten years.", hint="Name another, or none.")
    token = work.tokens.add(
        Token(
            id=0,
            owner=work.caller.user,
            name=text.line(name, "A token's name", NAME_MOST),
            created_at=work.now,
            scopes=scopes,
            expires_at=expires_at,
        ),
        hashed,
    )
    work.record("token.created", None, token)
    return token


@reads(scope=Scope.ACCOUNT)
def list_all(work: Work, *, limit: int = 50, offset: int = 0) -> tuple[list[Token], int]:
    """The caller's tokens, newest first, and how many there are."""
    return work.tokens.page(limit, offset)


@reads(quick=True, scope=Scope.ACCOUNT)
def get(work: Work, token_id: int) -> Token:
    """One of the caller's tokens, without its secret."""
    found = work.tokens.find(token_id)
    if found is None or found.revoked_at is not None:
        raise _missing(token_id)
    return found


@writes(scope=Scope.ACCOUNT)
def revoke(work: Work, token_id: int) -> Token:
    """End a token at once. Safe to repeat."""
    before = work.tokens.find(token_id)
    if before is None:
        raise _missing(token_id)
    if before.revoked_at is not None:
        return before
    after = work.tokens.save(replace(before, revoked_at=work.now))
    work.record("token.revoked", before, after)
    return after


@writes(scope=Scope.RUN)
def close_desk(work: Work, run_id: int) -> None:
    """End what the agent of a run was given. Safe to repeat."""
    for before in work.tokens.of_run(run_id):
        after = work.tokens.save(replace(before, revoked_at=work.now))
        work.record("token.revoked", before, after)


def _missing(token_id: int) -> NotFound:
    return NotFound(f"Token {token_id} not found.", hint="List your tokens to see their numbers.")
