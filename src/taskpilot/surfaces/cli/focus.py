"""Focus: all that is needed to work on one task."""

from __future__ import annotations

from typing import Annotated

import typer

from taskpilot import folder
from taskpilot.domain.moments import wire
from taskpilot.domain.task import parse_id
from taskpilot.domain.wording import describe as tell
from taskpilot.ops import focus
from taskpilot.surfaces.cli.output import describe, event_json, print_json, say, task_json
from taskpilot.surfaces.cli.session import Session


def focus_task(session: Session, id: Annotated[str, typer.Argument(metavar="ID", help="As 42 or TP-42.")]) -> None:
    """Show a task with its rules, files, blockers, subtasks and history."""
    found = session.run(focus.gather, parse_id(id))
    task = found.task
    missing = folder.find_missing(found.workspace.path, task.connected_files) if found.workspace else None
    if session.json:
        return print_json(
            {
                "task": task_json(task),
                "ready": found.ready,
                "rules": [{"kind": rule.kind.value, "content": rule.content} for rule in found.rules],
                "missing_files": sorted(missing or ()),
                "blockers": [task_json(each) for each in found.blockers],
                "waiting": [task_json(each) for each in found.waiting],
                "subtasks": [task_json(each) for each in found.subtasks],
                "parent": task_json(found.parent) if found.parent else None,
                "events": [event_json(event) for event in found.events],
            }
        )
    files = [path + (" (missing)" if path in (missing or ()) else "") for path in task.connected_files]
    say(describe(task), *([task.description] if task.description else []))
    _section("Waits on", [describe(each) for each in found.blockers if each.status.open])
    _section("Parts", [describe(each) for each in found.subtasks])
    _section("Files", files)
    _section("Rules", [f"{rule.kind.value}: {rule.content}" for rule in found.rules])
    return _section("History", [f"{wire(event.at)}  {tell(event)}" for event in found.events])


def _section(title: str, lines: list[str]) -> None:
    if lines:
        say("", title, *("  " + line.replace("\n", "\n  ") for line in lines))
