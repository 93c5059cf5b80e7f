"""What one can do with logins. Secrets come here as hashes: making them is not the store's business."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from taskpilot.domain import text
from taskpilot.domain.errors import NotFound, Unauthenticated
from taskpilot.domain.login import CLIENT_MOST, LOGIN_LIFETIME, Login, LoginKind, read_credential
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.scopes import EVERY, PERSONAL, Scope
from taskpilot.domain.user import User
from taskpilot.store.work import Work

SIGN_IN_AGAIN = "Sign in again."


@dataclass(frozen=True, slots=True)
class Entry:
    """Somebody who is in: who, and by which login."""

    user: User
    login: Login


@reads(quick=True)
def verify(work: Work, login_id: int) -> Entry:
    """Who an access token stands for, if its login still holds."""
    login = work.logins.find(login_id)
    if login is None or not login.holds(work.now):
        raise Unauthenticated("You are signed out.", hint=SIGN_IN_AGAIN)
    return Entry(_active(work, login.owner), login)


@writes(scope=Scope.ACCOUNT)
def open_login(
    work: Work,
    user_id: int,
    refresh_hash: str,
    *,
    kind: LoginKind = LoginKind.SESSION,
    client: str = "",
    client_id: str = "",
    scopes: frozenset[Scope] | None = None,
    resource: str = "",
    proof: str | None = None,
    rehashed: str | None = None,
) -> Entry:
    """Let somebody in who has proved who they are. Without scopes: all that the person may do.

    `proof` is the hash their password was held against: it may have been changed meanwhile. `rehashed` is the
    same password, better kept.
    """
    user = _active(work, user_id)
    if proof is not None and work.users.password_of(user.id) != proof:
        raise Unauthenticated("The password has just been changed.", hint="Sign in with the new one.")
    if rehashed is not None:
        work.users.set_password(user.id, rehashed)
    theirs = work.for_user(user)
    theirs.logins.prune(work.now)
    everything = EVERY if user.admin else PERSONAL
    login = theirs.logins.add(
        Login(
            id=0,
            owner=user.id,
            kind=kind,
            client=text.shorten(text.clean_line(client), CLIENT_MOST),
            client_id=client_id,
            scopes=everything if scopes is None else scopes & everything,
            resource=resource,
            address=work.caller.address,
            created_at=work.now,
            expires_at=work.now + LOGIN_LIFETIME,
        )
    )
    theirs.logins.add_refresh(login, refresh_hash)
    theirs.record("login.created", None, login)
    return Entry(user, login)


@writes(scope=Scope.ACCOUNT)
def renew(work: Work, refresh_hash: str, new_hash: str, *, client_id: str | None = None) -> Entry | None:
    """Change a refresh token for a new one. Used twice, it has been stolen: None, and the login has ended.

    The ending must be kept although the call fails, which is why this answers None instead of raising.
    """
    found = work.logins.find_refresh(refresh_hash)
    if found is None:
        raise Unauthenticated("This refresh token is not known.", hint=SIGN_IN_AGAIN)
    login, used_at = found
    if client_id is not None and login.client_id != client_id:
        raise Unauthenticated("This refresh token is not known.", hint=SIGN_IN_AGAIN)
    if not login.holds(work.now):
        raise Unauthenticated("You are signed out.", hint=SIGN_IN_AGAIN)
    user = _active(work, login.owner)
    if used_at is not None:
        _end(work.for_user(user), login, work.now, "A refresh token was used twice.")
        return None
    work.logins.use_refresh(refresh_hash, work.now)
    work.for_user(user).logins.prune(work.now)
    login = work.logins.save(replace(login, last_used_at=work.now, expires_at=work.now + LOGIN_LIFETIME))
    work.logins.add_refresh(login, new_hash)
    return Entry(user, login)


@reads(scope=Scope.ACCOUNT)
def list_all(work: Work, *, limit: int = 50, offset: int = 0) -> tuple[list[Login], int]:
    """The caller's logins that still hold, newest first, and how many there are."""
    return work.logins.page(work.now, limit, offset)


@writes(scope=Scope.ACCOUNT)
def sign_out(work: Work) -> Login | None:
    """End the login by which the caller is in. None for this machine's own user, who needs none."""
    number = read_credential(work.caller.credential)
    return None if number is None else revoke(work, number)


@writes(scope=Scope.ACCOUNT)
def revoke(work: Work, login_id: int, *, reason: str = "") -> Login:
    """End one login: its tokens stop working at once. Safe to repeat."""
    login = work.logins.find(login_id)
    if login is None or login.owner != work.caller.user:
        raise NotFound(f"Login {login_id} not found.", hint="List your sessions to see their numbers.")
    return login if login.revoked_at is not None else _end(work, login, work.now, reason)


@writes(scope=Scope.ACCOUNT)
def revoke_all(work: Work, *, but: int | None = None, reason: str = "") -> int:
    """End all the caller's logins, or all but one. Says how many."""
    others = [login for login in work.logins.all(work.now) if login.id != but]
    for login in others:
        _end(work, login, work.now, reason)
    return len(others)


def _active(work: Work, user_id: int) -> User:
    user = work.users.find(user_id)
    if user is None or not user.active:
        raise Unauthenticated("This account is closed.", hint="Ask whoever runs this server.")
    return user


def _end(work: Work, login: Login, at: datetime, reason: str) -> Login:
    after = work.logins.save(replace(login, revoked_at=at))
    work.record("login.revoked", login, after, reason=reason)
    return after
