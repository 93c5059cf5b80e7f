"""Coming in by password: signing up, signing in, staying in.

These are errands: a password takes a tenth of a second to hash, far too long for a transaction.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from taskpilot.access.guesses import Guesses
from taskpilot.access.passwords import hash_password, is_right, needs_rehash
from taskpilot.access.secrets import hash_secret, make_secret
from taskpilot.access.tickets import Signer
from taskpilot.app import Errand
from taskpilot.domain.errors import Forbidden, Unauthenticated
from taskpilot.domain.login import Login
from taskpilot.domain.operation import sends
from taskpilot.domain.scopes import Scope
from taskpilot.domain.user import User, check_password, parse_email
from taskpilot.ops import logins, users
from taskpilot.ops.logins import SIGN_IN_AGAIN, Entry
from taskpilot.ops.users import Proof

GUESSES = Guesses()


@dataclass(frozen=True, slots=True)
class Admission:
    """Somebody who is in, and what to show from now on. Its secrets are shown once and kept nowhere."""

    user: User
    login: Login
    token: str = field(repr=False)
    refresh_token: str = field(repr=False)
    expires_at: datetime
    """When the token ends; the refresh token brings another."""


@dataclass(frozen=True, slots=True)
class Newcomer:
    email: str
    password: str = field(repr=False)
    mode: str
    """Who may sign up: open, invitation or closed."""
    name: str = ""
    invitation: str = field(default="", repr=False)
    client: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """Who somebody says they are."""

    email: str
    password: str = field(repr=False)
    client: str = ""


@dataclass(frozen=True, slots=True)
class NewPassword:
    current: str = field(repr=False)
    new: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Profile:
    """What is to be changed of it; None stays."""

    name: str | None = None
    handle: str | None = None
    email: str | None = None
    password: str | None = field(default=None, repr=False)
    """The current one: another email takes it."""
    version: int | None = None


@sends(scope=Scope.ACCOUNT)
def sign_up(errand: Errand, given: Newcomer) -> Admission:
    """A new account, if the server takes any."""
    email, password = parse_email(given.email), check_password(given.password)
    code = hash_secret(given.invitation) if given.invitation else ""
    errand.run(users.expect, email, mode=given.mode, invitation=code)
    hashed, refresh = hash_password(password), make_secret()
    entry = errand.run(
        users.sign_up,
        email,
        hashed,
        hash_secret(refresh),
        mode=given.mode,
        name=given.name,
        invitation=code,
        client=given.client,
    )
    return _admit(errand, entry, refresh)


@sends(scope=Scope.ACCOUNT)
def recognise(errand: Errand, given: Claim) -> Proof:
    """Whose email and password these are. An unknown email is told like a wrong password, and as late."""
    email = given.email.strip().lower()
    GUESSES.take(email, errand.caller.address)
    proof = errand.run(users.find_proof, email)
    if not is_right(proof.hashed, given.password):
        raise Unauthenticated("The email or the password is not right.", hint="Check both and try again.")
    GUESSES.forgive(email, errand.caller.address)
    return proof


@sends(scope=Scope.ACCOUNT)
def sign_in(errand: Errand, given: Claim) -> Admission:
    """A new login for whoever knows the password, which is kept better from then on if it can be."""
    proof = recognise(errand, given)
    rehashed = hash_password(given.password) if proof.hashed and needs_rehash(proof.hashed) else None
    refresh = make_secret()
    entry = errand.run(
        logins.open_login,
        proof.user_id,
        hash_secret(refresh),
        client=given.client,
        proof=proof.hashed,
        rehashed=rehashed,
    )
    return _admit(errand, entry, refresh)


@sends(scope=Scope.ACCOUNT)
def refresh(errand: Errand, shown: str) -> Admission:
    """A new pair of tokens for a refresh token, which is used up. Logins of OAuth clients are not renewed here."""
    fresh = make_secret()
    entry = errand.run(logins.renew, hash_secret(shown), hash_secret(fresh), client_id="")
    if entry is None:
        told = "This refresh token was used before, so its login has ended: somebody may have copied it."
        raise Unauthenticated(told, hint=SIGN_IN_AGAIN)
    return _admit(errand, entry, fresh)


@sends(scope=Scope.ACCOUNT)
def change_password(errand: Errand, given: NewPassword) -> int:
    """Ends every other login of the caller: says how many."""
    new = check_password(given.new)
    proof = _confirm(errand, given.current)
    return errand.run(users.change_password, proof.hashed or "", hash_password(new))


@sends(scope=Scope.ACCOUNT)
def change_profile(errand: Errand, given: Profile) -> User:
    """Whoever changes the email could take the account over, so that takes the password."""
    if given.email is not None:
        if given.password is None:
            raise Forbidden("Another email takes your current password.", hint="Send current_password with it.")
        _confirm(errand, given.password)
    return errand.run(users.update, name=given.name, handle=given.handle, email=given.email, version=given.version)


def _confirm(errand: Errand, password: str) -> Proof:
    """Whether the caller is still the one who signed in."""
    proof = errand.run(users.own_proof)
    account = f"user {proof.user_id}"
    GUESSES.take(account, errand.caller.address)
    if not is_right(proof.hashed, password):
        raise Unauthenticated("The current password is not right.", hint="Check it and try again.")
    GUESSES.forgive(account, errand.caller.address)
    return proof


def _admit(errand: Errand, entry: Entry, refresh_token: str) -> Admission:
    now = entry.login.last_used_at or entry.login.created_at
    token, until = Signer(errand.vault).sign(entry.user, entry.login, now)
    return Admission(entry.user, entry.login, token, refresh_token, until)
