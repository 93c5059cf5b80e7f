"""Tasks from one line, in the caller's own time zone."""

from __future__ import annotations

from datetime import tzinfo

from taskpilot.domain import quickadd
from taskpilot.domain.days import find_zone
from taskpilot.domain.errors import Invalid
from taskpilot.domain.fields import TaskFields
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.quickadd import Understood
from taskpilot.domain.task import Task
from taskpilot.ops import tasks, users
from taskpilot.store.work import Work


@reads
def preview(work: Work, line: str, *, zone: str | None = None) -> Understood:
    """What a line would make. A project that is there is meant whichever way its name is written; another is new."""
    understood = quickadd.read(line, work.now, _find_zone(work, zone))
    name = understood.fields.get("project")
    if name is None:
        return understood
    known = _find_project(work, name)
    label = f"{name} (new)" if known is None else known
    parts = (part._replace(label=label) if part.kind == "project" else part for part in understood.parts)
    return Understood(understood.fields | {"project": known or name}, tuple(parts))


@writes
def add(work: Work, line: str, beside: TaskFields, *, zone: str | None = None) -> Task:
    """Make what a line says; it counts before what is given `beside` it."""
    said = preview(work, line, zone=zone).fields
    if not said.get("title"):
        raise Invalid("There is no title in this.", hint="Say in a few words what is to be done.")
    if "project" in said:
        beside = {name: value for name, value in beside.items() if name != "project_id"}  # pyright: ignore[reportAssignmentType]
    return tasks.create(work, [beside | said]).tasks[0]


def _find_zone(work: Work, name: str | None) -> tzinfo:
    return find_zone(users.me(work).preferences["time_zone"] if name is None else name)


def _find_project(work: Work, name: str) -> str | None:
    if work.projects.find(name) is not None:
        return name
    folded = name.casefold()
    return next((each.name for each, _ in work.projects.all() if each.name.casefold() == folded), None)
