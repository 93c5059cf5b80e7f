"""Versions: how a change made on an old view is noticed."""

from __future__ import annotations

from taskpilot.domain.errors import Conflict


def expect(named: str, version: int, seen: int | None) -> None:
    """Refuse a writer who has not seen the latest change; None: a writer who does not care."""
    if seen is not None and seen != version:
        raise Conflict(
            f"{named} has changed: it is at version {version}, not {seen}.",
            hint="Get it again and repeat your change on what you see.",
        )
