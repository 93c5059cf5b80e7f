"""`/api/stats`."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from taskpilot.domain.task import Priority, Status
from taskpilot.ops import stats
from taskpilot.surfaces.rest.asking import reply, run
from taskpilot.surfaces.rest.types import DayZone

router = APIRouter(prefix="/api/stats", tags=["stats"])


class StatsQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    tz: DayZone = "UTC"
    days: int = Field(30, ge=1, le=stats.DAYS_MOST, description="How many days `by_day` tells of, today the last.")


class DayOut(BaseModel):
    date: str
    completed: int
    created: int


class StatsOut(BaseModel):
    total: int
    open: int
    completed: int
    completion_rate: float = Field(description="Percent of all tasks.")
    overdue: int
    streak: int = Field(
        description="Days in a row with something completed, up to today; up to yesterday while today has none yet."
    )
    by_status: dict[str, int]
    by_priority: dict[str, int]
    by_project: dict[str, int] = Field(description="By the project's name; tasks without one are not in here.")
    by_day: list[DayOut]


@router.get("", response_model=StatsOut)
async def get_stats(request: Request, asked: Annotated[StatsQuery, Query()]) -> Response:
    """Counts of your tasks, and how many were made and completed day by day."""
    found = await run(request, stats.summarize, days=asked.days, zone=asked.tz)
    shown = {
        "total": found.total,
        "open": sum(found.by_status.get(status, 0) for status in Status if status.open),
        "completed": found.completed,
        "completion_rate": found.completion_rate,
        "overdue": found.overdue,
        "streak": found.streak,
        "by_status": {status.value: found.by_status.get(status, 0) for status in Status},
        "by_priority": {priority.word: found.by_priority.get(priority.word, 0) for priority in Priority},
        "by_project": found.by_project,
        "by_day": _show_days(found, asked.days),
    }
    return reply(shown)


def _show_days(found: stats.Summary, number: int) -> list[dict[str, str | int]]:
    today = date.fromisoformat(found.today)
    days = [(today - timedelta(days=back)).isoformat() for back in reversed(range(number))]
    return [
        {"date": day, "completed": found.by_day.get(day, 0), "created": found.created_by_day.get(day, 0)}
        for day in days
    ]
