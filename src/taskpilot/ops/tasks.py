"""What one can do with tasks. Every way in calls these, and only these."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC
from typing import Any

from taskpilot.domain import fields, links, text
from taskpilot.domain.choices import AllOf, OneOf
from taskpilot.domain.errors import Conflict, Invalid
from taskpilot.domain.events import plain
from taskpilot.domain.fields import TaskFields
from taskpilot.domain.moments import as_moment
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.selection import LIMIT_MOST, Page, Selection, Sort, limit
from taskpilot.domain.task import ID_MOST, Status, Task
from taskpilot.ops import claims, duplicates, projects, proof, recurrence, workspaces
from taskpilot.store.work import Work

MOST_AT_ONCE = 500
KEY_MOST = 200
REASON_MOST = 1_000
KEPT = tuple(status for status in Status if status is not Status.DROPPED)
"""What a list of everything shows: dropped tasks are not asked for by accident."""


@dataclass(frozen=True, slots=True)
class Created:
    tasks: tuple[Task, ...]
    repeated: bool = False
    """The same create came before, with the same key: these are the tasks it made then."""
    alike: Mapping[int, Task] = field(default_factory=dict[int, Task])
    """By the place of a new task: an open one, there before, that says the same."""
    left_out: tuple[int, ...] = ()
    """Places of those not made, because `if_new` was asked for and there was one."""


@dataclass(frozen=True, slots=True)
class Changed:
    task: Task
    freed: tuple[Task, ...] = ()
    """Tasks that waited on this one only, and are ready now."""
    next: Task | None = None
    """The next occurrence, when a recurring task was completed."""
    waited_on: tuple[int, ...] = ()
    """Open tasks it was still waiting on when it was completed."""
    unproved: str = ""
    """Why it is in review although it was said to be done; empty if it is not for that."""


@dataclass(frozen=True, slots=True)
class Slice:
    items: tuple[Task, ...]
    total: int | None
    """How many fit in all; None when nobody asked."""


@writes
def create(
    work: Work,
    drafts: Sequence[TaskFields],
    *,
    key: str = "",
    compare: bool = False,
    if_new: bool = False,
    reason: str = "",
) -> Created:
    """Add tasks, all or none. With a key it is safe to repeat: the same key never makes them twice.

    `compare` points out open tasks that say the same; `if_new` leaves out what is there already.
    """
    if not 1 <= len(drafts) <= MOST_AT_ONCE:
        raise Invalid(f"{len(drafts)} tasks were given.", hint=f"Give 1 to {MOST_AT_ONCE} in one call.")
    if key:
        key = text.line(key, "An idempotency key", KEY_MOST)
        fingerprint = hashlib.sha256(json.dumps([drafts], default=plain, sort_keys=True).encode()).hexdigest()
        earlier = work.creation_keys.find(key)
        if earlier is not None:
            if earlier[0] != fingerprint:
                raise Conflict(f"The key {key!r} was used for other tasks.", hint="Use a new key for new tasks.")
            return Created(tuple(work.tasks.many(earlier[1])), repeated=True)
        created = _create(work, drafts, compare, if_new, reason)
        work.creation_keys.add(key, fingerprint, [task.id for task in created.tasks], work.now)
        return created
    return _create(work, drafts, compare, if_new, reason)


@reads(quick=True)
def get(work: Work, task_id: int) -> Task:
    """One task."""
    return work.tasks.get(task_id)


@reads
def list_page(
    work: Work,
    selection: Selection,
    *,
    sort: Sort = Sort.PRIORITY,
    limit: int = 50,
    cursor: str | None = None,
    offset: int = 0,
    backwards: bool = False,
    total: bool = False,
) -> Page[Task]:
    """One page of the tasks that fit. Hand its cursor back for the next.

    `backwards` turns the order round. Skipping by `offset` and counting the `total` cost time, a cursor does not.
    """
    skip = _offset(offset)
    page = work.tasks.page(selection, sort, _limit(limit), cursor, offset=skip, backwards=backwards)
    if not total:
        return page
    known = page.cursor is None and cursor is None and bool(page.items or not skip)
    return replace(page, total=skip + len(page.items) if known else work.tasks.count(selection))


@reads
def list_slice(
    work: Work,
    selection: Selection,
    *,
    sort: Sort = Sort.PRIORITY,
    limit: int | None = None,
    offset: int = 0,
    total: bool = False,
) -> Slice:
    """The tasks that fit, from the `offset`th on, for callers that count instead of keeping a cursor.

    Without a limit, all of them. Skipping costs time: prefer `list_page` where there is a choice.
    """
    items = work.tasks.slice(selection, sort, None if limit is None else _limit(limit), _offset(offset))
    if not total:
        return Slice(tuple(items), None)
    at_end = limit is None or len(items) < limit
    known = offset + len(items) if at_end and (items or not offset) else work.tasks.count(selection)
    return Slice(tuple(items), known)


@writes
def update(
    work: Work,
    task_id: int,
    changes: TaskFields,
    *,
    completed: bool | None = None,
    refresh: bool = False,
    version: int | None = None,
    claim: int | None = None,
    reason: str = "",
) -> Changed:
    """Change the given fields, all or none. `version` refuses a change made on an old view, `claim` a stale token.

    A field given as `OneOf` or `AllOf` keeps a value that says the same already. `completed` closes or reopens it in
    the same change. `refresh` moves `updated_at` even if nothing else differs.
    """
    before = work.tasks.get(task_id)
    before.expect(version)
    claims.fence(work, task_id, claim)
    if not changes and completed is None:
        raise Invalid("Nothing to change was given.", hint=f"Fields: {', '.join(fields.NAMES)}.")
    values = _resolve(work, fields.check(_settle(changes, before), work.now), before)
    if completed is not None and completed != before.completed:
        values["status"] = Status.DONE if completed else before.reopens_as
    if values.get("recurrence"):
        start = values.get("due_date", before.due_date) or work.now.date()
        recurrence.check(values["recurrence"], start)
        values["recurs_from"] = start
    return _store(work, before, before.edit(values, work.now), reason, refresh=refresh)


@writes
def complete(
    work: Work,
    task_id: int,
    *,
    refresh: bool = False,
    version: int | None = None,
    claim: int | None = None,
    reason: str = "",
) -> Changed:
    """Mark a task done, free what waited on it, and make its next occurrence. Safe to repeat.

    `refresh` moves `updated_at` each time, even on a task that was done before.
    """
    before = work.tasks.get(task_id)
    before.expect(version)
    claims.fence(work, task_id, claim, done=before.completed)
    return _store(work, before, before.complete(work.now), reason, refresh=refresh)


@writes
def reopen(work: Work, task_id: int, *, version: int | None = None, reason: str = "") -> Changed:
    """Take a done or dropped task up again, in the status it had before. Safe to repeat."""
    before = work.tasks.get(task_id)
    before.expect(version)
    return _store(work, before, before.reopen(work.now), reason)


@writes
def toggle(work: Work, task_id: int, *, version: int | None = None, reason: str = "") -> Changed:
    """Complete a task, or take it up again if it is done. Repeating it takes it back."""
    before = work.tasks.get(task_id)
    before.expect(version)
    after = before.reopen(work.now) if before.completed else before.complete(work.now)
    return _store(work, before, after, reason)


@writes
def delete(
    work: Work, task_id: int, *, version: int | None = None, claim: int | None = None, reason: str = ""
) -> tuple[Task, ...]:
    """Put a task and its subtasks into the bin. Undo takes them out again."""
    top = work.tasks.get(task_id)
    top.expect(version)
    claims.fence(work, task_id, claim)
    ids, level = [task_id], [task_id]
    while level := work.tasks.children_of(level):
        ids.extend(level)
    gone: list[Task] = []
    for before in work.tasks.many(ids):
        after = work.tasks.save(before, before.delete(work.now))
        work.record("task.deleted", before, after, reason=_reason(reason))
        claims.settle(work, before.id)
        gone.append(after)
    return tuple(gone)


def _create(work: Work, drafts: Sequence[TaskFields], compare: bool, if_new: bool, reason: str) -> Created:
    alike = duplicates.find(work, drafts) if compare or if_new else {}
    left_out = tuple(alike) if if_new else ()
    made = tuple(_add(work, draft, reason) for place, draft in enumerate(drafts) if place not in left_out)
    return Created(made, alike=alike, left_out=left_out)


def _add(work: Work, draft: TaskFields, reason: str) -> Task:
    if "title" not in draft:
        raise Invalid("Title cannot be empty.", hint="Give every task a title.")
    given: Any = {name: value for name, value in draft.items() if value is not None}
    blank = Task(id=0, owner=work.caller.user, title="", created_at=work.now, updated_at=work.now)
    values = _resolve(work, fields.check(_settle(given, blank), work.now), blank)
    if values.get("recurrence"):
        values["recurs_from"] = values.get("due_date") or work.now.date()
        recurrence.check(values["recurrence"], values["recurs_from"])
    made, _ = _demand_proof(work, blank, blank.edit(values, work.now))
    task = work.tasks.add(replace(made, version=1))
    work.record("task.created", None, task, reason=_reason(reason))
    return task


def _store(work: Work, before: Task, after: Task, reason: str, *, refresh: bool = False) -> Changed:
    """Save and record a change, with what follows from closing a task."""
    after, unproved = _demand_proof(work, before, after)
    if after is before and refresh:
        after = replace(before, version=before.version + 1, updated_at=work.now)
    if after is before:
        return Changed(before, unproved=unproved)
    waited_on = tuple(work.tasks.open_blockers(after.id)) if after.completed and before.blocked_by else ()
    work.tasks.save(before, after)
    work.record(_kind(before, after), before, after, reason=_reason(reason))
    closed = before.status.open and not after.status.open
    if closed or (unproved and not _is_carried_out(work, after.id)):  # whoever had it has done what they could
        claims.settle(work, after.id)
    freed = _freed(work, after) if closed else ()
    follower = _follow(work, after) if after.completed and not before.completed else None
    return Changed(after, freed, follower, waited_on, unproved)


def _demand_proof(work: Work, before: Task, after: Task) -> tuple[Task, str]:
    """What a program says is done is in review until the task's acceptance commands pass; and why, if that is so."""
    if not work.caller.is_program or not after.acceptance or before.completed or not after.completed:
        return after, ""
    found = proof.gather(work, after)
    return (after, "") if found.accepted else (after.await_proof(before, work.now), found.tell())


