"""What one can do with users. Passwords come here as hashes: making them takes too long for a transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from secrets import token_hex
from typing import Any

from taskpilot.domain import text
from taskpilot.domain.caller import LOCAL_USER
from taskpilot.domain.errors import Conflict, Forbidden, Invalid, NotFound, Unauthenticated
from taskpilot.domain.login import read_credential
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.scopes import Scope
from taskpilot.domain.user import (
    HANDLE_MOST,
    NAME_MOST,
    NAMED_ID_MOST,
    User,
    is_email,
    parse_email,
    parse_handle,
    parse_settings,
    suggest_handle,
)
from taskpilot.ops import invitations, logins
from taskpilot.ops.logins import Entry
from taskpilot.store.work import Work

NUMBERED = 9
"""So many people of one name are told apart by a number; those after them by chance."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What a password is held against."""

    user_id: int
    hashed: str | None = None
    """None: there is no such account, or nobody can sign in to it."""


@reads(quick=True)
def me(work: Work) -> User:
    """The caller."""
    user = work.users.find(work.caller.user)
    if user is None:
        raise NotFound(f"There is no user {work.caller.user}.")
    return user


@writes
def ensure(work: Work, user_id: int) -> User:
    """The user of that number, made on first use. Safe to repeat."""
    found = work.users.find(user_id)
    if found is not None:
        return found
    if not 1 <= user_id <= NAMED_ID_MOST:
        raise Invalid(f"A user's number cannot be {user_id}.", hint=f"Choose 1 to {NAMED_ID_MOST}.")
    return work.users.add(_free_handle(work, f"user-{user_id}"), work.now, user_id)


@reads(quick=True, scope=Scope.ACCOUNT)
def find_proof(work: Work, email: str) -> Proof:
    """What to hold a password against. Like no other question, it answers the same for those who do not exist."""
    user = work.users.find_email(email) if is_email(email) else None
    return Proof(user.id, work.users.password_of(user.id)) if user else Proof(0)


@reads(quick=True, scope=Scope.ACCOUNT)
def own_proof(work: Work) -> Proof:
    """What the caller's password is held against."""
    hashed = work.users.password_of(work.caller.user)
    if hashed is None:
        hint = "On this machine, give it one: taskpilot user add EMAIL --local"
        raise Conflict("This account has no password.", hint=hint)
    return Proof(work.caller.user, hashed)


@reads(scope=Scope.ACCOUNT)
def expect(work: Work, email: str, *, mode: str, invitation: str = "") -> None:
    """Whether somebody may make an account: asked before the slow part, and again when it is made."""
    if mode == "closed":
        raise Forbidden("Nobody can sign up here.", hint="Ask whoever runs this server for an account.")
    if mode == "invitation" and not invitation:
        raise Forbidden("Signing up here takes an invitation.", hint="Ask whoever runs this server for one.")
    if mode == "invitation":
        invitations.verify(work, invitation, email)
    _expect_unused(work, email)


@writes(scope=Scope.ACCOUNT)
def sign_up(
    work: Work,
    email: str,
    hashed: str,
    refresh_hash: str,
    *,
    mode: str,
    name: str = "",
    invitation: str = "",
    client: str = "",
) -> Entry:
    """A new account, and its owner in it."""
    email = parse_email(email)
    expect(work, email, mode=mode, invitation=invitation)
    if mode == "invitation":
        invitations.redeem(work, invitation, email)
    user = _make(work, email, hashed, name)
    work.for_user(user).record("user.created", None, user)
    return logins.open_login(work, user.id, refresh_hash, client=client)


@writes(scope=Scope.ADMIN)
def add(work: Work, email: str, hashed: str, *, name: str = "", admin: bool = False, local: bool = False) -> User:
    """An account made by an administrator. `local` opens the local user's own account for signing in."""
    email = parse_email(email)
    _expect_unused(work, email)
    if not local:
        user = _make(work, email, hashed, name, admin=admin)
        work.for_user(user.id).record("user.created", None, user)
        return user
    before = find(work, LOCAL_USER)
    if before.email is not None:
        raise Conflict(f"The local user signs in as {before.email} already.", hint="Reset the password instead.")
    work.users.set_password(before.id, hashed)
    name = _clean_name(name) or before.name
    return _save(work, "user.updated", before, replace(before, email=email, name=name, admin=admin or before.admin))


@writes(scope=Scope.ACCOUNT)
def update(
    work: Work,
    *,
    name: str | None = None,
    handle: str | None = None,
    email: str | None = None,
    version: int | None = None,
) -> User:
    """Change the caller's own profile. Whoever lets the email be changed has checked the password."""
    before = me(work)
    before.expect(version)
    after = before
    if name is not None:
        after = replace(after, name=_clean_name(name))
    if handle is not None:
        after = replace(after, handle=_claim_handle(work, before, parse_handle(handle)))
    if email is not None:
        after = replace(after, email=parse_email(email))
        if after.email != before.email:
            _expect_unused(work, after.email or "")
    return before if after == before else _save(work, "user.updated", before, after)


