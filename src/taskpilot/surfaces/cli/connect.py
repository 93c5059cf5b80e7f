"""Introducing TaskPilot to an assistant."""

from __future__ import annotations

import os
import shutil
import sys
from typing import Annotated

import typer

from taskpilot import contracts
from taskpilot.domain.errors import Invalid
from taskpilot.logs import mask
from taskpilot.settings import Settings
from taskpilot.surfaces.cli.clients import CLIENTS, Client, Launch
from taskpilot.surfaces.cli.errors import Misused
from taskpilot.surfaces.cli.output import print_json, say
from taskpilot.surfaces.cli.processes import DEFAULT_CONTRACT
from taskpilot.surfaces.cli.session import Session


def connect(
    session: Session,
    client: Annotated[
        str | None, typer.Argument(metavar="[CLIENT]", help=", ".join(CLIENTS), autocompletion=lambda: list(CLIENTS))
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Put it into the assistant's own file, keeping a .bak.")
    ] = False,
    http: Annotated[bool, typer.Option("--http", help="Connect to a running server instead of starting one.")] = False,
    contract: Annotated[str, typer.Option("--contract", help="Which set of tools to offer.")] = DEFAULT_CONTRACT,
) -> None:
    """Show, or write, what an assistant needs to use your tasks."""
    if client is None:
        if write:
            raise Misused("Say which assistant to connect.", hint=f"Choose one of: {', '.join(CLIENTS)}.")
        return _list(session)
    if client not in CLIENTS:
        raise Invalid(f"I do not know the assistant {client!r}.", hint=f"Choose one of: {', '.join(CLIENTS)}.")
    chosen, launch = CLIENTS[client], _launch(session.settings, contracts.check(contract), http=http)
    changed = chosen.write(launch) if write else False
    if session.json:
        return print_json(
            {
                "client": chosen.name,
                "file": str(chosen.file()),
                "entry": chosen.entry(launch),
                "command": chosen.command_line(launch) or None,
                "written": changed,
            }
        )
    if write:
        return say(
            f"Wrote TaskPilot into {chosen.file()}" if changed else f"TaskPilot is in {chosen.file()} already.",
            f"Restart {chosen.title}, then ask it: what is on my list?",
        )
    return _explain(chosen, launch)


def _list(session: Session) -> None:
    found = [(client, client.is_here(), client.is_connected()) for client in CLIENTS.values()]
    if session.json:
        return print_json(
            [
                {"client": client.name, "file": str(client.file()), "detected": here, "connected": connected}
                for client, here, connected in found
            ]
        )
    say("Assistants that can use your tasks:\n")
    for client, here, connected in found:
        mark, state = ("✓", "connected") if connected else ("○", "found here") if here else (" ", "not found here")
        say(f"  {mark} {client.name:<16}{client.title:<16}{state}")
    example = next((client.name for client, here, connected in found if here and not connected), "claude-code")
    return say(f"\nSee how:    taskpilot connect {example}", f"Do it now:  taskpilot connect {example} --write")


def _explain(client: Client, launch: Launch) -> None:
    line = client.command_line(launch)
    if line:
        say(f"Run this:\n\n  {line}\n\nOr put this into {client.file()}:\n")
    else:
        say(f"Put this into {client.file()}:\n")
    say("\n".join("  " + each for each in client.snippet(launch).splitlines()))
    say(f"\nOr let TaskPilot do that: taskpilot connect {client.name} --write")
    if launch.url:
        say("The server has to be running: taskpilot serve")


def _launch(settings: Settings, contract: str, *, http: bool) -> Launch:
    if http:
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        path = "/mcp" if contract == DEFAULT_CONTRACT else f"/mcp/{contract}"
        return Launch(url=f"http://{host}:{settings.port}{path}")
    flags = [] if contract == DEFAULT_CONTRACT else ["--contract", contract]
    if settings.sources["data_dir"] != "default":
        flags += ["--data-dir", str(settings.data_dir)]
    if settings.sources["database_url"] in ("flag", "environment"):
        if mask(settings.database_url) != settings.database_url:
            raise Invalid(
                "The database address holds a password, which does not belong into an assistant's file.",
                hint="Keep it in yours (taskpilot config set database_url URL), then connect without naming it.",
            )
        flags += ["--database-url", settings.database_url]
    return Launch(program=_program(), flags=tuple(flags))


def _program() -> tuple[str, ...]:
    """Ourselves, by the name we were called; links are kept, since they outlive what they point to."""
    called = sys.argv[0]
    if os.path.basename(called).partition(".")[0] == "taskpilot" and os.path.exists(called):
        return (os.path.abspath(called),)
    installed = shutil.which("taskpilot", path=os.path.dirname(sys.executable)) or shutil.which("taskpilot")
    return (os.path.abspath(installed),) if installed else (sys.executable, "-m", "taskpilot")
