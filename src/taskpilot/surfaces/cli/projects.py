"""Projects: names that tasks gather under."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from taskpilot.domain.errors import NotFound
from taskpilot.domain.moments import wire
from taskpilot.domain.project import Project
from taskpilot.ops import projects
from taskpilot.surfaces.cli.errors import Misused
from taskpilot.surfaces.cli.output import print_json, say
from taskpilot.surfaces.cli.session import Session


def list_projects(session: Session) -> None:
    """List projects with their open tasks."""
    found = session.run(projects.list_all)
    if session.json:
        print_json([_project_json(project) | {"open": number} for project, number in found])
    elif not found:
        say("No projects yet. One is made when a task names it: taskpilot add Paint walls project:House")
    else:
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column("project", no_wrap=True)
        table.add_column("open", justify="right")
        table.add_column("about", no_wrap=True, overflow="ellipsis")
        for project, number in found:
            name = Text.assemble(("● ", project.colour), project.name)
            table.add_row(name, str(number), Text(project.description.partition("\n")[0]))
        say(table)


def change_project(
    session: Session,
    name: Annotated[str, typer.Argument(metavar="NAME")],
    rename: Annotated[str | None, typer.Option("--rename", metavar="NEW", help="Another name.")] = None,
    colour: Annotated[str | None, typer.Option("--colour", "--color", help="As #rrggbb.")] = None,
    description: Annotated[str | None, typer.Option("--description", "-d", help="What it is about.")] = None,
    delete: Annotated[bool, typer.Option("--delete", help="Remove it; its tasks stay.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before removing.")] = False,
) -> None:
    """Make a project, change it, or remove it."""
    if not delete:
        project = session.run(projects.save, name, rename=rename, colour=colour, description=description)
        return print_json(_project_json(project)) if session.json else say(f"Project {project.name} is saved.")
    if rename is not None or colour is not None or description is not None:
        raise Misused("A project that is removed cannot be changed too.", hint="Use --delete alone.")
    number = next((open for each, open in session.run(projects.list_all) if each.name == name), None)
    if number is None:
        raise NotFound(f"Project {name!r} not found.", hint="taskpilot projects shows their names.")
    session.confirm(f"Remove the project {name!r}? Its tasks ({number} open) stay, without a project.", yes=yes)
    gone, count = session.run(projects.delete, name)
    if session.json:
        return print_json(_project_json(gone) | {"tasks": count})
    return say(f"Removed the project {gone.name}; {count} tasks stay without one. To take it back: taskpilot undo")


def _project_json(project: Project) -> dict[str, Any]:
    return {
        "id": project.id,
        "name": project.name,
        "colour": project.colour,
        "description": project.description,
        "created_at": wire(project.created_at),
        "updated_at": wire(project.updated_at),
        "version": project.version,
    }
