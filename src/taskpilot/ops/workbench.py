"""A workspace and its tasks together: setting it up, and reaching its tasks from inside it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from taskpilot.domain import rule, text
from taskpilot.domain.choices import OneOf
from taskpilot.domain.errors import Invalid, NotFound
from taskpilot.domain.fields import TaskFields
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.rule import Rule
from taskpilot.domain.task import PROSE_MOST, TITLE_MOST, Task
from taskpilot.domain.workspace import NAME_MOST, STACK_MOST, Workspace
from taskpilot.ops import rules, tasks, workspaces
from taskpilot.store.work import Work

FIRST_TASKS_MOST = 500
EVENTS = 200
_BULLET = re.compile(r"^\s*[-*•]\s+")


@dataclass(frozen=True, slots=True)
class SetUp:
    workspace: Workspace
    tasks: tuple[Task, ...]
    """Those it began with; deleted ones left out."""
    rules: tuple[Rule, ...]


@writes
def set_up(work: Work, path: str, *, name: str = "", requirements: str = "", tech_stack: str = "") -> SetUp:
    """Set a workspace up: its name, a task for each line of the requirements, rules to begin with.

    Safe to repeat: what was set up stays as it is, and so do its people's changes since.
    """
    requirements = text.prose(requirements, "The requirements", PROSE_MOST)
    lines = _split(requirements)
    tech_stack = text.line(tech_stack, "The tech stack", STACK_MOST, 0)
    name = text.line(name, "A workspace name", NAME_MOST, 0)
    before = workspaces.open_folder(work, path, name=name)
    if before.initialised_at is not None:
        return _recall(work, before)
    workspace = replace(
        before,
        name=name or before.name,
        requirements=requirements,
        tech_stack=tech_stack,
        initialised_at=work.now,
        updated_at=work.now,
        version=before.version + 1,
    )
    work.workspaces.save(workspace)
    work.record("workspace.initialised", before, workspace)
    drafts = [_draft(workspace, line) for line in lines]
    made = tasks.create(work, drafts).tasks if drafts else ()
    if not work.rules.all(workspace.id):
        for kind, content in rule.defaults(tech_stack):
            rules.add(work, workspace.id, kind, content)
    return SetUp(workspace, made, tuple(work.rules.all(workspace.id)))


@reads
def get_task(work: Work, workspace_id: int, task_id: int) -> Task:
    """A task as seen from a workspace: one of its own, or one that belongs to none."""
    task = work.tasks.get(task_id)
    if task.workspace not in (None, workspace_id):
        raise NotFound(f"Task {task_id} not found in this workspace.", hint="It belongs to another one.")
    return task


@writes
def update_task(
    work: Work, workspace_id: int, task_id: int, changes: Mapping[str, Any], *, reason: str = ""
) -> tasks.Changed:
    """Change a task as seen from a workspace. A `OneOf` keeps a value that it means already."""
    task = get_task(work, workspace_id, task_id)
    settled = {
        name: value.settle(getattr(task, name)) if isinstance(value, OneOf) else value
        for name, value in changes.items()
    }
    return tasks.update(work, task.id, cast(TaskFields, settled), reason=reason)


def _split(requirements: str) -> list[str]:
    """One task a line; the mark of a list in front of it is not part of the words."""
    lines = [text.clean_line(_BULLET.sub("", line)) for line in requirements.splitlines()]
    lines = [line for line in lines if line]
    if len(lines) > FIRST_TASKS_MOST:
        raise Invalid(
            f"The requirements have {len(lines)} lines; each becomes a task, and {FIRST_TASKS_MOST} fit.",
            hint="Give fewer lines now, and add the rest as tasks later.",
        )
    return lines


def _draft(workspace: Workspace, line: str) -> TaskFields:
    return {"title": text.shorten(line, TITLE_MOST), "description": line, "workspace": workspace.id}


def _recall(work: Work, workspace: Workspace) -> SetUp:
    """What setting it up made then. Its user has turned to it again, and the log says so unless it was there last."""
    events = work.events.history(noun="workspace", subject=workspace.id, before=None, limit=EVENTS)
    initial = next((event for event in events if event.kind == "workspace.initialised"), None)
    together = work.events.of_change(initial.change) if initial else []
    ids = sorted(event.subject for event in together if event.kind == "task.created")
    current = work.workspaces.current()
    if current is None or current.id != workspace.id:
        work.record("workspace.chosen", workspace, workspace)
    return SetUp(workspace, tuple(work.tasks.many(ids)), tuple(work.rules.all(workspace.id)))
