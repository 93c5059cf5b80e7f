"""What an agent says and does, so far or as it happens."""

from __future__ import annotations

from collections.abc import Sequence
from queue import Empty, SimpleQueue
from typing import Annotated

import typer

from taskpilot.domain.events import Event
from taskpilot.domain.run import Entry, State
from taskpilot.ops import run_views
from taskpilot.ops.run_views import News
from taskpilot.surfaces.cli.errors import STOPPED
from taskpilot.surfaces.cli.output import print_json, say
from taskpilot.surfaces.cli.questions import can_ask, put_question
from taskpilot.surfaces.cli.run_output import entry_json, write_entries, write_question
from taskpilot.surfaces.cli.session import Session

AT_ONCE = 500
LISTEN_SECONDS = 0.5
FAILED = 1


def show_log(
    session: Session,
    run: Annotated[int, typer.Argument(metavar="RUN", help="The number that starting it gave.")],
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Look on until it is done; Ctrl-C only stops looking.")
    ] = False,
    after: Annotated[int, typer.Option("--after", metavar="NUMBER", help="Only entries past this one.")] = 0,
) -> None:
    """Show what an agent said and did. With -f, exits with 0 if it went well and with 1 if not."""
    if follow:
        return follow_run(session, run, after=after)
    entries: list[Entry] = []
    while True:
        news = session.run(run_views.follow, run, after=after, limit=AT_ONCE)
        entries += news.entries
        if not news.more:
            break
        after = news.entries[-1].number
    if session.json:
        return print_json([entry_json(entry) for entry in entries])
    if not entries and news.question is None:
        return say("Nothing has been said yet.")
    return say(*write_entries(entries), *(write_question(news.question) if news.question else ()))


def follow_run(session: Session, run: int, *, after: int = 0) -> None:
    """To its end, or until the person has seen enough. On a terminal its questions can be answered right here."""
    heard: SimpleQueue[Sequence[Event]] = SimpleQueue()
    leave = session.app.subscribe(heard.put)
    try:
        news = _follow(session, run, after, heard)
    except KeyboardInterrupt:
        if not session.json:
            say("", f"Run {run} goes on. To look again: taskpilot run logs {run} -f")
        raise typer.Exit(STOPPED) from None
    finally:
        leave()
    well = news.run.state in (State.COMPLETED, State.WAITING) and news.question is None
    if not well:
        raise typer.Exit(FAILED)


def _follow(session: Session, run: int, last: int, heard: SimpleQueue[Sequence[Event]]) -> News:
    told: set[int] = set()
    while True:
        news = session.run(run_views.follow, run, after=last, limit=AT_ONCE)
        for entry in news.entries:
            print_json(entry_json(entry), indent=None) if session.json else say(*write_entries([entry]))
            last = entry.number
        if news.more:
            continue
        if news.question is not None and news.question.id not in told and not session.json:
            told.add(news.question.id)
            if can_ask(session) and put_question(session, news.question):
                continue  # a run that rested goes on with the answer
            say(*write_question(news.question)[1:])
        if news.complete:
            return news
        try:
            heard.get(timeout=LISTEN_SECONDS)  # in short steps, or Ctrl-C would wait too
        except Empty:
            continue
