"""`/api/plans`: a whole plan in one request, and tasks as a Markdown plan."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from taskpilot.domain import plan, text
from taskpilot.domain.operation import writes
from taskpilot.domain.plan import Step
from taskpilot.domain.selection import Selection
from taskpilot.ops import duplicates, plans
from taskpilot.ops.tasks import MOST_AT_ONCE
from taskpilot.store.work import Work
from taskpilot.surfaces.rest.asking import create, run, uuid_of
from taskpilot.surfaces.rest.shapes import TaskOut, show_task
from taskpilot.surfaces.rest.task_bodies import NewSubtask, ProjectName, TaskNumber, hide_defaults
from taskpilot.surfaces.rest.types import VISIBLE, Body, IdempotencyKey

router = APIRouter(prefix="/api/plans", tags=["plans"])

SAID_MOST = 10_000
"""Less than a task can hold: a plan of many comes in one request."""
LOCAL = ("name", "after", "subtasks")
_ITEM = rf"(^|\n)[ \t]*([-*+]|[0-9]{{1,9}}[.)])[ \t]+{VISIBLE}"

Name = Annotated[str, Field(pattern="^[A-Za-z0-9_-]{1,50}$", examples=["walls"])]
Said = Annotated[str, Field(max_length=SAID_MOST)]
Markdown = Annotated[str, Field(max_length=plan.WRITTEN_MOST, pattern=_ITEM, examples=["- [ ] House\n  - [ ] Walls"])]


class PlanTask(NewSubtask):
    """A task of a plan, with its subtasks."""

    model_config = ConfigDict(json_schema_extra=hide_defaults)

    description: Said | None = None
    notes: Said | None = None
    name: Name = Field("", description="What other tasks of this plan call it in `after`.")
    after: list[Name] = Field(
        default_factory=list[str], max_length=100, description="What it waits on: names in this plan, or ids of tasks."
    )
    subtasks: list[PlanTask] = Field(default_factory=list["PlanTask"], max_length=MOST_AT_ONCE)

    def step(self) -> Step:
        said = {name: value for name, value in self.fields().items() if name not in LOCAL}
        return Step(said, self.name, tuple(self.after), [each.step() for each in self.subtasks])


class PlanPlace(Body):
    model_config = ConfigDict(json_schema_extra=hide_defaults)

    project: ProjectName | None = Field(None, description="Of the tasks that name none themselves.")
    parent_id: TaskNumber | None = Field(None, description="The task that the plan is part of.")


class TreePlan(PlanPlace):
    tasks: list[PlanTask] = Field(min_length=1, max_length=MOST_AT_ONCE)

    def steps(self) -> list[Step]:
        return [each.step() for each in self.tasks]


class MarkdownPlan(PlanPlace):
    markdown: Markdown = Field(description="A text with a check list, or else a bullet list.")

    def steps(self) -> list[Step]:
        return plan.read_markdown(self.markdown)


class PlanQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    project: ProjectName | None = None


class AlikeOut(BaseModel):
    """An open task that was there before and says nearly the same."""

    id: int
    title: str
    new: int
    """The one of the plan it is like."""


class PlanOut(BaseModel):
    tasks: list[TaskOut]
    alike: list[AlikeOut]


class MarkdownResponse(Response):
    media_type = "text/markdown"


@router.post("", status_code=201, response_model=PlanOut)
async def create_plan(request: Request, body: TreePlan | MarkdownPlan, key: IdempotencyKey = None) -> Response:  # noqa: ARG001
    """Add a tree of tasks that wait on each other: all of them, or none. One undo takes it back."""
    user, steps = await uuid_of(request), body.steps()
    plan.place(steps, project=body.project, parent=body.parent_id)

    @writes
    def make(work: Work) -> dict[str, Any]:
        there = duplicates.find(work, [step.fields for step in plan.order(steps)])
        made = plans.make(work, steps).tasks
        alike = [{"id": task.id, "title": task.title, "new": made[place].id} for place, task in there.items()]
        return {"tasks": [show_task(task, user) for task in made], "alike": alike}

    return await create(request, make, asked=body.model_dump(exclude_unset=True))


@router.get("", response_class=MarkdownResponse)
async def get_plan(request: Request, query: Annotated[PlanQuery, Query()]) -> Response:
    """Tasks as a Markdown check list, which makes the same plan again."""
    project = None if query.project is None else text.clean_line(query.project)
    return MarkdownResponse(
        await run(request, plans.write, Selection(closed=True, project=project), title=project or "")
    )
