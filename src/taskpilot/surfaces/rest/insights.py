"""`/api/insights`: what the charts are drawn from."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from taskpilot.domain.task import ID_MOST
from taskpilot.ops import insights
from taskpilot.ops.insights import SPANS, Picture
from taskpilot.ops.stats import DAYS_MOST
from taskpilot.surfaces.rest.asking import reply, run
from taskpilot.surfaces.rest.types import DayZone

router = APIRouter(prefix="/api/insights", tags=["stats"])


class InsightsQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    tz: DayZone = "UTC"
    days: int = Field(insights.DAYS, ge=1, le=DAYS_MOST, description="How many days to tell of, today the last.")
    project_id: int | None = Field(None, ge=1, le=ID_MOST, description="Only of the tasks in this project today.")
    workspace_id: int | None = Field(None, ge=1, le=ID_MOST, description="Only of the tasks in this workspace.")


class OpenOut(BaseModel):
    backlog: int
    todo: int
    in_progress: int
    blocked: int
    review: int


class DayOut(BaseModel):
    date: str
    created: int
    completed: int
    created_total: int = Field(description="Ever, by the end of the day.")
    completed_total: int
    open: OpenOut = Field(description="At the end of the day.")


class ProjectShareOut(BaseModel):
    project_id: int | None = Field(description="null: the tasks without a project.")
    name: str | None
    open: int = Field(description="Now.")
    completed: int = Field(description="In these days.")


class PriorityShareOut(BaseModel):
    priority: Literal["critical", "high", "medium", "low", "someday"]
    open: int
    completed: int


class BucketOut(BaseModel):
    label: str
    below_seconds: int | None = Field(description="null: there is no limit.")
    number: int


class CycleOut(BaseModel):
    buckets: list[BucketOut]
    number: int
    median_seconds: int | None = Field(description="To the minute; null when nothing was completed that was started.")


class ActorOut(BaseModel):
    kind: Literal["person", "assistant", "agent"]
    name: str
    completed: int = Field(description="Tasks, in these days.")
    runs: int = Field(description="Made in these days.")
    succeeded: int
    failed: int
    verified: int = Field(description="Runs that passed all of their task's acceptance commands on their last commit.")
    cost_micros: int = Field(description="In millionths of a dollar.")


class InsightsOut(BaseModel):
    model_config = ConfigDict(populate_by_name=True)

    tz: str
    first: str = Field(alias="from", description="The first day.")
    to: str = Field(description="The last day: today.")
    days: list[DayOut] = Field(description="Every day, oldest first.")
    by_status: dict[str, int] = Field(description="Now.")
    by_project: list[ProjectShareOut]
    by_priority: list[PriorityShareOut]
    cycle: CycleOut = Field(description="How long tasks took from start to completion.")
    streak: int = Field(
        description="Days in a row with something completed, up to today; up to yesterday while today has none yet."
    )
    actors: list[ActorOut] = Field(description="Who got things done: people, then assistants, then agents.")


@router.get("", response_model=InsightsOut)
async def get_insights(request: Request, asked: Annotated[InsightsQuery, Query()]) -> Response:
    """How it went, day by day. Tells of the tasks that exist today; those in the bin are left out."""
    found = await run(
        request,
        insights.draw,
        days=asked.days,
        zone=asked.tz,
        project_id=asked.project_id,
        workspace_id=asked.workspace_id,
    )
    return reply(_show(found, asked.tz))


def _show(found: Picture, zone: str) -> dict[str, Any]:
    buckets = [
        {"label": label, "below_seconds": None if below is None else 60 * below, "number": number}
        for (label, below), number in zip(SPANS, found.spans, strict=True)
    ]
    median = found.median_minutes
    return {
        "tz": zone,
        "from": found.days[0].date,
        "to": found.days[-1].date,
        "days": [asdict(day) for day in found.days],
        "by_status": found.by_status,
        "by_project": [
            {"project_id": each.key, "name": each.name, "open": each.open, "completed": each.completed}
            for each in found.by_project
        ],
        "by_priority": [
            {"priority": each.name, "open": each.open, "completed": each.completed} for each in found.by_priority
        ],
        "cycle": {
            "buckets": buckets,
            "number": sum(found.spans),
            "median_seconds": None if median is None else 60 * median,
        },
        "streak": found.streak,
        "actors": [asdict(actor) for actor in found.actors],
    }