def _is_carried_out(work: Work, task_id: int) -> bool:
    """Whether a worker has it in hand: its claim ends with its run."""
    latest = work.runs.latest(task_id)
    return latest is not None and latest.live


def _kind(before: Task, after: Task) -> str:
    if after.completed and not before.completed:
        return "task.completed"
    if after.status.open and not before.status.open:
        return "task.reopened"
    return "task.updated"


def _freed(work: Work, closed: Task) -> tuple[Task, ...]:
    return tuple(task for task in work.tasks.waiting_on(closed.id) if not work.tasks.open_blockers(task.id))


def _follow(work: Work, done: Task) -> Task | None:
    """Make the next occurrence, once."""
    if not done.recurrence or work.tasks.follower(done.id) is not None:
        return None
    last = done.due_date or work.now.date()
    due = recurrence.next_date(done.recurrence, done.recurs_from or last, last, work.now)
    if due is None:
        return None
    moved = as_moment(due, UTC) - as_moment(last, UTC)
    task = replace(
        done,
        id=0,
        status=Status.TODO,
        reopens_as=Status.TODO,
        progress=0,
        follows=done.id,
        blocked_by=(),
        external_refs=(),
        due_date=due,
        scheduled_start=done.scheduled_start + moved if done.scheduled_start else None,
        remind_at=done.remind_at + moved if done.remind_at else None,
        created_at=work.now,
        updated_at=work.now,
        started_at=None,
        completed_at=None,
        version=1,
    )
    task = work.tasks.add(task)
    work.record("task.created", None, task, reason=f"Next occurrence of task {done.id}")
    return task


