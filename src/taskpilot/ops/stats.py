"""How much there is, and how it goes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, date, timedelta

from taskpilot.domain import days as calendar
from taskpilot.domain.errors import Invalid
from taskpilot.domain.moments import stamp
from taskpilot.domain.operation import reads
from taskpilot.domain.task import Priority, Status
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
    place = calendar.find_zone(zone)
    statuses, priorities, projects = Counter[str](), Counter[int](), Counter[str]()
    for status, priority, project, number in work.stats.counts():
        statuses[status] += number
        priorities[priority] += number
        if project is not None:
            projects[project] += number
    total, completed = statuses.total(), statuses[Status.DONE]
    today = work.now.astimezone(place).date()

    def since_when(first: date) -> tuple[str, calendar.Grain]:
        return calendar.begin(first, place), calendar.choose_grain(place, first, today)

    since = since_when(today - timedelta(days=days - 1))
    done = calendar.sum_up(work.stats.completions(*since), place)
    streak = calendar.measure_streak(done, today)
    if days - 1 <= streak and days < DAYS_MOST:  # it may be longer than what is shown
        longer = work.stats.completions(*since_when(today - timedelta(days=DAYS_MOST)))
        streak = calendar.measure_streak(calendar.sum_up(longer, place), today)
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
        created_by_day=calendar.sum_up(work.stats.creations(*since), place),
    )
