"""Workspaces: the folders that tasks belong to."""

from __future__ import annotations

import os.path
from typing import Annotated, Any

import typer

from taskpilot.domain.errors import Invalid, NotFound
from taskpilot.domain.moments import wire
from taskpilot.domain.wording import describe as tell
from taskpilot.domain.workspace import Workspace
from taskpilot.ops import queue, sessions, workbench, workspaces
from taskpilot.surfaces.cli.output import STATUS_MARKS, describe, event_json, print_json, say, task_json
from taskpilot.surfaces.cli.session import Session

LATEST = 5
Place = Annotated[
    str | None,
    typer.Argument(metavar="[PATH]", help="A workspace's folder; otherwise this one, or the one used last."),
]


def list_workspaces(session: Session) -> None:
    """List workspaces with their open tasks."""
    found = session.run(workspaces.list_all)
    if session.json:
        print_json([_workspace_json(each) | {"open": number} for each, number in found])
    elif not found:
        say("No workspaces yet. Register a folder: taskpilot workspace .")
    else:
        for each, number in found:
            say(f"{each.id:>4}  {each.name}  {number} open  {each.path}")


def open_workspace(
    session: Session,
    path: Annotated[str, typer.Argument(metavar="PATH", help="A folder.")],
    name: Annotated[str, typer.Option("--name", help="What to call it; otherwise as the folder.")] = "",
) -> None:
    """Register a folder, so that tasks can belong to it. Safe to repeat."""
    workspace = session.run(workspaces.open_folder, expand(path), name=name)
    if session.json:
        print_json(_workspace_json(workspace))
    else:
        say(f"Workspace {workspace.id}: {workspace.name} at {workspace.path}")


def set_up(
    session: Session,
    path: Annotated[str, typer.Argument(metavar="[PATH]", help="A folder; otherwise this one.")] = ".",
    name: Annotated[str, typer.Option("--name", help="What to call it; otherwise as the folder.")] = "",
    need: Annotated[list[str] | None, typer.Option("--need", help="What to build: a first task. Repeatable.")] = None,
    stack: Annotated[str, typer.Option("--stack", help="Languages, frameworks, tools.")] = "",
) -> None:
    """Set a workspace up, with rules and first tasks. Safe to repeat."""
    made = session.run(workbench.set_up, expand(path), name=name, requirements="\n".join(need or ()), tech_stack=stack)
    if session.json:
        rules = [{"kind": rule.kind.value, "content": rule.content} for rule in made.rules]
        tasks = [task_json(task) for task in made.tasks]
        return print_json(_workspace_json(made.workspace) | {"tasks": tasks, "rules": rules})
    say(f"Workspace {made.workspace.id}: {made.workspace.name} at {made.workspace.path}")
    return say(*(describe(task) for task in made.tasks), f"{len(made.rules)} rules: taskpilot rules")


def show_status(session: Session, path: Place = None) -> None:
    """Show how a workspace stands."""
    workspace = choose(session, path)
    found = session.run(workspaces.outline, workspace.id)
    following = session.run(queue.next_task, workspace=workspace.id)
    events = session.run(workspaces.list_events, workspace.id, limit=LATEST)
    if session.json:
        return print_json(
            _workspace_json(workspace)
            | {
                "by_status": {status.value: number for status, number in found.by_status.items()},
                "completion_rate": found.completion_rate,
                "session": wire(found.session.started_at) if found.session else None,
                "open": [task_json(task) for task in found.open],
                "next": task_json(following.task) if following.task else None,
                "events": [event_json(event) for event in events],
            }
        )
    say(f"{workspace.name}: {found.left} open, {found.completed} done ({found.completion_rate:g} %)")
    say(*(f"{STATUS_MARKS[task.status]} {describe(task)}" for task in found.open))
    if following.task is not None:
        say("", f"Next: {describe(following.task)} — {following.reason}")
    return say("", *(f"{wire(event.at)}  {tell(event)}" for event in events))


def start_session(session: Session, path: Place = None) -> None:
    """Begin to work in a workspace; the session that was open there ends."""
    workspace = choose(session, path)
    started = session.run(sessions.start, workspace.id)
    if session.json:
        closed = started.closed.id if started.closed else None
        print_json({"id": started.session.id, "workspace": workspace.id, "closed": closed})
    else:
        say(f"Session {started.session.id} in {workspace.name} is open.")


def choose(session: Session, path: str | None) -> Workspace:
    """The workspace of a folder; of this one, if none is named and it is one; else the one used last."""
    if path is not None:
        return session.run(workspaces.find, expand(path))
    try:
        return session.run(workspaces.find, os.getcwd())
    except (NotFound, Invalid):
        found = session.run(workspaces.find_current)
    if found is None:
        raise NotFound("There is no workspace yet.", hint="Set this folder up: taskpilot init")
    return found


def expand(path: str) -> str:
    return os.path.abspath(os.path.expanduser(path))


def _workspace_json(workspace: Workspace) -> dict[str, Any]:
    return {
        "id": workspace.id,
        "name": workspace.name,
        "path": workspace.path,
        "created_at": wire(workspace.created_at),
        "updated_at": wire(workspace.updated_at),
    }
