"""Closing an account for good: everything goes, and nothing says who it was."""

from __future__ import annotations

from dataclasses import replace

from taskpilot.domain.caller import LOCAL_USER
from taskpilot.domain.errors import Conflict, NotFound, Unauthenticated
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.scopes import Scope
from taskpilot.domain.user import User
from taskpilot.ops import users
from taskpilot.store.erasure import erase
from taskpilot.store.work import Work


@reads(scope=Scope.ACCOUNT)
def expect(work: Work) -> User:
    """The caller, if theirs is an account that can be closed."""
    return _closable(work, work.caller.user)


@writes(scope=Scope.ACCOUNT)
def leave(work: Work, proof: str | None) -> User:
    """Delete the caller's account and everything in it. `proof` is the hash of the password that was checked."""
    user = _closable(work, work.caller.user)
    if work.users.password_of(user.id) != proof:
        raise Unauthenticated("The password has just been changed.", hint="Sign in with the new one.")
    return _close(work, user)


@writes(scope=Scope.ADMIN)
def remove(work: Work, who: int | str, *, reason: str = "") -> User:
    """Delete somebody's account and everything in it, for an administrator."""
    user = _closable(work, users.find(work, who).id)
    if user.id == work.caller.user:
        raise Conflict("You cannot delete yourself here.", hint="Delete your own account with your password.")
    return _close(work, user, reason)


def _closable(work: Work, number: int) -> User:
    user = work.users.find(number)
    if user is None or user.deleted_at is not None:
        raise NotFound(f"User {number} not found.")
    if user.id == LOCAL_USER:
        raise Conflict(
            "The local user cannot be deleted: this machine belongs to it.",
            hint="Delete the tasks, or stop TaskPilot and remove its data folder.",
        )
    return user


def _close(work: Work, user: User, reason: str = "") -> User:
    """The event is written first: the log's last number must not be taken away, or followers would miss the next."""
    gone = replace(
        user,
        handle=f"deleted-{user.id}",
        email=None,
        name="",
        admin=False,
        settings={},
        disabled_at=None,
        deleted_at=work.now,
    )
    theirs = work.for_user(gone) if user.id == work.caller.user else work.for_user(user.id)
    event = theirs.record("user.deleted", None, gone, reason=reason)
    erase(work.db, user.id, email=user.email, but=event.id)
    work.users.set_password(user.id, None)
    return work.users.save(gone)
