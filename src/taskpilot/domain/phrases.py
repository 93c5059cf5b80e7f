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
_ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:?\d{2}\S*)?")
_ORDINAL = re.compile(r"(\d)(?:st|nd|rd|th)\b")
_MONTH_END = re.compile(r"(?:the )?end of ([a-z]{3})[a-z]*$")
_DAY_OF_MONTH = re.compile(r"(?:on )?the (\d{1,2})(?: of (?:the|this) month)?$")
_PART = re.compile(r"(?:(?:in the |this )|(.*?) (?:in the )?)(morning|afternoon|evening|night)$")
PARTS = {"morning": time(9), "afternoon": time(15), "evening": time(18), "night": time(20)}
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
# Other ways of saying what is understood below.
_SAME: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(said), meant)
    for said, meant in (
        (r"\b([ap])\.m\.?", r"\1m"),
        (r"\b(\d{1,2}(?::\d{2})?)(?: o'clock)? in the morning\b", r"\1am"),
        (r"\b(\d{1,2}(?::\d{2})?)(?: o'clock)? in the (?:afternoon|evening)\b", r"\1pm"),
        (r"^this (?=(?:morning|afternoon|evening) (?:at )?\d)", "today "),
        (r"\b(?:in the )?morning (?:at )?(\d{1,2}(?::\d{2})?)$", r"at \1am"),
        (r"\b(?:in the )?(?:afternoon|evening|night) (?:at )?(\d{1,2}(?::\d{2})?)$", r"at \1pm"),
        (r"\b(?:in the )?(?:morning|afternoon|evening|night) (?:at )?(?=\d)", "at "),
        (r"([ap]m .*\w) (?:morning|afternoon|evening|night)$", r"\1"),
        (r"^(?:at )?(\d{1,2}(?::\d{2})?) tonight$|^tonight (?:at )?(\d{1,2}(?::\d{2})?)$", r"today at \1\2pm"),
        (r" (?:by|before|around) (?=\d{1,2}(?::\d{2}|(?::\d{2})? ?[ap]m)|noon|midnight)", " at "),
        (r"\b(?:the )?day after tomorrow\b", "overmorrow"),
        (r"\b(?:the )?end of (?:the |this )?(day|week|month|year)\b", r"end of \1"),
        (r"\b(?:later|by end of) today\b|^end of day$|^eod$", "today"),
        (r"\bthe weekend\b", "weekend"),
        (r"^(?:this )?coming ", ""),
        (r"\bhalf an hour\b", "30 minutes"),
        (r"\ba (?:couple of|couple) ", "2 "),
        (r"\b(in|within) an? (?=[a-z])", r"in 1 "),
        (r"^an? (\w+ from (?:now|today))$", r"1 \1"),
        (r"\bfortnight\b", "2 weeks"),
        (r"\b1 2 weeks\b", "2 weeks"),
        (r"^within ", "in "),
        (r"^(\d+ \w+) from (?:now|today)$", r"in \1"),
        (r"\b(?:the )?(\d{1,2}) of (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", r"\1 \2"),
        (r"\b([a-z]{3,9}) the (\d{1,2})\b", r"\1 \2"),
    )
)
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
    said = _plain(text)
    exact = parse_iso(text, zone) if _ISO.fullmatch(text.strip()) else None
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


def _plain(text: str) -> str:
    said = _ORDINAL.sub(r"\1", " ".join(text.lower().replace(",", " ").split()))
    said = " ".join(str(NUMBERS.index(word)) if word in NUMBERS else word for word in said.split())
    for other, meant in _SAME:
        said = other.sub(meant, said)
    return said


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
    part = _PART.match(said)
    if part:
        return _part_of_day(part[1], PARTS[part[2]], said, now, zone)
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


def _part_of_day(day_said: str | None, clock: time, said: str, now: datetime, zone: tzinfo) -> When | None:
    """ "tomorrow morning"; "in the morning" is the next to come, "this morning" today's."""
    day = _day(day_said, now.date()) if day_said else now.date()
    if day is None:
        return None
    moment = datetime.combine(day, clock, zone)
    gone = not day_said and not said.startswith("this ") and moment <= now
    return moment + timedelta(days=1) if gone else moment


def _after(now: datetime, amount: int, unit: str) -> When:
    if unit.startswith("mo"):
        return _months_later(now.date(), amount)
    if unit.startswith("y"):
        return _months_later(now.date(), 12 * amount)
    moment = now + timedelta(**{UNITS[unit[0]]: amount})
    return moment.replace(second=0, microsecond=0) if unit[0] in "mh" else moment.date()


def _day(said: str, today: date) -> date | None:
    if _ISO_DAY.fullmatch(said):
        return date.fromisoformat(said)
    said = said.removeprefix("on ")
    ahead = _AMOUNT.match(said)
    if ahead and ahead[2][0] in "dw":
        return today + timedelta(**{UNITS[ahead[2][0]]: int(ahead[1])})
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
    month_end = _MONTH_END.match(said)
    if month_end and month_end[1] in MONTHS:
        month = MONTHS.index(month_end[1]) + 1
        year = today.year + (month < today.month)
        return date(year, month, monthrange(year, month)[1])
    day_of_month = _DAY_OF_MONTH.match(said)
    if day_of_month:
        return _next_such_day(int(day_of_month[1]), today)
    weekday = _WEEKDAY.match(said)
    if weekday:
        ahead = (WEEKDAYS.index(weekday[2]) - today.weekday()) % 7 or 7
        return today + timedelta(days=ahead)
    return _month_day(said, today)


def _next_such_day(number: int, today: date) -> date | None:
    """The next day with this number; "the 31st" skips the months that have none."""
    for ahead in range(3 if 1 <= number <= 31 else 0):
        month = _months_later(today.replace(day=1), ahead)
        if number <= monthrange(month.year, month.month)[1] and (found := month.replace(day=number)) >= today:
            return found
    return None


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
