"""Every way a command can end badly: one text, one exit code."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import typer

from taskpilot.domain.errors import Kind, TaskPilotError

BUG = 1
USAGE = 2
STOPPED = 130
HUNG_UP = 141
EXIT: dict[Kind, int] = {
    "not_found": 3,
    "invalid": 4,
    "conflict": 5,
    "forbidden": 6,
    "unavailable": 7,
    "unauthenticated": 8,
}


class Misused(Exception):
    """The command line itself is at fault, in a way only the command can tell."""

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Problem:
    kind: str
    message: str
    hint: str
    code: int


def report(error: BaseException, *, as_json: bool = False, debug: bool = False) -> int:
    """Tell the person, or the program, on stderr. The number is the exit code."""
    problem = describe(error)
    if problem.code == BUG and debug:
        import traceback

        traceback.print_exception(error)
    if as_json:
        import json

        told = {"kind": problem.kind, "message": problem.message, "hint": problem.hint}
        sys.stderr.write(json.dumps({"error": told}, ensure_ascii=False) + "\n")
    else:
        _tell(problem)
    return problem.code


def describe(error: BaseException) -> Problem:
    """The one place where errors become words and numbers."""
    if isinstance(error, TaskPilotError):
        return Problem(error.kind, error.message, error.hint, EXIT[error.kind])
    if isinstance(error, Misused):
        return Problem("usage", error.message, error.hint, USAGE)
    if isinstance(error, typer.Abort | KeyboardInterrupt):
        return Problem("stopped", "Stopped. Nothing was changed.", "", STOPPED)
    if isinstance(error, typer.TyperException):
        return _describe_misuse(error)
    number = _fingerprint(error)
    return Problem(
        "bug",
        f"Something went wrong inside TaskPilot (bug {number}: {type(error).__name__}).",
        "Please report it with this number; TASKPILOT_LOG_LEVEL=debug shows where it happened.",
        BUG,
    )


def _describe_misuse(error: typer.TyperException) -> Problem:
    context: Any = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "taskpilot"
    message = error.format_message().strip()
    return Problem("usage", message if message.endswith((".", "?")) else message + ".", f"See {path} --help.", USAGE)


def _fingerprint(error: BaseException) -> str:
    """The same bug gets the same number, so that reports of it can be told to belong together."""
    import hashlib
    import traceback

    places = [f"{frame.filename}:{frame.name}" for frame in traceback.extract_tb(error.__traceback__)]
    return hashlib.sha256("\n".join([type(error).__name__, *places]).encode()).hexdigest()[:8]


def _tell(problem: Problem) -> None:
    from rich.console import Console
    from rich.text import Text

    text = Text()
    if problem.code != STOPPED:
        text.append("Error: ", style="bold red")
    text.append(problem.message)
    if problem.hint:
        text.append(f"\n{problem.hint}", style="dim")
    Console(stderr=True, highlight=False).print(text, soft_wrap=True)
