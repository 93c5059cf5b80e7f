"""The command line: which commands there are, and one run of it.

A command's file is imported when the command is used, so that none pays for another.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated, Any, TextIO

import typer
from typer.core import TyperGroup
from typer.main import get_command

from taskpilot import __version__
from taskpilot.surfaces.cli.command import command
from taskpilot.surfaces.cli.errors import STOPPED, report
from taskpilot.surfaces.cli.session import CarryRuns, Mcp, Serve, Session
from taskpilot.surfaces.cli.values import read_lightly

TASKS, LOOK, ORDER, WORKSPACE = "Tasks", "Look", "Put in order", "In a workspace"
AGENTS, ASSISTANTS, PEOPLE, SAFETY = "Many agents", "Assistants", "People", "Care"

COMMANDS: dict[str, tuple[str, str]] = {
    "add": ("tasks:add", TASKS),
    "edit": ("tasks:edit", TASKS),
    "done": ("tasks:done", TASKS),
    "reopen": ("tasks:reopen", TASKS),
    "rm": ("tasks:remove", TASKS),
    "undo": ("history:undo", TASKS),
    "bin": ("bin:commands", TASKS),
    "list": ("lists:list_tasks", LOOK),
    "next": ("lists:show_next", LOOK),
    "show": ("lists:show", LOOK),
    "search": ("lists:search_tasks", LOOK),
    "stats": ("stats:show_stats", LOOK),
    "log": ("history:log", LOOK),
    "projects": ("projects:list_projects", ORDER),
    "project": ("projects:change_project", ORDER),
    "tags": ("tags:list_tags", ORDER),
    "tag": ("tags:change_tag", ORDER),
    "workspaces": ("workspaces:list_workspaces", ORDER),
    "workspace": ("workspaces:open_workspace", ORDER),
    "init": ("workspaces:set_up", WORKSPACE),
    "start": ("workspaces:start_session", WORKSPACE),
    "status": ("workspaces:show_status", WORKSPACE),
    "focus": ("focus:focus_task", WORKSPACE),
    "inspect": ("audit:inspect_workspace", WORKSPACE),
    "rules": ("rules:list_rules", WORKSPACE),
    "rule": ("rules:change_rule", WORKSPACE),
    "run": ("runs:commands", AGENTS),
    "claim": ("claims:claim_task", AGENTS),
    "release": ("claims:release_task", AGENTS),
    "claims": ("claims:list_claims", AGENTS),
    "claim-check": ("claims:check_claim", AGENTS),
    "limit": ("limits:set_limit", AGENTS),
    "limits": ("limits:list_limits", AGENTS),
    "chat": ("chat:chat", ASSISTANTS),
    "connect": ("connect:connect", ASSISTANTS),
    "worker": ("worker:work", AGENTS),
    "serve": ("processes:serve", ASSISTANTS),
    "mcp": ("processes:speak_mcp", ASSISTANTS),
    "user": ("users:commands", PEOPLE),
    "token": ("tokens:commands", PEOPLE),
    "audit": ("trail:show_trail", SAFETY),
    "export": ("transfer:export_all", SAFETY),
    "import": ("transfer:import_all", SAFETY),
    "backup": ("safety:backup", SAFETY),
    "restore": ("safety:restore", SAFETY),
    "check": ("safety:check", SAFETY),
    "doctor": ("doctor:doctor", SAFETY),
    "config": ("config:commands", SAFETY),
}
"""Name → file and function (or group of commands), and where the help shows it."""


class Commands(TyperGroup):
    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands: dict[str, Any] = dict.fromkeys(COMMANDS)

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        if cmd_name in COMMANDS and self.commands[cmd_name] is None:
            self.commands[cmd_name] = _load(cmd_name)
        return self.commands.get(cmd_name)


def _load(name: str) -> Any:
    (place, panel) = COMMANDS[name]
    module, _, attribute = place.partition(":")
    found = getattr(import_module(f"taskpilot.surfaces.cli.{module}"), attribute)
    if not isinstance(found, typer.Typer):
        alone = typer.Typer(add_completion=False)
        alone.command(name)(command(found))
        found = alone
    loaded: Any = get_command(found)
    loaded.name, loaded.rich_help_panel = name, panel
    read_lightly(loaded)
    return loaded


def show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"taskpilot {__version__}")
        raise typer.Exit


Version = Annotated[bool, typer.Option("--version", callback=show_version, is_eager=True, help="Say which this is.")]


def welcome(
    session: Session,  # noqa: ARG001
    ctx: typer.Context,
    version: Version = False,  # noqa: ARG001
) -> None:
    """One task list that people, AI assistants and coding agents share.

    Begin with: taskpilot add Write report fri 5pm +work
    """
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


def build() -> Any:
    root = typer.Typer(cls=Commands, name="taskpilot", context_settings={"help_option_names": ["--help", "-h"]})
    root.callback(invoke_without_command=True)(command(welcome))
    built = get_command(root)
    read_lightly(built)
    return built


def _no_worker(*_: Any) -> None:
    raise NotImplementedError


def main(argv: list[str], *, serve: Serve, mcp: Mcp, worker: CarryRuns = _no_worker) -> int:
    """Run one command line; the number is its exit code. The others start what this layer may not import."""
    _accept_every_character(sys.stdout)
    session = Session(serve, mcp, worker)
    as_json = "--json" in argv[: argv.index("--") if "--" in argv else None]
    try:
        return build().main(argv, prog_name="taskpilot", standalone_mode=False, obj=session) or 0
    except SystemExit as ended:  # completion scripts, and Typer when a reader hangs up
        return ended.code if isinstance(ended.code, int) else 0
    except KeyboardInterrupt:
        return STOPPED
    except Exception as error:
        return report(error, as_json=as_json, debug=session.debug)
    finally:
        session.close()


def _accept_every_character(stream: TextIO) -> None:
    """A terminal that cannot show a tick shows its number; that is no reason to fail."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
