"""Dates as a person reads them, and "2 hours ago" as a moment."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, tzinfo

from taskpilot.domain import phrases
from taskpilot.domain.errors import Invalid
from taskpilot.domain.moments import When, as_moment, local_zone

_AGO = re.compile(r"(\d{1,5}) ?(m|min|mins|minutes?|h|hrs?|hours?|d|days?|w|weeks?)(?: ago)?")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def write_date(when: When, now: datetime, zone: tzinfo | None = None) -> str:
    """`Fri 20 Nov 17:00`; the year only where it is another one."""
    zone = zone or local_zone()
    here = when.astimezone(zone) if isinstance(when, datetime) else when
    day = f"{here:%a} {here.day} {here:%b}"
    if here.year != now.astimezone(zone).year:
        day += f" {here.year}"
    return f"{day} {here:%H:%M}" if isinstance(here, datetime) else day


def write_due(when: When, now: datetime, *, late: bool, zone: tzinfo | None = None) -> str:
    """As short as a column: `today 17:00`, `Fri`, `3 days late`, `20 Nov`."""
    zone = zone or local_zone()
    here = when.astimezone(zone) if isinstance(when, datetime) else when
    day = here.date() if isinstance(here, datetime) else here
    days = (day - now.astimezone(zone).date()).days
    if late:
        return _count(-days, "day") + " late" if days < 0 else f"{here:%H:%M}, late"
    clock = f" {here:%H:%M}" if isinstance(here, datetime) else ""
    if days in (0, 1):
        return ("today", "tomorrow")[days] + clock
    if 1 < days < 7:
        return f"{here:%a}{clock}"
    return f"{here.day} {here:%b}" + ("" if here.year == now.astimezone(zone).year else f" {here.year}")


def write_distance(when: When, now: datetime, zone: tzinfo | None = None) -> str:
    """How many days it is: `today`, `in 5 days`, `3 days late`."""
    zone = zone or local_zone()
    day = when.astimezone(zone).date() if isinstance(when, datetime) else when
    days = (day - now.astimezone(zone).date()).days
    if days in (0, 1):
        return ("today", "tomorrow")[days]
    return f"in {days} days" if days > 0 else f"{_count(-days, 'day')} late"


def write_ago(moment: datetime, now: datetime) -> str:
    seconds = max(0, int((now - moment).total_seconds()))
    for size, unit in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            return _count(seconds // size, unit) + " ago"
    return "just now"


def parse_since(text: str, now: datetime, zone: tzinfo | None = None) -> datetime:
    """`2 hours ago`, `1h`, `today`, `yesterday`, or an ISO day or moment."""
    zone = zone or local_zone()
    said = " ".join(text.lower().split())
    ago = _AGO.fullmatch(said)
    if ago:
        return now - timedelta(**{_UNITS[ago[2][0]]: int(ago[1])})
    since = as_moment(phrases.parse(said if not said[:1].isdigit() else text, now, zone), zone)
    if since > now:
        raise Invalid(
            f"{text!r} is still to come.", hint='Name a moment in the past, such as "2 hours ago" or "today".'
        )
    return since


def _count(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'}"
