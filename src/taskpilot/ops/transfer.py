"""Moving house: everything a user owns into one document, and out of one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from taskpilot.domain import transfer
from taskpilot.domain.errors import Conflict, Invalid
from taskpilot.domain.moments import stamp
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.rule import RULES_MOST, too_many
from taskpilot.domain.task import Task
from taskpilot.domain.transfer import FORMAT, VERSION, Parcel
from taskpilot.ops import recurrence
from taskpilot.store.transfer import Transfer
from taskpilot.store.work import Work

REASON = "Imported"
CHUNK = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """How much was new. What was there before by the same name is counted as it is: not new."""

    projects: int = 0
    tags: int = 0
    workspaces: int = 0
    rules: int = 0
    sessions: int = 0
    tasks: int = 0


@reads
def write_out(work: Work) -> list[bytes]:
    """Everything the caller owns as one JSON document, of one moment, in pieces of a size to send."""
    return list(_gather(_write(work)))


def read(document: Any) -> Parcel:
    """What a document holds, if it makes sense. Takes its time: never inside a transaction."""
    parcel = transfer.read(document)
    for number, task in enumerate(parcel.tasks):
        if task.recurrence and task.recurs_from is not None:
            try:
                recurrence.check(task.recurrence, task.recurs_from)
            except Invalid as error:
                raise Conflict(f"tasks[{number}].recurrence: {error.message}", hint=error.hint) from None
    return parcel


@writes
def take_in(work: Work, parcel: Parcel) -> Imported:
    """Add all that a document holds to what the caller owns, under new ids: all or nothing.

    A project, a tag or a folder of the same name is the same one, and stays as it is.
    """
    projects, new_projects = _take(work, parcel.projects, _place_project)
    workspaces, new_workspaces = _take(work, parcel.workspaces, _place_workspace)
    new_rules = _take_rules(work, parcel, workspaces)
    new_sessions = _take_sessions(work, parcel, workspaces)
    new_tags = sum(_take_tag(work, name) for name in parcel.tags)
    _take_tasks(work, parcel, projects, workspaces)
    return Imported(
        projects=new_projects,
        tags=new_tags,
        workspaces=new_workspaces,
        rules=new_rules,
        sessions=new_sessions,
        tasks=len(parcel.tasks),
    )


def _take(
    work: Work, things: Iterable[Any], place: Callable[[Work, Any], tuple[int, bool]]
) -> tuple[dict[int, int], int]:
    """Old ids and the new ones, and how many are new."""
    ids: dict[int, int] = {}
    new = 0
    for thing in things:
        ids[thing.id], made = place(work, replace(thing, id=0, owner=work.caller.user))
        new += made
    return ids, new


def _place_project(work: Work, project: Any) -> tuple[int, bool]:
    there = work.projects.find(project.name)
    if there is not None:
        return there.id, False
    made = work.projects.add(project)
    work.record("project.created", None, made, reason=REASON)
    return made.id, True


def _place_workspace(work: Work, workspace: Any) -> tuple[int, bool]:
    there = work.workspaces.find(workspace.path)
    if there is not None:
        return there.id, False
    made = work.workspaces.add(workspace)
    work.record("workspace.created", None, made, reason=REASON)
    return made.id, True


def _take_rules(work: Work, parcel: Parcel, workspaces: dict[int, int]) -> int:
    known = {place: {(rule.kind, rule.content) for rule in work.rules.all(place)} for place in workspaces.values()}
    new = 0
    for rule in parcel.rules:
        place = workspaces[rule.workspace]
        if (rule.kind, rule.content) in known[place]:
            continue
        known[place].add((rule.kind, rule.content))
        if len(known[place]) > RULES_MOST:
            raise too_many()
        made = work.rules.add(replace(rule, id=0, owner=work.caller.user, workspace=place))
        work.record("rule.created", None, made, reason=REASON)
        new += 1
    return new


def _take_sessions(work: Work, parcel: Parcel, workspaces: dict[int, int]) -> int:
    """One that is open here goes on; an open one from elsewhere ends then."""
    for session in parcel.sessions:
        place = workspaces[session.workspace]
        moved = replace(session, id=0, owner=work.caller.user, workspace=place)
        if moved.ended_at is None and work.sessions.find_open(place) is not None:
            moved = moved.end(work.now)
        made = Transfer(work.db, work.caller.user).add_session(moved)
        work.record("session.started", None, made, reason=REASON)
    return len(parcel.sessions)


def _take_tag(work: Work, name: str) -> bool:
    there = work.tags.find(name)
    if there is not None and there.kept:
        return False
    work.record("tag.created", None, work.tags.keep(name), reason=REASON)
    return True


def _take_tasks(work: Work, parcel: Parcel, projects: dict[int, int], workspaces: dict[int, int]) -> None:
    """First all of them, then what leads from one to another: they may lead either way."""
    if not parcel.tasks:
        return
    store = Transfer(work.db, work.caller.user)
    names = {number: work.projects.get(number).name for number in projects.values()}
    moved = [
        replace(
            task,
            owner=work.caller.user,
            project_id=(project := _move(projects, task.project_id)),
            project=None if project is None else names[project],
            workspace=_move(workspaces, task.workspace),
        )
        for task in parcel.tasks
    ]
    ids = dict(zip((task.id for task in moved), store.add_tasks(moved), strict=True))
    made = [
        replace(
            task,
            id=ids[task.id],
            parent=_move(ids, task.parent),
            follows=_move(ids, task.follows),
            blocked_by=tuple(sorted(ids[blocker] for blocker in task.blocked_by)),
        )
        for task in moved
    ]
    store.link(made)
    store.record(work.record("task.created", None, made[0], reason=REASON), made[1:])


def _move(ids: dict[int, int], number: int | None) -> int | None:
    return None if number is None else ids[number]


def _write(work: Work) -> Iterator[str]:
    rows = Transfer(work.db, work.caller.user)
    user = work.users.find(work.caller.user)
    head: dict[str, Any] = {"format": FORMAT, "version": VERSION, "exported_at": stamp(work.now)}
    if user is not None:
        head["user"] = {"handle": user.handle, "name": user.name, "email": user.email, "settings": dict(user.settings)}
    yield _json(head)[:-1]
    yield from _section("projects", map(transfer.write, rows.projects()))
    yield from _section("tags", rows.kept_tags())
    workspaces = rows.workspaces()
    there = {workspace.id for workspace in workspaces}
    yield from _section("workspaces", map(transfer.write, workspaces))
    yield from _section("rules", (transfer.write(rule) for rule in rows.rules() if rule.workspace in there))
    yield from _section("sessions", (transfer.write(each) for each in rows.sessions() if each.workspace in there))
    yield from _section("tasks", map(transfer.write, _cut_loose(rows)))
    yield ',\n"record":{"bin":{"about":"What was deleted."'
    yield from _section("projects", map(transfer.write, rows.projects(deleted=True)))
    yield from _section("workspaces", map(transfer.write, rows.workspaces(deleted=True)))
    yield from _section("rules", map(transfer.write, rows.rules(deleted=True)))
    yield from _section("tasks", map(transfer.write, rows.binned_tasks()))
    yield "}"
    yield from _section("claims", rows.claims())
    yield from _section("limits", rows.limits())
    yield from _section("remotes", rows.remotes())
    yield from _section("runs", rows.runs())
    yield from _section("run_log", rows.run_log())
    yield from _section("conversations", rows.conversations())
    yield from _section("messages", rows.messages())
    yield from _section("events", rows.events())
    yield "}}\n"


def _cut_loose(rows: Transfer) -> Iterator[Task]:
    """The tasks that are not in the bin, without what leads there: nobody waits for what is gone."""
    tasks, projects, workspaces = rows.ids("task"), rows.ids("project"), rows.ids("workspace")
    for task in rows.tasks():
        yield replace(
            task,
            project_id=task.project_id if task.project_id in projects else None,
            workspace=task.workspace if task.workspace in workspaces else None,
            parent=task.parent if task.parent in tasks else None,
            follows=task.follows if task.follows in tasks else None,
            blocked_by=tuple(blocker for blocker in task.blocked_by if blocker in tasks),
        )


def _section(name: str, things: Iterable[Any]) -> Iterator[str]:
    yield f',\n"{name}":['
    for number, thing in enumerate(things):
        yield (",\n" if number else "\n") + _json(thing)
    yield "]"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _gather(pieces: Iterator[str]) -> Iterator[bytes]:
    waiting: list[str] = []
    size = 0
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if size >= CHUNK:
            yield "".join(waiting).encode("utf-8", "replace")
            waiting, size = [], 0
    yield "".join(waiting).encode("utf-8", "replace")
