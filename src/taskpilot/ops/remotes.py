"""Keeping a workspace in step with somebody else's task system: our half of it. The network is not in here.

A sync is: `begin`, fetch everything, `merge` (all changes here, in one transaction), then one remote write at a
time, each followed by `confirm`, and `finish`. Stopped anywhere, the next one carries on: what was not confirmed
still differs from what both sides last agreed on. Leases and what was last seen are book-keeping and make no events;
every change of a task does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Any

from taskpilot.domain.errors import Conflict, NotFound
from taskpilot.domain.fields import TaskFields
from taskpilot.domain.moments import stamp, wire
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.remote import (
    FACETS,
    Face,
    Item,
    Lease,
    Link,
    Push,
    Remote,
    State,
    face_of,
    make_marker,
    merge_faces,
)
from taskpilot.domain.system import SYSTEMS, check_config
from taskpilot.domain.task import Task, parse_id
from taskpilot.domain.workspace import parse_path
from taskpilot.ops import tasks, workspaces
from taskpilot.store.work import Work

LEASE = timedelta(minutes=2)
OVERLAP = timedelta(minutes=10)
"""Looked at again: what changes over there while we fetch page by page is older than the newest we saw."""
RECENT = timedelta(days=1)
AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Known:
    """What is stored of a remote; its secrets are sealed."""

    remote: Remote
    secrets: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Clash:
    """Both sides had changed one facet of a task; the newer one was kept."""

    task_id: int
    facet: str
    kept_ours: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """What a merge did here, and what is left to do over there."""

    imported: tuple[int, ...]
    updated: tuple[int, ...]
    clashes: tuple[Clash, ...]
    pushes: tuple[Push, ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The task that an issue is asked for; none if it has to be made."""

    task: Task | None
    link: Link | None
    marker: str
    since: str
    """From when on an earlier call may have made its issue and not lived to tell."""


@reads
def find(work: Work, path: str, system: str, *, scope: str = "") -> Known | None:
    """The remote of a folder: the one of this scope, or the one of this kind that was set up last."""
    workspace = work.workspaces.find(parse_path(path))
    if workspace is None:
        return None
    places = work.remotes
    remote = places.find(workspace.id, system, scope) if scope else places.latest(workspace.id, system)
    return Known(remote, places.secrets(remote.id)) if remote else None


@writes
def connect(work: Work, path: str, system: str, scope: str, config: Mapping[str, str], secrets: str) -> Remote:
    """Store how to reach a remote. `secrets` come sealed. Safe to repeat."""
    about = SYSTEMS[system]
    values = {name: value for name, value in check_config(about, config).items() if name not in about.secrets}
    workspace = workspaces.open_folder(work, path)
    before = work.remotes.find(workspace.id, system, scope)
    if before is None:
        remote = Remote(
            id=0,
            owner=work.caller.user,
            workspace=workspace.id,
            system=system,
            scope=scope,
            config=values,
            created_at=work.now,
            updated_at=work.now,
        )
        remote = work.remotes.add(remote, secrets)
        work.record("remote.connected", None, remote)
        return remote
    if before.config == values and work.remotes.secrets(before.id) == secrets:
        return before
    after = replace(before, config=values, updated_at=work.now, version=before.version + 1)
    work.remotes.save(after, secrets)
    work.record("remote.configured", before, after)
    return after


@writes
def begin(work: Work, remote_id: int) -> Lease:
    """Take the right to sync; refused while somebody else has it."""
    remote = work.remotes.get(remote_id)
    _, until = work.remotes.lease(remote_id)
    if until is not None and until > work.now:
        raise Conflict(
            f"Another sync with {remote.target} is under way.",
            hint=f"Repeat when it has finished, or after {wire(until)}.",
        )
    token = token_hex(8)
    work.remotes.set_lease(remote_id, token, work.now + LEASE)
    # A task that names an item we have not linked: that item may be older than anything new over there.
    named = any(_names(remote, task) for task in _load(work, work.remotes.unlinked(remote)))
    since = work.remotes.since(remote_id)
    return Lease(remote=remote, token=token, since="" if named or not since else _earlier(since))


@writes
def renew(work: Work, lease: Lease) -> None:
    """Keep the right to sync; refused if it was lost."""
    token, _ = work.remotes.lease(lease.remote.id)
    if token != lease.token:
        raise Conflict("Another sync took over.", hint="What was done until then stays. Repeat to see the rest.")
    work.remotes.set_lease(lease.remote.id, token, work.now + LEASE)