@writes(scope=Scope.ACCOUNT)
def change_settings(work: Work, given: Mapping[str, Any], *, version: int | None = None, whole: bool = False) -> User:
    """Change some of the caller's settings; `whole` puts the others back to their defaults."""
    before = me(work)
    before.expect(version)
    chosen = parse_settings(given)
    after = replace(before, settings=chosen if whole else {**before.settings, **chosen})
    return before if after == before else _save(work, "user.updated", before, after)


@writes(scope=Scope.ACCOUNT)
def change_password(work: Work, proof: str, hashed: str) -> int:
    """Another password for the caller, whose other logins end: says how many. `proof` is the hash of the old one."""
    user = me(work)
    if work.users.password_of(user.id) != proof:
        raise Unauthenticated("The password has just been changed.", hint="Sign in with the new one.")
    return _set_password(work, user, hashed, but=read_credential(work.caller.credential))


@reads(scope=Scope.ADMIN)
def list_all(work: Work, *, limit: int = 50, offset: int = 0) -> tuple[list[User], int]:
    """Every user, in the order of their numbers, and how many there are."""
    return work.users.page(limit, offset)


@reads(scope=Scope.ADMIN)
def find(work: Work, who: int | str) -> User:
    """Somebody by number, UUID, email or handle."""
    if isinstance(who, int):
        user = work.users.find(who)
    else:
        name = text.clean_line(who)
        look = work.users
        user = look.find_uuid(name) or look.find_email(name.lower()) or look.find_handle(name.lower())
    if user is None or user.deleted_at is not None:
        raise NotFound(f"User {text.shorten(str(who), 60)!r} not found.", hint="List users to see who there is.")
    return user


@writes(scope=Scope.ADMIN)
def disable(work: Work, who: int | str, *, reason: str = "") -> User:
    """Close an account: its logins end and its tokens are refused, at once. Nothing is deleted. Safe to repeat."""
    before = find(work, who)
    if before.id == work.caller.user:
        raise Conflict("You cannot disable yourself.", hint="Another administrator can.")
    if before.disabled_at is not None:
        return before
    logins.revoke_all(work.for_user(before.id), reason="The account was disabled.")
    return _save(work, "user.disabled", before, replace(before, disabled_at=work.now), reason)


@writes(scope=Scope.ADMIN)
def enable(work: Work, who: int | str, *, reason: str = "") -> User:
    """Open an account again; its owner signs in anew. Safe to repeat."""
    before = find(work, who)
    return before if before.active else _save(work, "user.enabled", before, replace(before, disabled_at=None), reason)


@writes(scope=Scope.ADMIN)
def set_admin(work: Work, who: int | str, admin: bool) -> User:
    """Make somebody an administrator, or no longer one. Logins they have keep what they had at most."""
    before = find(work, who)
    return before if before.admin == admin else _save(work, "user.updated", before, replace(before, admin=admin))


@writes(scope=Scope.ADMIN)
def reset_password(work: Work, who: int | str, hashed: str) -> int:
    """A new password for somebody who forgot theirs. All their logins end: says how many."""
    user = find(work, who)
    if user.email is None:
        raise Conflict(f"{user.handle} has no email to sign in with.", hint="Give it one: user add EMAIL --local")
    return _set_password(work.for_user(user.id), user, hashed)


def _set_password(work: Work, user: User, hashed: str, *, but: int | None = None) -> int:
    work.users.set_password(user.id, hashed)
    work.record("user.password_changed", user, user)
    return logins.revoke_all(work, but=but, reason="The password was changed.")


def _make(work: Work, email: str, hashed: str, name: str, *, admin: bool = False) -> User:
    new = work.users.add(_free_handle(work, suggest_handle(email)), work.now)
    work.users.set_password(new.id, hashed)
    user = replace(new, email=email, name=_clean_name(name), admin=admin, version=0)
    return work.users.save(user)


def _save(work: Work, kind: str, before: User, after: User, reason: str = "") -> User:
    """The event is the account's own, whoever did it: that is how its credentials are looked at again."""
    after = work.users.save(after)
    work.for_user(after.id).record(kind, before, after, reason=reason)
    return after


def _expect_unused(work: Work, email: str) -> None:
    if work.users.find_email(email) is not None:
        raise Conflict(f"There is an account for {email} already.", hint="Sign in, or use another address.")


def _claim_handle(work: Work, user: User, handle: str) -> str:
    if handle == user.handle:
        return handle
    if user.id == LOCAL_USER:
        raise Conflict(f"The local user is called {user.handle}.", hint="Change the name instead.")
    if work.users.find_handle(handle) is not None:
        raise Conflict(f"The handle {handle!r} is taken.", hint="Choose another.")
    return handle


def _free_handle(work: Work, wanted: str) -> str:
    """As wanted, or with a number, or with something that nobody else has."""
    stem = wanted[: HANDLE_MOST - 9]
    for handle in (wanted, *(f"{stem}-{number}" for number in range(2, NUMBERED + 1))):
        if work.users.find_handle(handle) is None:
            return handle
    return f"{stem}-{token_hex(4)}"


def _clean_name(given: str) -> str:
    return text.line(given, "A name", NAME_MOST, least=0)
