"""Days as people have them: from midnight to midnight where they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Literal

from taskpilot.domain.errors import NotFound
from taskpilot.domain.moments import stamp

Grain = Literal["day", "hour", "quarter"]
"""A stretch of time in UTC: a day of any place is made of whole days, hours or quarters of an hour of it."""


def find_zone(name: str) -> tzinfo:
    """A time zone by its IANA name."""
    if name == "UTC":
        return UTC
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise NotFound(f"There is no time zone {name!r}.", hint="They are named like Europe/Berlin.") from None


def begin(day: date, zone: tzinfo) -> str:
    """The moment a day begins, as it is stored."""
    return stamp(datetime.combine(day, time(), zone))


def choose_grain(zone: tzinfo, first: date, last: date) -> Grain:
    """How finely to ask. Offsets from UTC change a few times a year, and are whole quarters of an hour everywhere."""
    if zone is UTC:
        return "day"
    sampled = {first + timedelta(days=each) for each in range(0, (last - first).days, 28)} | {last}
    offsets = [datetime.combine(day, time(), zone).utcoffset() or timedelta() for day in sampled]
    return "quarter" if any(offset % timedelta(hours=1) for offset in offsets) else "hour"


def begin_of(key: str, grain: Grain) -> str:
    """When a stretch of time began, `2026-01-22` or `2026-01-22T10:30`, by as much of a moment as the grain keeps."""
    return key if grain == "day" else f"{key}:00" if grain == "hour" else f"{key[:-1]}{15 * int(key[-1]):02}"


def day_of(began: str, zone: tzinfo) -> str:
    """The day that a stretch of time belongs to, by when it began (UTC)."""
    if zone is UTC:
        return began[:10]
    return datetime.fromisoformat(began).replace(tzinfo=UTC).astimezone(zone).date().isoformat()


def sum_up(counted: Iterable[tuple[str, int]], zone: tzinfo) -> dict[str, int]:
    """Numbers by stretch of time, as numbers by day."""
    days = Counter[str]()
    for began, number in counted:
        days[day_of(began, zone)] += number
    return dict(days)


def measure_streak(days: Container[str], today: date) -> int:
    """How many days in a row are among these, up to today; up to yesterday while today is not."""
    day = today if today.isoformat() in days else today - timedelta(days=1)
    length = 0
    while day.isoformat() in days:
        length += 1
        day -= timedelta(days=1)
    return length
