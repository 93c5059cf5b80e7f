"""Tags: words that tasks carry."""

from __future__ import annotations

from typing import Annotated

import typer

from taskpilot.ops import tags
from taskpilot.surfaces.cli.errors import Misused
from taskpilot.surfaces.cli.output import print_json, say
from taskpilot.surfaces.cli.session import Session


def list_tags(session: Session) -> None:
    """List tags with their open tasks."""
    found = session.run(tags.list_all)
    if session.json:
        print_json([{"name": name, "open": number} for name, number in found])
    elif not found:
        say("No tags yet. Give a task one: taskpilot add Buy milk +shop")
    else:
        width = max(len(name) for name, _ in found)
        for name, number in found:
            say(f"+{name:<{width}}  {number:>5}")


def change_tag(
    session: Session,
    name: Annotated[str, typer.Argument(metavar="NAME")],
    rename: Annotated[str | None, typer.Option("--rename", metavar="NEW", help="On every task.")] = None,
    delete: Annotated[bool, typer.Option("--delete", help="Take it off every task.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before removing.")] = False,
) -> None:
    """Rename a tag on every task, or take it off."""
    if (rename is None) != delete:
        raise Misused("Say what to do with the tag.", hint="Use either --rename NEW or --delete.")
    if rename is not None:
        number = session.run(tags.rename, name, rename)
        done = f"+{name.lstrip('#+')} is now +{rename.lstrip('#+')}"
    else:
        session.confirm(f"Take the tag {name!r} off every task?", yes=yes)
        number = session.run(tags.delete, name)
        done = f"+{name.lstrip('#+')} is gone"
    if session.json:
        print_json({"tasks": number})
    else:
        say(f"{done}: {number} task{'' if number == 1 else 's'} changed. To take it back: taskpilot undo")