def _settle(given: TaskFields, task: Task) -> dict[str, Any]:
    """Coarser words, decided by what the task is now."""
    values: dict[str, Any] = dict(given)
    for name, value in values.items():
        if isinstance(value, AllOf):
            values[name] = value.settle(getattr(task, name), task.reopens_as)
        elif isinstance(value, OneOf):
            values[name] = value.settle(getattr(task, name))
    return values


def _resolve(work: Work, values: dict[str, Any], task: Task) -> dict[str, Any]:
    """Names and ids of other things, looked up; links that lead back are refused. A task without an id is new."""
    if "project" in values or "project_id" in values:
        values.update(_find_project(work, values, task))
    if isinstance(values.get("workspace"), str):
        values["workspace"] = workspaces.open_folder(work, values["workspace"]).id
    elif values.get("workspace") is not None:
        work.workspaces.get(values["workspace"])
    if values.get("parent") is not None:
        work.tasks.get(values["parent"])
        if task.id:
            links.forbid_cycle(task.id, [values["parent"]], work.tasks.parents_of, "be part of")
    for blocker in values.get("blocked_by", ()):
        work.tasks.get(blocker)
    if task.id and values.get("blocked_by"):
        links.forbid_cycle(task.id, values["blocked_by"], work.tasks.blockers_of, "wait on")
    return values


def _find_project(work: Work, values: dict[str, Any], task: Task) -> dict[str, Any]:
    """By number, or by name and made on first use. One that says what is so already asks for nothing."""
    now = {"project_id": task.project_id, "project": task.project}
    asked = {name: values[name] for name in now if name in values and values[name] != now[name]}
    if not asked:
        return now
    if asked.get("project_id") is not None:
        project = work.projects.get(asked["project_id"])
    else:
        project = projects.obtain(work, asked["project"]) if asked.get("project") else None
    found = {"project_id": project.id, "project": project.name} if project else dict.fromkeys(now)
    if any(found[name] != value for name, value in asked.items()):
        raise Conflict("project_id and project name different projects.", hint="Give one of them.")
    return found


def _reason(reason: str) -> str:
    return text.line(reason, "A reason", REASON_MOST, 0)


def _offset(given: int) -> int:
    if given < 0:
        raise Invalid(f"offset cannot be {given}.", hint="Choose 0 or more.")
    return min(given, ID_MOST)


def _limit(given: int) -> int:
    return limit(given, LIMIT_MOST)
