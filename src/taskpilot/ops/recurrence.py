"""When a recurring task comes again: RFC 5545 rules, read by dateutil."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

from taskpilot.domain.errors import Invalid, Unfit
from taskpilot.domain.moments import When

if TYPE_CHECKING:
    from dateutil.rrule import rrule

HORIZON = timedelta(days=366 * 10)
"""No rule is followed further than this: one that never matches must not search until the year 9999."""
FREQUENCIES = ("HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY")
_HINT = "Write an RFC 5545 rule, such as FREQ=WEEKLY;BYDAY=MO."


def check(rule: str, start: When) -> None:
    """Refuse a rule that cannot be read, is too frequent, or never comes."""
    if not rule:
        return
    frequency = next((part[5:] for part in rule.split(";") if part.startswith("FREQ=")), "")
    if frequency not in FREQUENCIES or "\n" in rule or "DTSTART" in rule:
        raise Invalid(f"Recurrence cannot be {rule!r}.", hint=_HINT)
    try:
        found = following(rule, start, _naive(start) - timedelta(microseconds=1))
    except (ValueError, TypeError, KeyError, OverflowError, AttributeError):
        raise Invalid(f"Recurrence cannot be {rule!r}.", hint=_HINT) from None
    if found is None:
        raise Unfit(f"The rule {rule!r} never comes.", hint=_HINT)


def following(rule: str, start: When, after: datetime) -> When | None:
    """The first occurrence after a moment, counted from `start`; None when the rule has ended."""
    found = _read(rule, _naive(start), after + HORIZON).after(after)
    if found is None:
        return None
    return found.replace(tzinfo=UTC) if isinstance(start, datetime) else found.date()


def _read(rule: str, start: datetime, horizon: datetime) -> rrule:
    from dateutil.rrule import rrule, rrulestr

    found = rrulestr(rule, dtstart=start, ignoretz=True)
    if not isinstance(found, rrule):
        raise ValueError(rule)
    read: Any = found
    if read._until is None or read._until > horizon:
        # Set from outside: its own arguments refuse an end beside COUNT, although its arithmetic does not mind.
        read._until = horizon
    return read


def next_date(rule: str, start: When, last: When, now: datetime) -> When | None:
    """The next date of a task last due at `last`, and not already past: a missed week is not caught up on."""
    after = _naive(last)
    today = now.astimezone(UTC).replace(tzinfo=None)
    if not isinstance(last, datetime):
        after, today = datetime.combine(after.date(), time.max), datetime.combine(today.date(), time()) - _TICK
    return following(rule, start, max(after, today))


_TICK = timedelta(microseconds=1)


def _naive(when: When) -> datetime:
    """dateutil reckons without zones; all of ours is UTC."""
    return when.astimezone(UTC).replace(tzinfo=None) if isinstance(when, datetime) else datetime.combine(when, time())
