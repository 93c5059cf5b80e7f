"""Which task to do next, and why, in words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from taskpilot.domain.moments import as_moment
from taskpilot.domain.task import Status, Task

PRIORITY_POINTS = 10
OVERDUE_POINTS = 30
DUE_POINTS = 25
DUE_WITHIN = timedelta(days=7)
CHOSEN_POINTS = 5
AGE_POINTS_MOST = 5
AGE_FULL = timedelta(days=30)


def score(task: Task, now: datetime) -> tuple[float, str]:
    """Points and the one-line reason. Due beats priority by a little, age breaks ties."""
    points = float(PRIORITY_POINTS * task.priority)
    reasons = [f"{task.priority.word} priority"]
    if task.due_date is not None:
        if task.is_overdue(now):
            points += OVERDUE_POINTS
            reasons.append("overdue")
        else:
            left = as_moment(task.due_date, UTC) - now
            if left < DUE_WITHIN:
                points += DUE_POINTS * (1 - max(left, timedelta()) / DUE_WITHIN)
                reasons.append(_due(left))
    if task.status is Status.TODO:
        points += CHOSEN_POINTS
    age = now - task.created_at
    points += AGE_POINTS_MOST * min(age / AGE_FULL, 1)
    if age > AGE_FULL:
        reasons.append(f"waiting {age.days} days")
    return points, ", ".join(reasons)


def _due(left: timedelta) -> str:
    if left < timedelta(hours=24):
        return "due today" if left <= timedelta() else "due within a day"
    return f"due in {left.days} day{'s' if left.days != 1 else ''}"
