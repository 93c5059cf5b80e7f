"""Is everything in place? Looks, and changes nothing."""

from __future__ import annotations

import os
import platform
import shutil
import socket
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import typer

from taskpilot import __version__
from taskpilot.address import locate_socket
from taskpilot.domain.errors import TaskPilotError
from taskpilot.logs import mask
from taskpilot.settings import Settings
from taskpilot.surfaces.cli.clients import CLIENTS
from taskpilot.surfaces.cli.errors import EXIT
from taskpilot.surfaces.cli.output import print_json, say
from taskpilot.surfaces.cli.session import Session

LEAST_FREE = 200 * 1024 * 1024
QUICK_SECONDS = 0.5
MARKS = {"good": ("✓", "green"), "warning": ("!", "yellow"), "bad": ("✗", "bold red")}


@dataclass(frozen=True, slots=True)
class Finding:
    state: Literal["good", "warning", "bad"]
    what: str
    detail: str
    todo: str = ""


def doctor(session: Session) -> None:
    """Look whether everything is in place, and say what to do where it is not."""
    findings = list(_examine(session))
    if session.json:
        print_json([asdict(finding) for finding in findings])
    else:
        for finding in findings:
            _print(finding)
    if any(finding.state == "bad" for finding in findings):
        raise typer.Exit(EXIT["unavailable"])


def _examine(session: Session) -> Iterator[Finding]:
    yield Finding("good", "TaskPilot", f"{__version__}, Python {platform.python_version()} at {sys.executable}")
    yield _look_at_sqlite()
    try:
        settings = session.settings
    except TaskPilotError as error:
        yield Finding("bad", "settings", error.message, error.hint)
        return
    yield from _look_at_folder(settings)
    yield from _look_at_database(session)
    yield _look_for_server(settings)
    connected = [client.title for client in CLIENTS.values() if client.is_connected()]
    waiting = [client.name for client in CLIENTS.values() if client.is_here() and not client.is_connected()]
    hint = f"Connect one: taskpilot connect {waiting[0]}" if waiting else "See taskpilot connect"
    if connected:
        yield Finding("good", "assistants", ", ".join(connected) + " connected")
    else:
        yield Finding("warning", "assistants", "none connected yet", hint)


def _look_at_sqlite() -> Finding:
    with closing(sqlite3.connect(":memory:")) as probe:
        try:
            probe.execute("CREATE VIRTUAL TABLE probe USING fts5(words)")
        except sqlite3.OperationalError:
            return Finding(
                "bad",
                "SQLite",
                f"{sqlite3.sqlite_version}, without full-text search",
                "Use a Python whose SQLite has FTS5.",
            )
    return Finding("good", "SQLite", f"{sqlite3.sqlite_version}, with full-text search")


def _look_at_folder(settings: Settings) -> Iterator[Finding]:
    folder = settings.data_dir
    there = next(place for place in (folder, *folder.parents) if place.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        reason = "cannot be written to" if there.is_dir() else f"cannot be made: {there} is a file"
        yield Finding("bad", "data folder", f"{folder} {reason}", "Choose another with --data-dir.")
        return
    free = shutil.disk_usage(there).free
    detail = f"{folder}, {free / 1024**3:.1f} GiB free"
    if free < LEAST_FREE:
        yield Finding("warning", "data folder", detail, "Free some space soon.")
    else:
        yield Finding("good", "data folder", detail)


def _look_at_database(session: Session) -> Iterator[Finding]:
    from taskpilot.store import schema
    from taskpilot.store.check import inspect

    where = session.database_address
    if isinstance(where, Path) and not where.exists():
        yield Finding("good", "database", f"{where} will be made when the first task is added")
        return
    try:
        with session.database.reading() as db:
            version, latest = schema.version(db), schema.latest(db.dialect)
        problems = inspect(session.database) if version == latest else []
    except TaskPilotError as error:
        yield Finding("bad", "database", f"{mask(str(where))}: {error.message}", error.hint)
        return
    if version > latest:
        yield Finding(
            "bad", "database", f"at version {version}; this TaskPilot knows {latest}", "Install the newest TaskPilot."
        )
    else:
        state = f"version {version}" if version else "not set up yet"
        later = "" if version == latest else f", will be brought to version {latest} on next use"
        yield Finding("good", "database", f"{mask(str(where))}, {state}{later}")
    if problems:
        yield Finding("bad", "integrity", "; ".join(problems), "Restore the latest backup: taskpilot restore FILE")


def _look_for_server(settings: Settings) -> Finding:
    """A server on this folder has a socket in it; one on this port answers on the port."""
    ours = _answers(socket.AF_UNIX, locate_socket(settings.data_dir))
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    taken = settings.port != 0 and _answers(family, (settings.host, settings.port))
    if ours:
        where = f", http://{settings.host}:{settings.port}" if taken else ", on another port than set here"
        return Finding("good", "server", f"running on this data folder{where}")
    if taken:
        return Finding(
            "warning",
            "server",
            f"port {settings.port} is taken, but not by a server on this data folder",
            "Start yours on another port: taskpilot serve --port 0",
        )
    return Finding("good", "server", "not running; assistants start what they need (or: taskpilot serve)")


def _answers(family: socket.AddressFamily, address: str | tuple[str, int]) -> bool:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as caller:
            caller.settimeout(QUICK_SECONDS)
            caller.connect(address)
    except (OSError, UnicodeError):
        return False
    return True


def _print(finding: Finding) -> None:
    from rich.text import Text

    mark, style = MARKS[finding.state]
    line = Text.assemble((mark, style), f" {finding.what:<12} ", finding.detail)
    if finding.todo:
        line.append(f"\n  {'':<12} → {finding.todo}", style="dim")
    say(line)
