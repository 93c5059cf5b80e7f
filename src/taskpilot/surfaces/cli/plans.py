"""A Markdown plan as tasks, and tasks as a Markdown plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import typer

from taskpilot.domain import plan
from taskpilot.domain.errors import NotFound
from taskpilot.domain.plan import Step
from taskpilot.domain.selection import Selection
from taskpilot.domain.task import Task, parse_id
from taskpilot.ops import duplicates, plans
from taskpilot.surfaces.cli.output import describe, print_json, say, task_json
from taskpilot.surfaces.cli.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    project: Annotated[str | None, typer.Option("--project", help="The project of a plan's tasks.")] = None
    parent: Annotated[str | None, typer.Option("--parent", metavar="ID", help="The task a plan is part of.")] = None
    key: Annotated[str, typer.Option("--key", help="Repeating a plan with the same key adds nothing.")] = ""
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what a plan would add, and add nothing.")] = False


def import_plan(session: Session, written: str, place: Place) -> None:
    steps = plan.read_markdown(written)
    plan.place(steps, project=place.project, parent=None if place.parent is None else parse_id(place.parent))
    plan.check(steps)
    alike = session.run(duplicates.find, [step.fields for step in plan.order(steps)])
    if place.dry_run:
        return _preview(session, steps, alike)
    made = session.run(plans.make, steps, key=place.key)
    if made.repeated:
        alike = {}
    if session.json:
        return print_json(
            [task_json(task) | {"alike": _id(alike.get(number))} for number, task in enumerate(made.tasks)]
        )
    number = _count(len(made.tasks))
    return say(
        f"Was imported before: {number}." if made.repeated else f"Imported {number}.",
        *(f"  {describe(task)}" for task in made.tasks[:10]),
        *(["  …"] if len(made.tasks) > 10 else []),
        *(f"  #{made.tasks[number].id} is much like #{task.id} {task.title}" for number, task in alike.items()),
        *(["  If it is all there already: taskpilot undo"] if alike else []),
    )


def write_plan(session: Session, project: str | None) -> list[bytes]:
    written = session.run(plans.write, Selection(closed=True, project=project), title=project or "")
    if project is not None and "- [" not in written:
        raise NotFound(f"There is nothing in a project {project!r}.", hint="taskpilot projects lists them.")
    return [written.encode("utf-8", "replace")]


def _preview(session: Session, steps: list[Step], alike: Mapping[int, Task]) -> None:
    found = [(step, depth) for top in steps for step, depth in top.walk()]
    if session.json:
        return print_json(
            [_step_json(step, depth) | {"alike": _id(alike.get(number))} for number, (step, depth) in enumerate(found)]
        )
    for number, (step, depth) in enumerate(found):
        there = f" · much like #{alike[number].id}" if number in alike else ""
        say("  " * depth + f"- {step.fields['title']}{_tell(step)}{there}")
    return say(f"{_count(len(found))}. Nothing was added.")


def _count(number: int) -> str:
    return f"{number} task{'' if number == 1 else 's'}"


def _tell(step: Step) -> str:
    said = [str(step.fields[name]) for name in ("status", "priority", "due_date") if name in step.fields]
    said += [f"+{tag}" for tag in step.fields.get("tags", ())]
    return "".join(f" · {each}" for each in said) + (f" · after {', '.join(step.after)}" if step.after else "")


def _id(task: Task | None) -> int | None:
    return None if task is None else task.id


def _step_json(step: Step, depth: int) -> dict[str, object]:
    fields = {name: str(value) if name == "due_date" else value for name, value in step.fields.items()}
    return {**fields, "name": step.name, "after": list(step.after), "depth": depth}
