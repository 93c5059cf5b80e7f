"""Moments in UTC and plain dates, as text and back."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, tzinfo

from taskpilot.domain.errors import Invalid

When = date | datetime
"""A due date is either a day or a moment."""

_ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def stamp(moment: datetime) -> str:
    """As stored: UTC, fixed width, sorts as text."""
    return f"{_utc(moment).isoformat(timespec='microseconds')[:26]}Z"


def wire(when: When | None) -> str | None:
    """As shown: `2026-01-22T10:30:00Z`, or `2026-01-22` for a day."""
    if when is None:
        return None
    if isinstance(when, datetime):
        return f"{_utc(when).isoformat()[:19]}Z"
    return when.isoformat()


def stored(when: When | None) -> str | None:
    if when is None:
        return None
    return stamp(when) if isinstance(when, datetime) else when.isoformat()


def load(text: str | None) -> When | None:
    """Back from `stored` or `wire`."""
    if text is None:
        return None
    return date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)


def load_moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def is_past(when: When, now: datetime) -> bool:
    """Whether a due moment has gone by; a day is over when it has ended in UTC."""
    if isinstance(when, datetime):
        return when < now
    return when < now.astimezone(UTC).date()


def parse_iso(text: str, zone: tzinfo = UTC) -> When | None:
    """An ISO day or moment (read in `zone` if it names none), or None if it is neither."""
    text = text.strip()
    try:
        if _ISO_DAY.fullmatch(text):
            return date.fromisoformat(text)
        if _ISO_DAY.match(text):
            moment = datetime.fromisoformat(text)
            return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Invalid(f"{text!r} is not a date.", hint="Write 2026-01-22 or 2026-01-22T10:30:00Z.") from None
    return None


def _utc(moment: datetime) -> datetime:
    return moment if moment.tzinfo is UTC else moment.astimezone(UTC)


def local_zone() -> tzinfo:
    """The zone this machine's clock is set to: where "5pm" is meant."""
    return datetime.now().astimezone().tzinfo or UTC


def as_moment(when: When, zone: tzinfo) -> datetime:
    """A moment as it is; a day as its first."""
    return when if isinstance(when, datetime) else datetime.combine(when, time(), zone).astimezone(UTC)
