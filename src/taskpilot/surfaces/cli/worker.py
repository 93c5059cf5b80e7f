"""The process that carries runs out. It is started by whoever runs us."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated

import typer

from taskpilot.surfaces.cli.errors import Misused
from taskpilot.surfaces.cli.session import Session

CONCURRENCY = 2
MOST = 64
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


@dataclass(frozen=True, slots=True)
class Hire:
    """How a worker is to work."""

    concurrency: int = CONCURRENCY
    name: str = ""
    leave_when_idle: float = 0


def work(
    session: Session,
    concurrency: Annotated[
        int, typer.Option("--concurrency", metavar="N", help="Runs at a time.", min=1, max=MOST)
    ] = CONCURRENCY,
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="To have several workers on one data folder.")
    ] = "",
    leave_when_idle: Annotated[
        float,
        typer.Option("--leave-when-idle", metavar="SECONDS", help="End after this long without work; 0 stays.", min=0),
    ] = 0,
    log_level: Annotated[str | None, typer.Option("--log-level", help="debug, info, warning, error.")] = None,
) -> None:
    """Carry out runs of coding agents on this machine.

    With --database-url, workers on many machines share the work; one that is lost is replaced by another.
    """
    if name and not _NAME.fullmatch(name):
        raise Misused(f"{name!r} cannot be the name of a worker.", hint="Use letters, digits, dots and dashes.")
    session.take(json=False, log_level=log_level)
    session.carry_runs(session.settings, Hire(concurrency, name, leave_when_idle))
