"""Taking one event back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from taskpilot.domain import links, run, task
from taskpilot.domain.errors import Conflict, NotFound
from taskpilot.domain.events import Event, plain
from taskpilot.domain.operation import writes
from taskpilot.domain.task import Task
from taskpilot.domain.wording import SILENT
from taskpilot.ops import claims
from taskpilot.store.projects import revive as revive_project
from taskpilot.store.rules import revive as revive_rule
from taskpilot.store.work import Work

NOUNS = {"task", "project", "rule", "run"}
TOLD = {"task.returned"}
"""Nobody did it: a lease ran out, and would again."""
WORKER = "run"
"""The door that workers come through."""
LOOK_BACK = 200


def can_revert(event: Event) -> bool:
    """The others only tell of something that may stay, such as a folder that was opened, or a worker's progress."""
    if event.noun == "run":
        return bool(event.before) and event.door != WORKER
    return event.noun in NOUNS and event.kind not in TOLD


@writes
def revert(work: Work, event: Event, mine: set[int], reason: str) -> None:
    """Put the fields that one event changed back, or say who has changed them since.

    `mine` are the events taken back together: those are nobody else's changes.
    """
    if event.noun == "task":
        _revert_task(work, event, mine, reason)
    elif event.noun == "project":
        _revert_project(work, event, reason)
    elif event.noun == "rule":
        _revert_rule(work, event, reason)
    else:
        _revert_run(work, event, reason)


def _revert_task(work: Work, event: Event, mine: set[int], reason: str) -> None:
    before = work.tasks.get(event.subject, deleted=True)
    after = before.delete(work.now) if event.before is None else _task_as_before(work, before, event, mine)
    if event.before is None:
        _forbid_later(work, event, mine)
    work.tasks.save(before, after)
    work.record("task.undone", before, after, reason=reason, undoes=event.id)
    claims.follow_undo(work, before, after, event)


def _revert_project(work: Work, event: Event, reason: str) -> None:
    old = work.projects.get(event.subject, deleted=True)
    values: dict[str, Any] = (
        {"deleted_at": work.now} if event.before is None else revive_project(_unchanged(work, old, event))
    )
    if event.before is None and work.projects.task_ids(old.id):
        raise Conflict(f"project {old.name!r} has tasks")
    name: str = values.get("name", old.name)
    twin = work.projects.find(name)
    if twin is not None and twin.id != old.id:
        raise Conflict(f"there is another project {name!r}")
    new = work.projects.save(replace(old, **values, version=old.version + 1, updated_at=work.now))
    work.record("project.undone", old, new, reason=reason, undoes=event.id)


def _revert_rule(work: Work, event: Event, reason: str) -> None:
    old = work.rules.find(event.subject, deleted=True)
    if old is None:
        raise NotFound(f"There is no rule {event.subject}.")
    values: dict[str, Any] = (
        {"deleted_at": work.now} if event.before is None else revive_rule(_unchanged(work, old, event))
    )
    new = work.rules.save(replace(old, **values, version=old.version + 1, updated_at=work.now))
    work.record("rule.undone", old, new, reason=reason, undoes=event.id)


def _revert_run(work: Work, event: Event, reason: str) -> None:
    old = work.runs.get(event.subject)
    if old.queued_at is not None:
        raise Conflict(f"Run {old.id} was carried out by a worker and cannot be taken back")
    values = run.revive(_unchanged(work, old, event))
    new = replace(old, **values, version=old.version + 1, updated_at=work.now)
    work.runs.save(old, new)
    work.record("run.undone", old, new, reason=reason, undoes=event.id)


def _task_as_before(work: Work, now: Task, event: Event, mine: set[int]) -> Task:
    values = task.revive(_unchanged(work, now, event))
    _forbid_same_again(work, now, event, mine)
    if values.get("project_id") is not None:
        values["project"] = work.projects.get(values["project_id"]).name
    if values.get("blocked_by"):
        links.forbid_cycle(now.id, values["blocked_by"], work.tasks.blockers_of, "wait on")
    if values.get("parent") is not None:
        links.forbid_cycle(now.id, [values["parent"]], work.tasks.parents_of, "be part of")
    return replace(now, **values).touched(now, work.now)


def _unchanged(work: Work, now: Any, event: Event) -> dict[str, Any]:
    """The values to go back to, if nobody has changed those fields to something else since."""
    before = dict(event.before or {})
    changed = [name for name in before if plain(getattr(now, name)) not in (event.after[name], before[name])]
    if changed:
        told = [name for name in changed if name not in SILENT] or changed
        what = " and ".join(name.replace("_", " ") for name in told)
        who = _find_changer(work, event, told[0])
        raise Conflict(f"{event.noun} {event.subject} has had its {what} changed since by {who}")
    return before


def _find_changer(work: Work, event: Event, field: str) -> str:
    """Who changed it last, other than this very undo."""
    events = work.events.history(noun=event.noun, subject=event.subject, before=None, limit=LOOK_BACK)
    later = (each for each in events if each.id > event.id and each.change not in work.changes)
    return next((each.actor for each in later if field in each.after), "somebody")


def _forbid_same_again(work: Work, now: Task, event: Event, mine: set[int]) -> None:
    """A value that went away and came back is somebody else's now: a task that another holds is still in progress."""
    before = event.before or {}
    back = {name for name in before if name not in SILENT and plain(getattr(now, name)) != before[name]}
    later = _list_later(work, event, mine) if back else []
    other = next((other for other in later if back & other.after.keys()), None)
    if other is not None:
        what = " and ".join(sorted(name.replace("_", " ") for name in back & other.after.keys()))
        raise Conflict(f"{event.noun} {event.subject} has had its {what} changed since by {other.actor}")


def _forbid_later(work: Work, event: Event, mine: set[int]) -> None:
    """A new task is not taken back under the hands of somebody who has worked on it since."""
    other = next(iter(_list_later(work, event, mine)), None)
    if other is not None:
        raise Conflict(f"{event.noun} {event.subject} has been changed since by {other.actor}")


def _list_later(work: Work, event: Event, mine: set[int]) -> list[Event]:
    """What others did to the same thing since, and has not been taken back; latest first."""
    later = [
        other
        for other in work.events.history(noun=event.noun, subject=event.subject, before=None, limit=LOOK_BACK)
        if other.id > event.id and other.id not in mine and other.undoes is None and other.kind not in TOLD
    ]
    gone = work.events.undone([other.id for other in later])
    return [other for other in later if other.id not in gone]
