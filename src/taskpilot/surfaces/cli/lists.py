"""Looking at tasks: many, one, or the one to do next."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Annotated

import typer

from taskpilot.domain import phrases
from taskpilot.domain.errors import NotFound
from taskpilot.domain.moments import When, local_zone, wire
from taskpilot.domain.selection import LIMIT_MOST, Page, Selection, Sort
from taskpilot.domain.task import Energy, Status, Task, parse_id, parse_priority, parse_status, parse_tags
from taskpilot.ops import claims, queue, search, tasks, workspaces
from taskpilot.surfaces.cli.claims import Lease, claim_json, held_back_json, tell_held_back, tell_taken
from taskpilot.surfaces.cli.errors import Misused
from taskpilot.surfaces.cli.fields import read_workspace
from taskpilot.surfaces.cli.output import describe, print_json, say, task_json
from taskpilot.surfaces.cli.session import Session
from taskpilot.surfaces.cli.sheet import write_sheet
from taskpilot.surfaces.cli.table import draw_tasks

Project = Annotated[str | None, typer.Option("--project", help="Only of this project.")]
Tag = Annotated[str | None, typer.Option("--tag", "-t", help="Only with this tag.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    status: Annotated[
        list[str] | None, typer.Option("--status", "-s", help="Repeat for more.", autocompletion=lambda: list(Status))
    ] = None
    project: Project = None
    tag: Tag = None
    priority: Annotated[str | None, typer.Option("--priority", "-p", help="Only of this priority.")] = None
    due_before: Annotated[str | None, typer.Option("--due-before", metavar="DATE", help="Due before this.")] = None
    due_after: Annotated[str | None, typer.Option("--due-after", metavar="DATE", help="Due from this on.")] = None
    ready: Annotated[bool | None, typer.Option("--ready/--blocked", help="Nothing, or something, holds it up.")] = None
    all: Annotated[bool, typer.Option("--all", "-a", help="Done and dropped ones too.")] = False

    def selection(self) -> Selection:
        return Selection(
            statuses=tuple(parse_status(word) for word in self.status or ()),
            closed=self.all,
            priority=parse_priority(self.priority) if self.priority is not None else None,
            project=self.project,
            tag=parse_tags([self.tag])[0] if self.tag is not None else None,
            due_before=_read_date(self.due_before),
            due_after=_read_date(self.due_after),
            ready=self.ready,
        )


def list_tasks(
    session: Session,
    filters: Filters,
    sort: Annotated[Sort, typer.Option("--sort", help="Order.")] = Sort.PRIORITY,
    limit: Annotated[int, typer.Option("--limit", "-n", help="Most to show.")] = 50,
    cursor: Annotated[str | None, typer.Option("--cursor", help="Go on where the last list ended.")] = None,
) -> None:
    """List open tasks, most important first."""
    selection = filters.selection()
    page = _gather(session, selection, sort, limit, cursor)
    if session.json:
        print_json([task_json(task) for task in page.items])
        return
    if not page.items:
        nothing_asked = filters == Filters() and cursor is None
        say("Nothing to do. Add something: taskpilot add Buy milk" if nothing_asked else "No task fits.")
        return
    say(draw_tasks(page.items, _find_blocked(session, page, selection, sort, limit, cursor)))
    if page.cursor is not None:
        say(f"\nThere are more: --limit {limit * 2} shows more at once, --cursor {page.cursor} what follows.")


def search_tasks(
    session: Session,
    words: Annotated[list[str], typer.Argument(metavar="WORDS...")],
    limit: Annotated[int, typer.Option("--limit", "-n", help="Most to show, up to 100.")] = 20,
) -> None:
    """Find tasks by words in their title, description or notes, closed ones too."""
    found = session.run(search.find, " ".join(words), limit=limit)
    if session.json:
        print_json([task_json(task) for task in found.tasks])
    elif not found.tasks:
        say("No task has these words. Fewer words, or their beginnings, find more.")
    else:
        say(draw_tasks(found.tasks))
        if not found.ranked:
            say("\nThese words are common: the newest tasks are shown, not the best matches. Add a word.")


def show_next(
    session: Session,
    project: Project = None,
    tag: Tag = None,
    workspace: Annotated[
        str | None, typer.Option("--workspace", help="Only of this: a folder, or a workspace's number.")
    ] = None,
    energy: Annotated[
        str | None,
        typer.Option("--energy", help="What you have: " + ", ".join(Energy) + ".", autocompletion=lambda: list(Energy)),
    ] = None,
    time: Annotated[str | None, typer.Option("--time", help="How long you have: 45m, 2h.")] = None,
    claim: Annotated[bool, typer.Option("--claim", help="Take it: it is yours alone while the lease lasts.")] = False,
    lease: Lease = None,
) -> None:
    """Show the best task to start now, and why; or take it with --claim."""
    place = None if workspace is None else _find_workspace(session, workspace)
    wish = queue.Wish(project=project, tag=tag, workspace=place, energy=energy, time=time)
    if claim:
        return tell_taken(session, session.run(claims.take_next, wish, lease=lease))
    if lease is not None:
        raise Misused("--lease goes with --claim.", hint="Add --claim to take the task.")
    best = session.run(queue.next_task, **asdict(wish))
    if session.json:
        told = {"task": task_json(best.task) if best.task else None, "reason": best.reason}
        return print_json(told | {"held_back": held_back_json(best.held_back)})
    if best.task is None:
        return say(best.reason, *tell_held_back(best.held_back))
    reason = f"  {best.reason[:1].upper()}{best.reason[1:]}."
    return say(describe(best.task), reason, *tell_held_back(best.held_back))


def show(session: Session, id: Annotated[str, typer.Argument(metavar="ID")]) -> None:
    """Show everything about one task."""
    task = session.run(tasks.get, parse_id(id))
    subtasks = _gather(session, Selection(parent=task.id, closed=True), Sort.OLDEST, LIMIT_MOST, None).items
    blockers = [each for number in task.blocked_by if (each := _find(session, number)) is not None]
    held, _ = session.run(claims.find, task.id)
    if session.json:
        claim = claim_json(held) if held else None
        return print_json(task_json(task) | {"subtasks": [each.id for each in subtasks], "claim": claim})
    say(write_sheet(task, blockers, subtasks))
    return say(f"{held.actor} holds it until {wire(held.lease_until)}.") if held else None


def _gather(session: Session, selection: Selection, sort: Sort, limit: int, cursor: str | None) -> Page[Task]:
    """As many pages as it takes."""
    items: list[Task] = []
    while True:
        most = min(limit - len(items), LIMIT_MOST)
        page = session.run(tasks.list_page, selection, sort=sort, limit=most, cursor=cursor)
        items += page.items
        cursor = page.cursor
        if cursor is None or len(items) >= limit:
            return Page(tuple(items), cursor)


def _find_blocked(
    session: Session, page: Page[Task], selection: Selection, sort: Sort, limit: int, cursor: str | None
) -> set[int]:
    """Which of these wait on something open: the same list from the same place, only blocked ones, holds them all."""
    if selection.ready or not any(task.blocked_by for task in page.items):
        return set()
    held = _gather(session, replace(selection, ready=False), sort, limit, cursor)
    return {task.id for task in held.items}


def _find(session: Session, number: int) -> Task | None:
    try:
        return session.run(tasks.get, number)
    except NotFound:
        return None


def _find_workspace(session: Session, word: str) -> int:
    place = read_workspace(word)
    return place if isinstance(place, int) else session.run(workspaces.find, place).id


def _read_date(text: str | None) -> When | None:
    return None if text is None else phrases.parse(text, datetime.now(UTC), local_zone())
