"""How much there is, and how it goes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, date, timedelta

from taskpilot.domain.moments import stamp
from taskpilot.domain.operation import reads
from taskpilot.domain.task import Priority, Status
from taskpilot.store.work import Work

DAYS = 366


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
    by_day: dict[str, int]
    """Completed per day (UTC) in the last fourteen, only days with any."""


@reads
def summarize(work: Work) -> Summary:
    """Counts of the caller's tasks, the bin left out."""
    statuses, priorities, projects = Counter[str](), Counter[int](), Counter[str]()
    for status, priority, project, number in work.stats.counts():
        statuses[status] += number
        priorities[priority] += number
        if project is not None:
            projects[project] += number
    total, completed = statuses.total(), statuses[Status.DONE]
    today = work.now.astimezone(UTC).date()
    days = dict(work.stats.completed_by_day((today - timedelta(days=DAYS)).isoformat()))
    recent = (today - timedelta(days=13)).isoformat()
    return Summary(
        total=total,
        completed=completed,
        completion_rate=round(100 * completed / total, 2) if total else 0.0,
        overdue=work.stats.overdue(stamp(work.now), today.isoformat()),
        streak=_streak(days, today),
        by_status={status.value: statuses[status] for status in Status if statuses[status]},
        by_priority={priority.word: priorities[priority] for priority in reversed(Priority) if priorities[priority]},
        by_project=dict(sorted(projects.items())),
        by_day={day: number for day, number in days.items() if day >= recent},
    )


def _streak(days: dict[str, int], today: date) -> int:
    day = today if today.isoformat() in days else today - timedelta(days=1)
    length = 0
    while day.isoformat() in days:
        length += 1
        day -= timedelta(days=1)
    return length
