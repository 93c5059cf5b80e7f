"""What happened, in words, and taking it back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from queue import Empty, SimpleQueue
from typing import Annotated

import typer

from taskpilot.domain import text
from taskpilot.domain.errors import Invalid
from taskpilot.domain.events import Event
from taskpilot.domain.moments import local_zone
from taskpilot.domain.task import parse_id
from taskpilot.domain.wording import describe
from taskpilot.ops import history
from taskpilot.surfaces.cli.dates import parse_since, write_date
from taskpilot.surfaces.cli.errors import Misused
from taskpilot.surfaces.cli.output import event_json, print_json, say
from taskpilot.surfaces.cli.session import Session

LISTEN_SECONDS = 0.5
WHO_WIDTH = 18


def log(
    session: Session,
    id: Annotated[str | None, typer.Argument(metavar="[ID]", help="Only of this task.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="Most to show.")] = 20,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on with what happens, until Ctrl-C.")] = False,
) -> None:
    """Show who changed what, latest last; the numbers in front are for undo."""
    subject = None if id is None else parse_id(id)
    heard: SimpleQueue[Sequence[Event]] = SimpleQueue()
    if follow:
        session.app.subscribe(heard.put)
    events = _gather(session, subject, limit)
    if session.json and not follow:
        print_json([event_json(event) for event in events])
        return
    if not events and not follow:
        say("Nothing has happened yet.")
    last = 0
    for event in reversed(events):
        _print(event, session)
        last = event.id
    while follow:
        for event in _listen(heard):
            mine = event.owner == session.caller.user and event.id > last
            if mine and (subject is None or (event.noun == "task" and event.subject == subject)):
                _print(event, session)


def undo(
    session: Session,
    event: Annotated[int | None, typer.Argument(metavar="[EVENT]", help="A number from the log.")] = None,
    task: Annotated[str | None, typer.Option("--task", metavar="ID", help="The last change of this task.")] = None,
    actor: Annotated[str | None, typer.Option("--actor", metavar="NAME", help="Everything somebody did …")] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="WHEN", help='… since "2 hours ago", "today" or a date.')
    ] = None,
    origin: Annotated[
        str | None, typer.Option("--origin", metavar="NAME", help="Everything from one connection; see log --json.")
    ] = None,
    preview: Annotated[
        bool,
        typer.Option("--preview", help="Only show what --actor or --origin would take back, and what it would leave."),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before an --actor or --origin undo.")] = False,
    reason: Annotated[str, typer.Option("--reason", help="Why; history keeps it.")] = "",
) -> None:
    """Take back your last change; or one change, one task's last, or all that somebody did since a time."""
    changeset = actor is not None or origin is not None
    if sum((event is not None, task is not None, changeset)) > 1 or (actor and not since) or (since and not changeset):
        raise Misused(
            "Say one thing to undo.",
            hint="An EVENT, or --task ID, or --actor NAME together with --since WHEN, or --origin NAME.",
        )
    if preview and not changeset:
        raise Misused("There is a preview of --actor and --origin only.", hint="One change is shown by `log`.")
    if changeset:
        undone = _undo_changes(session, actor, origin, since, preview=preview, yes=yes, reason=reason)
    else:
        number = None if task is None else parse_id(task)
        undone = session.run(history.undo, event_id=event, task_id=number, reason=reason)
    if session.json:
        print_json(
            {
                "events": [event_json(each) for each in undone.events],
                "conflicts": list(undone.conflicts),
                "preview": undone.preview,
                "change": undone.change,
            }
        )
        return
    for each in undone.events:
        say(f"{'Would take back' if undone.preview else 'Took back'}: {describe(each)}")
    for conflict in undone.conflicts:
        say(f"{'Would leave' if undone.preview else 'Left'} as it is: {conflict}")
    if not undone.events and not undone.conflicts:
        say("All of it has been taken back already.")
    if changeset and undone.change is not None:
        say(f"To put it all back: taskpilot undo {undone.change}")


def _undo_changes(
    session: Session,
    actor: str | None,
    origin: str | None,
    since: str | None,
    *,
    preview: bool,
    yes: bool,
    reason: str,
) -> history.Undone:
    now = datetime.now(UTC)
    moment = None if since is None else parse_since(since, now)
    if not preview:
        who = repr(actor) if actor is not None else f"somebody through {origin!r}"
        when = "" if moment is None else f" since {write_date(moment, now)}"
        session.confirm(f"Take back everything {who} did{when}?", yes=yes)
    return session.run(history.undo_changes, actor=actor, origin=origin, since=moment, preview=preview, reason=reason)


def _gather(session: Session, subject: int | None, limit: int) -> list[Event]:
    if limit < 1:
        raise Invalid(f"limit cannot be {limit}.", hint="Choose 1 or more.")
    events: list[Event] = []
    cursor: str | None = None
    while True:
        most = min(limit - len(events), history.MOST_SHOWN)
        page = session.run(history.list_page, task_id=subject, limit=most, cursor=cursor)
        events += page.items
        cursor = page.cursor
        if cursor is None or len(events) >= limit:
            return events


def _listen(heard: SimpleQueue[Sequence[Event]]) -> Sequence[Event]:
    """Waits in short steps, or Ctrl-C would wait too."""
    try:
        return heard.get(timeout=LISTEN_SECONDS)
    except Empty:
        return ()


def _print(event: Event, session: Session) -> None:
    if session.json:
        print_json(event_json(event), indent=None)
        return
    from rich.text import Text

    at = f"{event.at.astimezone(local_zone()):%Y-%m-%d %H:%M:%S}"
    line = Text(f"{event.id:>5}  ", style="cyan")
    line.append(f"{at}  ", style="dim")
    who = f"{text.clean_line(event.actor)} ({text.clean_line(event.door)})"
    line.append(f"{who:<{WHO_WIDTH}}  ", style="magenta")
    line.append(describe(event))
    if event.reason:
        line.append(f" — {text.clean_line(event.reason)}", style="dim")
    say(line)
