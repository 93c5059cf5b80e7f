"""Passwords, kept as argon2id hashes. Slow on purpose: never call these inside a transaction."""

from __future__ import annotations

import threading
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argon2 import PasswordHasher

AT_ONCE = 2
"""Each takes tens of megabytes and a core for a while: more at a time would let strangers exhaust the machine."""

_turns = threading.BoundedSemaphore(AT_ONCE)


def hash_password(password: str) -> str:
    with _turns:
        return _hasher().hash(_encode(password))


def is_right(hashed: str | None, password: str) -> bool:
    """Without a hash it takes as long and says no, so that nobody can tell which accounts there are."""
    from argon2.exceptions import InvalidHashError, VerificationError

    with _turns:
        nobody = _nobody()  # made on first use: also for somebody, or the first unknown one would take twice as long
        try:
            return _hasher().verify(hashed or nobody, _encode(password)) and bool(hashed)
        except (VerificationError, InvalidHashError):
            return False


def needs_rehash(hashed: str) -> bool:
    """Whether it was made with weaker settings than today's."""
    return _hasher().check_needs_rehash(hashed)


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher()


@cache
def _nobody() -> str:
    return _hasher().hash("nobody has this password")


def _encode(password: str) -> bytes:
    """Half a surrogate pair is a character like any other here."""
    return password.encode("utf-8", "surrogatepass")