@writes
def finish(work: Work, lease: Lease) -> None:
    """Let others sync. Safe to repeat."""
    if work.remotes.lease(lease.remote.id)[0] == lease.token:
        work.remotes.set_lease(lease.remote.id, "", None)


@writes
def merge(work: Work, lease: Lease, items: Sequence[Item]) -> Plan:
    """Bring everything here up to date with what was fetched; say what is left to send. All or nothing."""
    renew(work, lease)
    return _Merging(work, lease.remote).run(items)


@writes
def confirm(work: Work, lease: Lease, push: Push, item: Item) -> Task | None:
    """Remember that the other side has taken a change, and link what it made; the task, if it is still there."""
    renew(work, lease)
    remote = lease.remote
    if push.task_id == 0:
        return _import(work, remote, item, push.face)[0]
    link = work.remotes.link_of(remote.id, push.task_id)
    task = next(iter(work.tasks.many([push.task_id])), None)
    if link is None:
        work.remotes.put_link(remote.id, _link(push.task_id, item, push.face, item.face))
        return _note(work, remote, task, item) if task else None
    # Only what was sent: anything else that changed over there meanwhile is the next sync's to find.
    work.remotes.put_link(remote.id, link.settle(tuple(push.changes), push.face, item.face))
    return task


@writes
def forget(work: Work, lease: Lease, push: Push) -> None:
    """The item is gone over there: leave it and its task alone from now on."""
    renew(work, lease)
    link = work.remotes.link_of(lease.remote.id, push.task_id)
    if link is not None:
        work.remotes.put_link(lease.remote.id, replace(link, gone=True))


@reads
def choose(work: Work, lease: Lease, title: str, description: str) -> Chosen:
    """The open task of the workspace that has this id (TP-42) or exactly this title."""
    remote = lease.remote
    if title[:3].upper() == "TP-" and title[3:].isdigit():
        found = work.tasks.get(parse_id(title))
    else:
        found = next(iter(work.tasks.many(work.remotes.titled(remote, title))), None)
    link = work.remotes.link_of(remote.id, found.id) if found else None
    subject = str(found.id) if found else f"{title}\n{description}"
    marker = make_marker(_seal(work), remote.scope, subject)
    return Chosen(found, link, marker, lease.since or wire(work.now - RECENT) or "")


class _Merging:
    """One merge: what is known at its beginning, and what it has done so far."""

    def __init__(self, work: Work, remote: Remote) -> None:
        self.work = work
        self.remote = remote
        self.links = {link.key: link for link in work.remotes.links(remote.id)}
        self.strays = {task.id: task for task in _load(work, work.remotes.unlinked(remote))}
        self.seal = _seal(work)
        self.imported: list[int] = []
        self.updated: list[int] = []
        self.clashes: list[Clash] = []
        self.pushes: list[Push] = []

    def run(self, items: Sequence[Item]) -> Plan:
        there = {item.key: item for item in items}
        for item in there.values():
            if item.key not in self.links:
                self._welcome(item)
        here = {task.id: task for task in _load(self.work, [link.task_id for link in self.links.values()])}
        for link in self.links.values():
            if link.task_id in here and (link.key in there or not link.gone):
                self._compare(link, here[link.task_id], there.get(link.key))
        for task in _load(self.work, self.work.remotes.unlinked(self.remote)):
            if task.status.open and not _names(self.remote, task):
                self.pushes.append(self._push(task, "", asdict(face_of(task))))
        newest = max((item.updated_at for item in items), default=None)
        if newest is not None and stamp(newest) > self.work.remotes.since(self.remote.id):
            self.work.remotes.set_since(self.remote.id, stamp(newest))
        return Plan(tuple(self.imported), tuple(self.updated), tuple(self.clashes), tuple(self.pushes))

    def _welcome(self, item: Item) -> None:
        """An item that is not linked: ours from before a crash, one a task already names, or a new one."""
        task = self._recognize(item)
        if task is not None:
            self.strays.pop(task.id, None)
            self.links[item.key] = _meet(self.work, self.remote, task, item)
        elif item.face.state is State.OPEN:
            task, self.links[item.key] = _import(self.work, self.remote, item, item.face)
            self.imported.append(task.id)

    def _recognize(self, item: Item) -> Task | None:
        for task in self.strays.values():
            if any((ref.system, ref.key) == (self.remote.system, item.label) for ref in task.external_refs):
                return task
        parts = item.marker.split(":")
        if len(parts) != 3 or item.marker != make_marker(self.seal, self.remote.scope, parts[1]):
            return None
        number = int(parts[1])
        if any(link.task_id == number for link in self.links.values()):
            return None
        try:  # also one that was closed or deleted since: it must not come back as another
            return self.work.tasks.get(number, deleted=True)
        except NotFound:  # gone with a restored backup
            return None

    def _compare(self, link: Link, task: Task, item: Item | None) -> None:
        ours, theirs = face_of(task), item.face if item else link.theirs
        newer = item is None or task.updated_at >= item.updated_at
        merged = merge_faces(link, ours, theirs, ours_is_newer=newer)
        if merged.pull:
            names = f"{self.remote.about.title} {link.label}"
            kept = " (both sides had changed; the newer one wins)" if set(merged.conflicts) & set(merged.pull) else ""
            task = _apply(self.work, task, merged.pull, f"Synced from {names}{kept}")
            self.updated.append(task.id)
        self.clashes.extend(Clash(task.id, name, kept_ours=name in merged.push) for name in merged.conflicts)
        settled = replace(link.settle((*merged.agreed, *merged.pull), face_of(task), theirs), gone=False)
        if settled != link:
            self.work.remotes.put_link(self.remote.id, settled)
        if merged.push:
            self.pushes.append(self._push(task, link.key, merged.push))

    def _push(self, task: Task, key: str, changes: Mapping[str, Any]) -> Push:
        marker = make_marker(self.seal, self.remote.scope, str(task.id))
        return Push(task_id=task.id, key=key, face=face_of(task), changes=changes, marker=marker)


