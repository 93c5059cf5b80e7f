"""What was deleted, and taking it out again."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from taskpilot.domain.moments import wire
from taskpilot.domain.task import Task, parse_id
from taskpilot.ops import bin
from taskpilot.surfaces.cli.command import command
from taskpilot.surfaces.cli.dates import write_date
from taskpilot.surfaces.cli.output import describe, print_json, say, task_json
from taskpilot.surfaces.cli.session import Session

commands = typer.Typer(add_completion=False)


def list_bin(
    session: Session,
    ctx: typer.Context,
    limit: Annotated[int, typer.Option("--limit", "-n", help="Most to show, up to 200.")] = 50,
    cursor: Annotated[str | None, typer.Option("--cursor", help="Go on where the last list ended.")] = None,
) -> None:
    """Show what was deleted, latest first. After 30 days it is gone for good."""
    if ctx.invoked_subcommand is not None:
        return None
    page = session.run(bin.list_page, limit=limit, cursor=cursor)
    if session.json:
        return print_json([task_json(task) | {"deleted_at": wire(task.deleted_at)} for task in page.items])
    if not page.items:
        return say("The bin is empty.")
    say(*(_describe(task) for task in page.items))
    more = [] if page.cursor is None else [f"There are more: --cursor {page.cursor} shows what follows."]
    return say("", *more, f"To take one out: taskpilot bin restore {page.items[0].id}")


def restore(
    session: Session,
    ids: Annotated[list[str], typer.Argument(metavar="ID...", help="42, #42 or TP-42; as many as you like.")],
    reason: Annotated[str, typer.Option("--reason", help="Why; history keeps it.")] = "",
) -> None:
    """Take tasks out of the bin, with the subtasks that were deleted with them."""
    back: list[Task] = []
    for number in dict.fromkeys(map(parse_id, ids)):
        if number not in {task.id for task in back}:
            back += session.run(bin.restore, number, reason=reason)
    if session.json:
        print_json([task_json(task) for task in back])
    else:
        say(*(f"Back: {describe(task)}" for task in back))


def _describe(task: Task) -> str:
    assert task.deleted_at is not None
    return f"#{task.id} {task.title} · deleted {write_date(task.deleted_at, datetime.now(UTC))}"


commands.callback(invoke_without_command=True)(command(list_bin))
commands.command("restore")(command(restore))
