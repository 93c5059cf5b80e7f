"""How much there is, and how it goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from taskpilot.domain.errors import Invalid, NotFound
from taskpilot.domain.moments import stamp
from taskpilot.domain.operation import reads
from taskpilot.domain.task import Priority, Status
from taskpilot.store.stats import Grain
from taskpilot.store.work import Work

DAYS_MOST = 366
DAYS = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    total: int
    completed: int
    completion_rate: float
    """Percent of all tasks, two decimals."""
    overdue: int
    streak: int
    """Days in a row, up to today or yesterday, with something completed."""
    by_status: dict[str, int]
    by_priority: dict[str, int]
    by_project: dict[str, int]
    """Tasks without a project are not in here."""
    today: str
    """Which day it is in the zone."""
    by_day: dict[str, int]
    """Completed per day, the last days up to today, only those with any."""
    created_by_day: dict[str, int]
    """Made per day, likewise."""


@reads
def summarize(work: Work, *, days: int = DAYS, zone: str = "UTC") -> Summary:
    """Counts of the caller's tasks, the bin left out. A day begins at midnight in the zone, an IANA name."""
    if not 1 <= days <= DAYS_MOST:
        raise Invalid(f"days cannot be {days}.", hint=f"Choose 1 to {DAYS_MOST}.")
    place = _find_zone(zone)
    statuses, priorities, projects = Counter[str](), Counter[int](), Counter[str]()
    for status, priority, project, number in work.stats.counts():
        statuses[status] += number
        priorities[priority] += number
        if project is not None:
            projects[project] += number
    total, completed = statuses.total(), statuses[Status.DONE]
    today = work.now.astimezone(place).date()
    since = today - timedelta(days=days - 1)
    done = _count_days(work.stats.completions, since, place, today)
    streak = _streak(done, today)
    if days - 1 <= streak and days < DAYS_MOST:  # it may be longer than what is shown
        streak = _streak(_count_days(work.stats.completions, today - timedelta(days=DAYS_MOST), place, today), today)
    return Summary(
        total=total,
        completed=completed,
        completion_rate=round(100 * completed / total, 2) if total else 0.0,
        overdue=work.stats.overdue(stamp(work.now), work.now.astimezone(UTC).date().isoformat()),
        streak=streak,
        by_status={status.value: statuses[status] for status in Status if statuses[status]},
        by_priority={priority.word: priorities[priority] for priority in reversed(Priority) if priorities[priority]},
        by_project=dict(sorted(projects.items())),
        today=today.isoformat(),
        by_day=done,
        created_by_day=_count_days(work.stats.creations, since, place, today),
    )


def _find_zone(name: str) -> tzinfo:
    if name == "UTC":
        return UTC
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise NotFound(f"There is no time zone {name!r}.", hint="They are named like Europe/Berlin.") from None


def _count_days(
    count: Callable[[str, Grain], Iterable[tuple[str, int]]], since: date, zone: tzinfo, today: date
) -> dict[str, int]:
    """Counts by day in the zone, from a day on."""
    counted = count(stamp(datetime.combine(since, time(), zone)), _grain(zone, since, today))
    if zone is UTC:
        return dict(counted)
    days = Counter[str]()
    for began, number in counted:
        moment = datetime.fromisoformat(began).replace(tzinfo=UTC)
        days[moment.astimezone(zone).date().isoformat()] += number
    return dict(days)


def _grain(zone: tzinfo, first: date, last: date) -> Grain:
    """How finely to ask. Offsets from UTC change a few times a year, and are whole quarters of an hour everywhere."""
    if zone is UTC:
        return "day"
    sampled = {first + timedelta(days=each) for each in range(0, (last - first).days, 28)} | {last}
    offsets = [datetime.combine(day, time(), zone).utcoffset() or timedelta() for day in sampled]
    return "quarter" if any(offset % timedelta(hours=1) for offset in offsets) else "hour"


def _streak(days: dict[str, int], today: date) -> int:
    day = today if today.isoformat() in days else today - timedelta(days=1)
    length = 0
    while day.isoformat() in days:
        length += 1
        day -= timedelta(days=1)
    return length
