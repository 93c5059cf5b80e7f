"""A user: everyone who owns tasks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any

from taskpilot.domain import text
from taskpilot.domain.errors import Conflict, Invalid, NotFound

NAMED_ID_MOST = 2**31 - 1
"""The largest id a caller may name; generated ids continue above every id in use."""
EMAIL_MOST = 254
NAME_MOST = 100
HANDLE_MOST = 40
PASSWORD_LEAST = 8
PASSWORD_MOST = 1_000
"""Longer ones would only keep the hash busy."""

EMAIL = r"[A-Za-z0-9._%+'-]{1,64}@[A-Za-z0-9]([A-Za-z0-9.-]{0,180}[A-Za-z0-9])?"
"""Plain letters only: two addresses that look alike are the same."""
HANDLE = r"[a-z][a-z0-9._-]{0,39}"
"""Begins with a letter, so that nobody takes it for a number."""
ZONE = r"[A-Za-z]{2,20}([/_+-][A-Za-z0-9]{1,20}){0,6}"

THEMES = ("system", "light", "dark")
WEEK_STARTS = ("monday", "sunday", "saturday")
DEFAULT_SETTINGS: Mapping[str, str] = {"time_zone": "UTC", "theme": "system", "week_start": "monday"}


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

    @property
    def preferences(self) -> dict[str, Any]:
        """Every setting: the default where none was chosen."""
        return {**DEFAULT_SETTINGS, **self.settings}

    def expect(self, version: int | None) -> None:
        """Refuse a change made on an old view."""
        if version is not None and version != self.version:
            raise Conflict(
                f"The account has changed: it is at version {self.version}, not {version}.",
                hint="Read it again, then repeat.",
            )


def parse_email(given: str) -> str:
    """In lower case, so that one address is one account. Nothing is taken out of it: it would be another's."""
    email = given.strip().lower()
    if not is_email(email):
        told = text.shorten(text.clean_line(email), 60)
        raise Invalid(f"{told!r} is not an email address.", hint="It looks like ann@example.com.")
    return email


def is_email(given: str) -> bool:
    return len(given) <= EMAIL_MOST and re.fullmatch(EMAIL, given) is not None


def parse_handle(given: str) -> str:
    handle = text.line(given, "A handle", HANDLE_MOST).lower()
    if not re.fullmatch(HANDLE, handle):
        raise Invalid(f"A handle cannot be {handle!r}.", hint="A letter, then letters, digits, dots or dashes.")
    return handle


def check_password(given: str) -> str:
    """Every character counts, blanks too; only the length is ours to judge."""
    if len(given) < PASSWORD_LEAST:
        raise Invalid(f"A password has at least {PASSWORD_LEAST} characters.", hint="A few words in a row are good.")
    if len(given) > PASSWORD_MOST:
        raise Invalid(f"A password has at most {PASSWORD_MOST} characters.")
    return given


def suggest_handle(email: str) -> str:
    """A short name from an address."""
    found = re.sub(r"[^a-z0-9._-]+", "-", email.partition("@")[0]).strip("-._")
    return (found if found[:1].isalpha() else f"user-{found}")[:HANDLE_MOST].rstrip("-._")


def parse_settings(given: Mapping[str, Any]) -> dict[str, str]:
    """Some settings, checked one by one."""
    choices = {"theme": THEMES, "week_start": WEEK_STARTS}
    for name, value in given.items():
        if name not in DEFAULT_SETTINGS:
            raise Invalid(f"There is no setting {name!r}.", hint=f"Choose from: {', '.join(DEFAULT_SETTINGS)}.")
        if name in choices and value not in choices[name]:
            raise Invalid(f"{name} cannot be {value!r}.", hint=f"Choose one of: {', '.join(choices[name])}.")
    zone = given.get("time_zone")
    if zone is not None and zone not in _zones():
        raise NotFound(f"There is no time zone {zone!r}.", hint="They are named like Europe/Berlin.")
    return dict(given)


@cache
def _zones() -> frozenset[str]:
    from zoneinfo import available_timezones

    return frozenset(available_timezones() | {"UTC"})
