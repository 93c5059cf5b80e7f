"""A user: everyone who owns tasks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from taskpilot.domain import text
from taskpilot.domain.errors import Invalid

NAMED_ID_MOST = 2**31 - 1
"""The largest id a caller may name; generated ids continue above every id in use."""
EMAIL_MOST = 254
NAME_MOST = 100
HANDLE_MOST = 40
PASSWORD_LEAST = 8
PASSWORD_MOST = 1_000
"""Longer ones would only keep the hash busy."""

_EMAIL = re.compile(r"[^@\s\x00-\x1f\x7f]+@[a-z0-9]([a-z0-9.-]*[a-z0-9])?")


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """The hash of the password is not part of it: what cannot be shown is never at hand."""

    id: int
    uuid: str
    handle: str
    created_at: datetime
    email: str | None = None
    """In lower case. None for those who cannot sign in."""
    name: str = ""
    admin: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    disabled_at: datetime | None = None
    deleted_at: datetime | None = None
    version: int = 1

    @property
    def active(self) -> bool:
        return self.disabled_at is None and self.deleted_at is None


def parse_email(given: str) -> str:
    """In lower case, so that one address is one account."""
    email = text.line(given, "An email address", EMAIL_MOST).lower()
    if not _EMAIL.fullmatch(email):
        raise Invalid(f"{text.shorten(email, 60)!r} is not an email address.", hint="It looks like ann@example.com.")
    return email


def check_password(given: str) -> str:
    """Every character counts, blanks too; only the length is ours to judge."""
    if len(given) < PASSWORD_LEAST:
        raise Invalid(f"A password has at least {PASSWORD_LEAST} characters.", hint="A few words in a row are good.")
    if len(given) > PASSWORD_MOST:
        raise Invalid(f"A password has at most {PASSWORD_MOST} characters.")
    return given


def suggest_handle(email: str) -> str:
    """A short name from an address."""
    return re.sub(r"[^a-z0-9._-]+", "-", email.partition("@")[0])[:HANDLE_MOST].strip("-") or "user"