def _import(work: Work, remote: Remote, item: Item, face: Face) -> tuple[Task, Link]:
    draft: TaskFields = {
        "title": face.title,
        "description": face.description,
        "workspace": remote.workspace,
        "external_refs": [remote.reference(item)],
    }
    task = tasks.create(work, [draft], reason=f"Imported from {remote.about.title} {item.label}").tasks[0]
    link = _link(task.id, item, face_of(task), item.face)
    work.remotes.put_link(remote.id, link)
    return task, link


def _meet(work: Work, remote: Remote, task: Task, item: Item) -> Link:
    """Link a task and an item that are the same, though nobody wrote down what they last agreed on.

    What the other side could only keep in part is no change of theirs.
    """
    ours = face_of(task)
    kept = ours.fit(remote.about)
    agreed = tuple(name for name in FACETS if getattr(kept, name) == getattr(item.face, name))
    link = _link(task.id, item, Face(""), Face("")).settle(agreed, ours, item.face)
    work.remotes.put_link(remote.id, link)
    if task.deleted_at is None:
        _note(work, remote, task, item)
    return link


def _link(task_id: int, item: Item, ours: Face, theirs: Face) -> Link:
    return Link(task_id=task_id, key=item.key, label=item.label, url=item.url, ours=ours, theirs=theirs)


def _note(work: Work, remote: Remote, task: Task, item: Item) -> Task:
    """Let the task name its item."""
    reference = remote.reference(item)
    if any((ref.system, ref.key) == (reference.system, reference.key) for ref in task.external_refs):
        return task
    refs = [*task.external_refs, reference]
    return tasks.update(
        work, task.id, {"external_refs": refs}, reason=f"Linked to {remote.about.title} {item.label}"
    ).task


def _apply(work: Work, task: Task, pull: Mapping[str, Any], reason: str) -> Task:
    words: Any = {name: value for name, value in pull.items() if name != "state"}
    if words:
        task = tasks.update(work, task.id, words, reason=reason).task
    match pull.get("state"):
        case State.DONE:
            task = tasks.complete(work, task.id, reason=reason).task
        case State.DROPPED:
            task = tasks.update(work, task.id, {"status": "dropped"}, reason=reason).task
        case State.OPEN:
            task = tasks.reopen(work, task.id, reason=reason).task
        case _:
            pass
    return task


def _earlier(since: str) -> str:
    return wire(datetime.fromisoformat(since) - OVERLAP) or ""


def _load(work: Work, ids: Sequence[int]) -> Iterator[Task]:
    for start in range(0, len(ids), AT_ONCE):
        yield from work.tasks.many(ids[start : start + AT_ONCE])


def _names(remote: Remote, task: Task) -> bool:
    return any(remote.owns(ref) for ref in task.external_refs)


def _seal(work: Work) -> str:
    """What makes our markers ours: nobody outside knows it."""
    user = work.users.find(work.caller.user)
    return user.uuid if user else ""
