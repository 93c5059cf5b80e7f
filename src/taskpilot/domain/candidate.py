"""Which task to do next: points for each that could be, and the reason in one line."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from taskpilot.domain.estimate import read_minutes
from taskpilot.domain.moments import When, as_moment, is_past
from taskpilot.domain.task import Energy, Priority, Status

PRIORITY_POINTS = 10
OVERDUE_POINTS = 30
DUE_POINTS = 25
DUE_WITHIN = timedelta(days=7)
CHOSEN_POINTS = 5
AGE_POINTS_MOST = 5
AGE_FULL = timedelta(days=30)
UNBLOCK_POINTS = 4
UNBLOCK_POINTS_MOST = 20
FIT_POINTS = 15
"""For matching the energy the caller has; as much is lost for taking longer than the time there is."""


class Candidate(NamedTuple):
    """A tuple, because several are made for every claim and one is taken."""

    id: int
    title: str
    priority: Priority
    status: Status
    due_date: When | None
    created_at: datetime
    energy: Energy
    time_estimate: str
    project: int | None
    workspace: int | None
    files: tuple[str, ...]
    unblocks: int
    """How many open tasks wait on it."""
    last_claim: int | None = None
    """The token of whoever had it last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What the caller has to give."""

    energy: Energy | None = None
    minutes: int | None = None


ANY = Means()


def score(task: Candidate, now: datetime, means: Means = ANY) -> tuple[float, str]:
    """Points, and why. Due beats priority by a little; what fits and what frees others counts; age breaks ties."""
    points = float(PRIORITY_POINTS * task.priority)
    reasons = [f"{task.priority.word} priority"]
    if task.due_date is not None:
        if is_past(task.due_date, now):
            points += OVERDUE_POINTS
            reasons.append("overdue")
        else:
            left = as_moment(task.due_date, UTC) - now
            if left < DUE_WITHIN:
                points += DUE_POINTS * (1 - max(left, timedelta()) / DUE_WITHIN)
                reasons.append(_due(left))
    if task.unblocks:
        points += min(UNBLOCK_POINTS * task.unblocks, UNBLOCK_POINTS_MOST)
        reasons.append(f"unblocks {task.unblocks}")
    points += _fit(task, means, reasons)
    if task.status is Status.TODO:
        points += CHOSEN_POINTS
    age = now - task.created_at
    points += AGE_POINTS_MOST * min(max(age, timedelta()) / AGE_FULL, 1)
    if age > AGE_FULL:
        reasons.append(f"waiting {age.days} days")
    return points, ", ".join(reasons)


def _fit(task: Candidate, means: Means, reasons: list[str]) -> float:
    points = 0.0
    if means.energy is not None and task.energy is means.energy:
        points += FIT_POINTS
        reasons.append(f"fits {means.energy.value} energy")
    if means.minutes is not None:
        takes = read_minutes(task.time_estimate)
        if takes is not None and takes <= means.minutes:
            points += FIT_POINTS
            reasons.append(f"fits in {means.minutes} min")
        elif takes is not None:
            points -= FIT_POINTS
    return points


def _due(left: timedelta) -> str:
    if left < timedelta(hours=24):
        return "due today" if left <= timedelta() else "due within a day"
    return f"due in {left.days} day{'s' if left.days != 1 else ''}"
