"""One run of the command line: what was asked of it as a whole, and the application, opened on first use."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import typer

from taskpilot.domain import text
from taskpilot.domain.caller import Caller, local
from taskpilot.settings import PREFIX, Settings, load
from taskpilot.surfaces.cli.errors import Misused

if TYPE_CHECKING:
    from taskpilot.app import App
    from taskpilot.store.database import Database
    from taskpilot.store.work import Work
    from taskpilot.surfaces.cli.worker import Hire

ACTOR_MOST = 100

P = ParamSpec("P")
R = TypeVar("R")

Serve = Callable[[Settings], None]
Mcp = Callable[[Settings, str], None]
CarryRuns = Callable[[Settings, "Hire"], None]


class Session:
    def __init__(self, serve: Serve, mcp: Mcp, carry_runs: CarryRuns) -> None:
        self.serve = serve
        self.mcp = mcp
        self.carry_runs = carry_runs
        self.json = False
        self.flags: dict[str, Any] = {}

    @cached_property
    def caller(self) -> Caller:
        """This machine's user, under the name that a script or an agent goes by here."""
        named = os.environ.get(PREFIX + "ACTOR", "")
        return local("cli", text.line(named, PREFIX + "ACTOR", ACTOR_MOST)) if named.strip() else local("cli")

    @cached_property
    def settings(self) -> Settings:
        return load(self.flags)

    @property
    def debug(self) -> bool:
        """Never loads the settings: they may be the very thing that is broken."""
        known: Settings | None = self.__dict__.get("settings")
        return (known.log_level if known else os.environ.get(PREFIX + "LOG_LEVEL")) == "debug"

    @property
    def database_address(self) -> str | Path:
        return self.settings.database_url or self.settings.database_path

    @cached_property
    def database(self) -> Database:
        """As it is, not brought up to date: what `check`, `restore` and `doctor` look at."""
        from taskpilot.store.database import open_database

        return open_database(self.database_address)

    @cached_property
    def app(self) -> App:
        from taskpilot.app import App
        from taskpilot.store.vault import Vault

        self.database.migrate()
        vault = Vault(self.settings.key_path, key=self.settings.secret_key.reveal())
        return App(self.database, vault=vault, reach=self.settings.reach)

    def take(self, *, json: bool, **flags: Any) -> None:
        """Add what one level of the command line says; a later level wins."""
        self.json = self.json or json
        self.flags.update({name: value for name, value in flags.items() if value is not None})

    def run(self, op: Callable[Concatenate[Work, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        return self.app.run(self.caller, op, *args, **kwargs)

    def confirm(self, question: str, *, yes: bool) -> None:
        """Go on only if a person agrees. A script has to have said --yes."""
        if yes:
            return
        if not sys.stdin.isatty():
            raise Misused(f"{question} There is nobody here to answer.", hint="Nothing was changed. Repeat with --yes.")
        if not typer.confirm(question, err=True):
            raise typer.Abort

    def close(self) -> None:
        opened: Any = self.__dict__.get("app") or self.__dict__.get("database")
        if opened is not None:
            opened.close()
