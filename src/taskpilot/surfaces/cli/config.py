"""The settings: what they are, where they come from, and changing the file."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from taskpilot import settings
from taskpilot.domain.errors import Invalid
from taskpilot.logs import mask
from taskpilot.surfaces.cli import textfile
from taskpilot.surfaces.cli.command import command
from taskpilot.surfaces.cli.output import print_json, say
from taskpilot.surfaces.cli.session import Session

Name = Annotated[str, typer.Argument(metavar="NAME", autocompletion=lambda: list(settings.NAMES))]

commands = typer.Typer(add_completion=False)


def show_all(session: Session, ctx: typer.Context) -> None:
    """Show the settings and where each comes from; get, set or unset one."""
    if ctx.invoked_subcommand is not None:
        return
    found = session.settings
    if session.json:
        print_json({name: {"value": _value(found, name), "source": found.sources[name]} for name in settings.NAMES})
        return
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("name", "value", "from", "about"):
        table.add_column(title, overflow="fold")
    for name in settings.NAMES:
        source = found.sources[name]
        table.add_row(
            name,
            Text(str(_value(found, name)) or "–"),
            Text(source, style="dim" if source == "default" else "cyan"),
            Text(settings.ABOUT[name], style="dim"),
        )
    say(table, f"\nFile: {settings.config_file()}")


def get(session: Session, name: Name) -> None:
    """Print one setting."""
    value = _value(session.settings, _known(name))
    if session.json:
        print_json({"name": name, "value": value, "source": session.settings.sources[name]})
    else:
        say(str(value))


def put(session: Session, name: Name, value: Annotated[str, typer.Argument(metavar="VALUE")]) -> None:
    """Write one setting into the file. What else is in it stays."""
    converted = settings.convert(_known(name), value)
    _change(name, converted if isinstance(converted, int) else str(converted))
    _tell(session, name, f"{name} is now {'•••' if name in settings.SECRETS else mask(str(converted))}")


def unset(session: Session, name: Name) -> None:
    """Take one setting out of the file."""
    _change(_known(name), None)
    _tell(session, name, f"{name} is no longer set in the file.")


def show_path(session: Session) -> None:
    """Print where the file is."""
    path = settings.config_file()
    if session.json:
        print_json({"path": str(path), "exists": path.exists()})
    else:
        say(str(path))


commands.callback(invoke_without_command=True)(command(show_all))
commands.command("get")(command(get))
commands.command("set")(command(put))
commands.command("unset")(command(unset))
commands.command("path")(command(show_path))


def _known(name: str) -> str:
    if name not in settings.NAMES:
        raise Invalid(f"There is no setting {name!r}.", hint=f"Choose one of: {', '.join(settings.NAMES)}.")
    return name


def _change(name: str, value: Any | None) -> None:
    path = settings.config_file()
    settings.read_file(path)  # refuses a broken file before it is touched
    before = textfile.read(path)
    after = textfile.set_top(before, name, value)
    if after != before:
        textfile.replace(path, after)


def _tell(session: Session, name: str, text: str) -> None:
    """What holds from now on: a variable or a flag may still win over the file."""
    found = session.settings
    if session.json:
        print_json({"name": name, "value": _value(found, name), "source": found.sources[name]})
        return
    say(text)
    if found.sources[name] in ("flag", "environment"):
        say(f"The {found.sources[name]} still says {_value(found, name)}, and wins.")


def _value(found: settings.Settings, name: str) -> Any:
    value = getattr(found, name)
    return value if isinstance(value, int) else mask(str(value))
