"""What reaches stdout, and what a task and a change look like there: as JSON, as a line."""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

import typer

from taskpilot.domain.events import Event
from taskpilot.domain.moments import wire
from taskpilot.domain.task import FIELDS, Priority, Reference, Status, Task
from taskpilot.surfaces.cli.dates import write_date
from taskpilot.surfaces.cli.errors import HUNG_UP

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

UNLIMITED = 10_000
"""Columns when nobody looks: a program that reads along wants whole titles."""

STATUS_MARKS = {
    Status.BACKLOG: "◌",
    Status.TODO: "○",
    Status.IN_PROGRESS: "◐",
    Status.BLOCKED: "■",
    Status.REVIEW: "◑",
    Status.DONE: "✓",
    Status.DROPPED: "✗",
}


def write_out(text: str) -> None:
    """All output goes through here. A reader who has seen enough (`| head`) ends the command quietly."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains when it closes it
        raise typer.Exit(HUNG_UP) from None


def print_json(value: Any, *, indent: int | None = 2) -> None:
    narrow = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    write_out(json.dumps(value, ensure_ascii=narrow, indent=indent) + "\n")


def say(*renderables: RenderableType) -> None:
    """For people: text as it is (no markup), or any of rich's shapes."""
    out = console()
    with out.capture() as captured:
        for each in renderables:
            out.print(each, markup=False, highlight=False, soft_wrap=isinstance(each, str))
    write_out("".join(line.rstrip() + "\n" for line in captured.get().splitlines()))


@cache
def _console(stream_id: int) -> Console:  # noqa: ARG001
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else UNLIMITED, highlight=False)


def console() -> Console:
    return _console(id(sys.stdout))


def task_json(task: Task) -> dict[str, Any]:
    """Every field of a task, as every command prints it."""
    return {name: _plain(name, getattr(task, name)) for name in FIELDS} | {"completed": task.completed}


def event_json(event: Event) -> dict[str, Any]:
    return {
        "id": event.id,
        "change": event.change,
        "at": wire(event.at),
        "actor": event.actor,
        "door": event.door,
        "kind": event.kind,
        "subject": event.subject,
        "before": event.before,
        "after": event.after,
        "reason": event.reason,
        "undoes": event.undoes,
        "origin": event.origin,
    }


def _plain(name: str, value: Any) -> Any:
    if isinstance(value, Priority):
        return value.word
    if name == "external_refs":
        return [ref._asdict() for ref in value if isinstance(ref, Reference)]
    if isinstance(value, tuple):
        return list(value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return wire(value) if hasattr(value, "isoformat") else value


def describe(task: Task, now: datetime | None = None) -> str:
    """`#12 Write report · due Fri 20 Nov 17:00 · high · +work`: what is out of the ordinary, in one line."""
    now = now or datetime.now(UTC)
    parts = [f"#{task.id} {task.title}"]
    if task.due_date is not None:
        parts.append(f"due {write_date(task.due_date, now)}")
    if task.recurrence:
        parts.append(f"repeats {task.recurrence.removeprefix('FREQ=').lower()}")
    if task.priority is not Priority.MEDIUM:
        parts.append(task.priority.word)
    if task.project:
        parts.append(f"project {task.project}")
    parts += [f"+{tag}" for tag in task.tags]
    if task.blocked_by:
        parts.append("waits on " + ", ".join(f"#{number}" for number in task.blocked_by))
    return " · ".join(parts)
