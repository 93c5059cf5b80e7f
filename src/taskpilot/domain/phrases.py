"""Dates as people say them: "fri 5pm", "in 3 days", "tomorrow", "end of month"."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from taskpilot.domain.errors import Invalid
from taskpilot.domain.moments import When, parse_iso

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}

_CLOCK = re.compile(r"(?:at )?(\d{1,2})(?:[:.](\d{2}))? ?(am|pm)?$|(?:at )?(noon|midnight)$")
_AMOUNT = re.compile(r"(?:in |\+)(\d{1,4}) ?(minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w|months?|mo|years?|y)$")
_AGO = re.compile(r"(\d{1,4}) ?(minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w) ago$")
_WEEKDAY = re.compile(r"(?:(next|this|on) )?(mon|tue|wed|thu|fri|sat|sun)[a-z]*$")
_ORDINAL = re.compile(r"(\d)(?:st|nd|rd|th)\b")
_MONTH_DAY = re.compile(r"(?:([a-z]{3})[a-z]*\.? (\d{1,2})|(\d{1,2})\.? ([a-z]{3})[a-z]*\.?)(?: (\d{4}))?$")
_WORDS = {
    "today": 0,
    "tod": 0,
    "tonight": 0,
    "tomorrow": 1,
    "tom": 1,
    "tmr": 1,
    "overmorrow": 2,
    "yesterday": -1,
}


def parse(text: str, now: datetime, zone: tzinfo = UTC) -> When:
    """The day or moment a phrase names, seen from `now` in the speaker's `zone`."""
    said = _ORDINAL.sub(r"\1", " ".join(text.lower().replace(",", " ").split()))
    exact = parse_iso(text, zone)
    if exact is not None:
        return exact
    try:
        when = _parse(said, now.astimezone(zone), zone)
        when = when.astimezone(UTC) if isinstance(when, datetime) else when
    except (ValueError, OverflowError):
        when = None
    if when is None:
        raise Invalid(
            f"I do not know the date {text!r}.",
            hint='Write 2026-01-22, or say "tomorrow", "fri 5pm", "in 3 days", "jan 22".',
        )
    return when


def _parse(said: str, now: datetime, zone: tzinfo) -> When | None:
    amount = _AMOUNT.match(said)
    if amount:
        return _after(now, int(amount[1]), amount[2])
    ago = _AGO.match(said)
    if ago:
        return now - timedelta(**{UNITS[ago[2][0]]: int(ago[1])})
    day = _day(said, now.date())
    if day is not None:
        return datetime.combine(day, time(20), zone) if said == "tonight" else day
    # "fri 5pm", "5pm fri", "5pm": try every split into a day and a clock time.
    words = said.split()
    for cut in range(len(words)):
        front, back = words[: len(words) - cut], words[len(words) - cut :]
        for clock_words, day_words in ((words[cut:], words[:cut]), (front, back)):
            clock = _clock(" ".join(clock_words))
            if clock is None:
                continue
            if not day_words:
                moment = datetime.combine(now.date(), clock, zone)
                return moment if moment > now else moment + timedelta(days=1)
            day = _day(" ".join(day_words), now.date())
            if day is not None:
                return datetime.combine(day, clock, zone)
    return None


def _after(now: datetime, amount: int, unit: str) -> When:
    if unit.startswith("mo"):
        return _months_later(now.date(), amount)
    if unit.startswith("y"):
        return _months_later(now.date(), 12 * amount)
    moment = now + timedelta(**{UNITS[unit[0]]: amount})
    return moment.replace(second=0, microsecond=0) if unit[0] in "mh" else moment.date()


def _day(said: str, today: date) -> date | None:
    if said in _WORDS:
        return today + timedelta(days=_WORDS[said])
    if said == "next week":
        return today + timedelta(days=7 - today.weekday())
    if said in ("weekend", "this weekend"):
        return today + timedelta(days=(5 - today.weekday()) % 7)
    if said == "next month":
        return _months_later(today, 1).replace(day=1)
    if said in ("eow", "end of week"):
        return today + timedelta(days=(4 - today.weekday()) % 7)
    if said in ("eom", "end of month"):
        return today.replace(day=monthrange(today.year, today.month)[1])
    if said in ("eoy", "end of year"):
        return today.replace(month=12, day=31)
    weekday = _WEEKDAY.match(said)
    if weekday:
        ahead = (WEEKDAYS.index(weekday[2]) - today.weekday()) % 7 or 7
        return today + timedelta(days=ahead)
    return _month_day(said, today)


def _month_day(said: str, today: date) -> date | None:
    found = _MONTH_DAY.match(said)
    name = found and (found[1] or found[4])
    if not found or name not in MONTHS:
        return None
    day, month = int(found[2] or found[3]), MONTHS.index(name) + 1
    if found[5]:
        return date(int(found[5]), month, day)
    this_year = date(today.year, month, day)
    return this_year if this_year >= today else date(today.year + 1, month, day)


def _clock(said: str) -> time | None:
    found = _CLOCK.match(said)
    if not found:
        return None
    if found[4]:
        return time(12 if found[4] == "noon" else 0)
    hour, minute, half = int(found[1]), int(found[2] or 0), found[3]
    if half is None and found[2] is None:
        return None  # a bare number is not a time: "call 5"
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "pm" else 0)
    return time(hour, minute)


def _months_later(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
