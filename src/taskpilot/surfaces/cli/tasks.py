"""Adding, changing, closing and removing tasks."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from taskpilot.domain.errors import Conflict
from taskpilot.domain.fields import TaskFields
from taskpilot.domain.moments import local_zone
from taskpilot.domain.selection import LIMIT_MOST, Selection
from taskpilot.domain.task import Task, parse_id
from taskpilot.ops import tasks
from taskpilot.surfaces.cli import quickadd
from taskpilot.surfaces.cli.claims import Token
from taskpilot.surfaces.cli.errors import Misused
from taskpilot.surfaces.cli.fields import Fields, read_cleared
from taskpilot.surfaces.cli.output import describe, print_json, say, task_json
from taskpilot.surfaces.cli.session import Session

Ids = Annotated[list[str], typer.Argument(metavar="ID...", help="42, #42 or TP-42; as many as you like.")]
Reason = Annotated[str, typer.Option("--reason", help="Why; history keeps it.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


def add(
    session: Session,
    text: Annotated[list[str], typer.Argument(metavar="TEXT...", help="The task, as you would jot it down.")],
    fields: Fields,
    key: Annotated[str, typer.Option("--key", help="Repeating the command with the same key adds nothing.")] = "",
    plain: Annotated[bool, typer.Option("--plain", help="Take the text literally, as the title.")] = False,
    if_new: Annotated[bool, typer.Option("--if-new", help="Add nothing if an open task says the same.")] = False,
) -> None:
    """Add a task: taskpilot add Write report fri 5pm +work project:Home !high

    +tag or #tag, @NAME or project:NAME, !high (or !1 to !5), ~30min, due:DATE and every:week are understood anywhere
    in the text, a date such as "tomorrow" or "fri 5pm" and "every 2 weeks" at its end. Options win over the text.
    """
    understood = quickadd.take_literally(text) if plain else quickadd.parse(text, datetime.now(UTC), local_zone())
    draft: TaskFields = {**understood, **fields.given()}
    tags = [*(understood.get("tags") or ()), *(fields.tag or ())]
    if tags:
        draft["tags"] = tags
    made = session.run(tasks.create, [draft], key=key, compare=True, if_new=if_new)
    there = made.alike.get(0)
    task = made.tasks[0] if made.tasks else there
    if task is None:
        raise Conflict("What this key added, if anything, is gone.", hint="Use another key to add it again.")
    if session.json:
        return print_json(task_json(task) | {"alike": None if there is None else there.id})
    if not made.tasks:
        return say(f"There already: {describe(task)}")
    say(("Was added before: " if made.repeated else "Added ") + describe(task))
    if there is not None:
        say(f"  Much like: {describe(there)}", "  If it is the same: taskpilot undo")
    return None


def edit(
    session: Session,
    id: Annotated[str, typer.Argument(metavar="ID")],
    fields: Fields,
    title: Annotated[str | None, typer.Option("--title", help="A new title.")] = None,
    clear: Annotated[list[str] | None, typer.Option("--clear", metavar="FIELD", help="Empty a field.")] = None,
    version: Annotated[int | None, typer.Option("--version", help="Only if it is still at this version.")] = None,
    claim: Token = None,
    reason: Reason = "",
) -> None:
    """Change a task. Lists such as --tag are replaced as a whole."""
    changes: TaskFields = {**fields.given(), **read_cleared(clear or [])}
    if title is not None:
        changes["title"] = title
    if not changes:
        raise Misused("Nothing to change was given.", hint="See taskpilot edit --help for the fields.")
    changed = session.run(tasks.update, parse_id(id), changes, version=version, claim=claim, reason=reason)
    _tell([changed], "Changed", session, alone=True)


def done(session: Session, ids: Ids, claim: Token = None, reason: Reason = "") -> None:
    """Mark tasks done."""
    found = _find(session, ids)
    _forbid_many(found, claim)
    _tell([session.run(tasks.complete, task.id, claim=claim, reason=reason) for task in found], "Done", session)


def reopen(session: Session, ids: Ids, reason: Reason = "") -> None:
    """Take closed tasks up again."""
    found = _find(session, ids)
    _tell([session.run(tasks.reopen, task.id, reason=reason) for task in found], "Reopened", session)


def remove(session: Session, ids: Ids, yes: Yes = False, claim: Token = None, reason: Reason = "") -> None:
    """Put tasks and their subtasks into the bin. Asks first; undo takes them out again."""
    found = _find(session, ids)
    _forbid_many(found, claim)
    named = ", ".join(f"#{task.id} {task.title!r}{_with_subtasks(session, task)}" for task in found)
    session.confirm(f"Remove {named}?", yes=yes)
    gone: list[Task] = []
    for task in found:
        if task.id not in {each.id for each in gone}:
            gone += session.run(tasks.delete, task.id, claim=claim, reason=reason)
    if session.json:
        print_json([task_json(task) for task in gone])
        return
    for task in gone:
        say(f"Removed #{task.id} {task.title}")
    say(f"To take it back: taskpilot undo --task {found[0].id}")


def _find(session: Session, ids: list[str]) -> list[Task]:
    """All of them, before any is touched: a mistyped id changes nothing."""
    return [session.run(tasks.get, number) for number in dict.fromkeys(map(parse_id, ids))]


def _forbid_many(found: list[Task], claim: int | None) -> None:
    if claim is not None and len(found) > 1:
        raise Misused("A claim is on one task.", hint="Name that task alone with --claim.")


def _with_subtasks(session: Session, task: Task) -> str:
    number, level = 0, [task.id]
    while level:
        level = [
            child.id
            for parent in level
            for child in session.run(tasks.list_page, Selection(parent=parent, closed=True), limit=LIMIT_MOST).items
        ]
        number += len(level)
    return "" if number == 0 else f" and its {number} subtask{'' if number == 1 else 's'}"


def _tell(changes: list[tasks.Changed], verb: str, session: Session, *, alone: bool = False) -> None:
    if session.json:
        told = [_change_json(change) for change in changes]
        print_json(told[0] if alone else told)
        return
    for change in changes:
        say(f"{verb}: {describe(change.task)}")
        if change.waited_on:
            say("  It still waited on " + ", ".join(f"#{number}" for number in change.waited_on))
        for task in change.freed:
            say(f"  Ready now: #{task.id} {task.title}")
        if change.next is not None:
            say(f"  Comes again: {describe(change.next)}")


def _change_json(change: tasks.Changed) -> dict[str, Any]:
    return {
        "task": task_json(change.task),
        "freed": [task_json(task) for task in change.freed],
        "next": task_json(change.next) if change.next else None,
        "waited_on": list(change.waited_on),
    }
