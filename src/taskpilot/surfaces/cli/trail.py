"""Who did what, through which door, and how it ended."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from taskpilot.domain import text
from taskpilot.domain.calls import OK, Search, Step
from taskpilot.domain.errors import Invalid
from taskpilot.domain.moments import local_zone
from taskpilot.domain.selection import LIMIT_MOST
from taskpilot.ops import trail
from taskpilot.surfaces.cli.dates import parse_since
from taskpilot.surfaces.cli.output import print_json, say
from taskpilot.surfaces.cli.session import Session


def show_trail(
    session: Session,
    since: Annotated[
        str | None, typer.Option("--since", metavar="WHEN", help='From "2 hours ago", "today" or a date on.')
    ] = None,
    until: Annotated[str | None, typer.Option("--until", metavar="WHEN", help="Up to then.")] = None,
    actor: Annotated[
        str | None, typer.Option("--actor", metavar="NAME", help="Only by this person or program.")
    ] = None,
    door: Annotated[str | None, typer.Option("--door", help="Only through this: cli, rest, or a contract.")] = None,
    tool: Annotated[str | None, typer.Option("--tool", help='Only this tool, or route: "POST /api/tasks".')] = None,
    outcome: Annotated[
        str | None, typer.Option("--outcome", help="Only what ended so: ok, not_found …; failed: all but ok.")
    ] = None,
    everybody: Annotated[bool, typer.Option("--all", help="Everybody's, and those who were turned away.")] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", help="Most to show.")] = 50,
) -> None:
    """Show who did what, latest first: changes, calls that changed nothing, and what failed."""
    now = datetime.now(UTC)
    search = Search(
        actor=actor,
        door=door,
        tool=tool,
        outcome=outcome,
        since=None if since is None else parse_since(since, now),
        until=None if until is None else parse_since(until, now),
    )
    steps = _gather(session, search, limit, everybody=everybody)
    if session.json:
        print_json([step.plain for step in steps])
    elif not steps:
        say("Nothing of that kind was done.")
    else:
        for step in steps:
            _print(step, everybody=everybody)


def _gather(session: Session, search: Search, limit: int, *, everybody: bool) -> list[Step]:
    if limit < 1:
        raise Invalid(f"limit cannot be {limit}.", hint="Choose 1 or more.")
    read = trail.list_everybody if everybody else trail.list_page
    steps: list[Step] = []
    cursor: str | None = None
    while True:
        page = session.run(read, search, limit=min(limit - len(steps), LIMIT_MOST), cursor=cursor)
        steps += page.items
        cursor = page.cursor
        if cursor is None or len(steps) >= limit:
            return steps


def _print(step: Step, *, everybody: bool) -> None:
    from rich.text import Text

    line = Text(f"{step.at.astimezone(local_zone()):%Y-%m-%d %H:%M:%S}  ", style="dim")
    whose = f"{text.clean_line(step.user)}: " if everybody and step.user and step.user != step.actor else ""
    where = f" from {text.clean_line(step.address)}" if step.address else ""
    line.append(f"{whose}{text.clean_line(step.actor)} ({text.clean_line(step.door)}{where})  ", style="magenta")
    line.append(f"{step.outcome}  ", style="green" if step.outcome == OK else "red")
    line.append(text.clean_line(" ".join(filter(None, (step.tool, step.kind)))))
    if step.subject is not None:
        line.append(f" {step.subject}", style="cyan")
    if step.reason:
        line.append(f" — {text.clean_line(step.reason)}", style="dim")
    say(line)
