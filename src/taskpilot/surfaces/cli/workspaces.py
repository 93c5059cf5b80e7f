"""Workspaces: the folders that tasks belong to."""

from __future__ import annotations

import os.path
from typing import Annotated, Any

import typer

from taskpilot.domain.moments import wire
from taskpilot.domain.workspace import Workspace
from taskpilot.ops import workspaces
from taskpilot.surfaces.cli.output import print_json, say
from taskpilot.surfaces.cli.session import Session


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
    workspace = session.run(workspaces.open_folder, os.path.abspath(os.path.expanduser(path)), name=name)
    if session.json:
        print_json(_workspace_json(workspace))
    else:
        say(f"Workspace {workspace.id}: {workspace.name} at {workspace.path}")


def _workspace_json(workspace: Workspace) -> dict[str, Any]:
    return {
        "id": workspace.id,
        "name": workspace.name,
        "path": workspace.path,
        "created_at": wire(workspace.created_at),
        "updated_at": wire(workspace.updated_at),
    }
