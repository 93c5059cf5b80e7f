"""Adding tasks: one, many, or a whole plan."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from taskpilot.contracts.native import answers, shapes
from taskpilot.contracts.native.arguments import Fields, StatusWord
from taskpilot.domain import plan
from taskpilot.domain.fields import TaskFields
from taskpilot.domain.plan import Step
from taskpilot.domain.task import Task, parse_id
from taskpilot.ops import duplicates, plans, tasks
from taskpilot.store.work import Work
from taskpilot.toolkit import QUIET, Reply, tool

TOLD_MOST = 20
WHOLE_MOST = 50
"""Of more new tasks than this, only the ids are told: whoever made them knows the rest."""


def _read_name(given: Any) -> Any:
    """What a task of a plan waits on: another's name in the plan, or a task's id in any form."""
    if isinstance(given, str) and not given.isdigit():
        return given
    return str(parse_id(given))


Names = Annotated[list[Annotated[str, BeforeValidator(_read_name)]], WithJsonSchema({"type": "array"})]


class Draft(Fields):
    title: str
    name: str = Field("", max_length=100)
    after: Names = Field(default_factory=list[str])
    subtasks: list[Draft] = Field(default_factory=list["Draft"])

    @property
    def planned(self) -> bool:
        return bool(self.name or self.after or self.subtasks)

    def step(self) -> Step:
        given: dict[str, Any] = {**self.fields()}
        return Step(given, self.name, tuple(self.after), [draft.step() for draft in self.subtasks])


class Create(Fields):
    title: str | None = None
    status: StatusWord | None = None
    tasks: Annotated[list[Draft], WithJsonSchema({"type": "array", "items": {"type": "object"}})] | None = Field(
        None, description="same fields; as a plan: name, after (names, ids), subtasks"
    )
    markdown: str | None = Field(None, json_schema_extra=QUIET, max_length=1_000_000)
    if_new: bool = Field(False, description="skip what is there")
    key: str | None = None

    @model_validator(mode="after")
    def either(self) -> Self:
        if sum(given is not None for given in (self.title, self.tasks, self.markdown)) != 1:
            raise ValueError("give either title, or tasks, or markdown")
        if self.title is None and self.model_fields_set - {"tasks", "markdown", "key", "if_new"}:
            raise ValueError("with tasks, the fields go inside each of them")
        if self.if_new and self.steps is not None:
            raise ValueError("a plan is made whole: leave out if_new, or name, after and subtasks")
        return self

    @cached_property
    def steps(self) -> list[Step] | None:
        """The tree, where one was given; else the drafts are all there is."""
        if self.markdown is not None:
            return plan.read_markdown(self.markdown)
        if self.tasks is None or not any(draft.planned for draft in self.tasks):
            return None
        return [draft.step() for draft in self.tasks]

    def drafts(self) -> list[TaskFields]:
        return [draft.fields() for draft in self.tasks] if self.tasks is not None else [self.fields()]


@tool(tasks.create, title="Add tasks", output=shapes.Made)
def task_create(work: Work, args: Create) -> Reply:
    """Add a task, many, or a plan, also as markdown (a check list). Names what is alike. Safe to repeat with a key.
    Also takes notes, progress, energy (light, medium, deep), time_estimate, scheduled_start, remind_at,
    recurrence (RRULE), connected_files, workspace (folder), acceptance (commands)."""
    if args.steps is None:
        made = tasks.create(work, args.drafts(), key=args.key or "", compare=True, if_new=args.if_new)
        return _tell(made, made.alike, {})
    listed = plan.order(args.steps)
    alike = duplicates.find(work, [step.fields for step in listed])
    made = plans.make(work, args.steps, key=args.key or "")
    named = {step.name: task.id for step, task in zip(listed, made.tasks, strict=False) if step.name}
    return _tell(made, {} if made.repeated else alike, named)


def _tell(made: tasks.Created, alike: Mapping[int, Task], named: dict[str, int]) -> Reply:
    many = len(made.tasks) > WHOLE_MOST
    data: shapes.Made = {"tasks": [{"id": task.id} if many else answers.brief(task) for task in made.tasks]}
    told: list[str] = []
    if made.tasks:
        shown = made.tasks[:TOLD_MOST] if many else made.tasks
        told.append(f"{'Already there' if made.repeated else 'Added'}:\n{answers.lines(shown)}")
    if many:
        told.append(f"and {len(made.tasks) - TOLD_MOST} more, up to {made.tasks[-1].id}")
    if made.repeated:
        data["repeated"] = True
    if named:
        data["names"] = named
        told.append("Names: " + ", ".join(f"{name} {number}" for name, number in named.items()))
    if alike:
        data["alike"] = _compare(made, alike)
        told += map(_tell_alike, data["alike"])
    return Reply("\n".join(told), data)


def _tell_alike(row: shapes.Alike) -> str:
    which = f"as {row['new']}" if "new" in row else "and was not repeated"
    return f"{row['id']} says nearly the same {which}: {row['title']}"


def _compare(made: tasks.Created, alike: Mapping[int, Task]) -> list[shapes.Alike]:
    """Those that were there before, each with the new one it is like, if that was made."""
    places = [place for place in range(len(made.tasks) + len(made.left_out)) if place not in made.left_out]
    new = {place: task.id for place, task in zip(places, made.tasks, strict=True)}
    rows: list[shapes.Alike] = []
    for place, task in alike.items():
        row: shapes.Alike = {"id": task.id, "title": task.title}
        if place in new:
            row["new"] = new[place]
        rows.append(row)
    return rows
