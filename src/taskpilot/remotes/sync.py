"""One sync, from end to end: fetch everything, change everything here at once, then send one change after another."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypedDict

from taskpilot.app import Errand
from taskpilot.domain import text
from taskpilot.domain.errors import NotFound, TaskPilotError, Unavailable
from taskpilot.domain.remote import Face, Item, Lease, Link, Push, Remote
from taskpilot.domain.task import Task
from taskpilot.ops import remotes
from taskpilot.ops.remotes import Clash, Plan
from taskpilot.remotes.adapter import Adapter, understood
from taskpilot.remotes.github import GitHub

FETCH_SECONDS = 480
NAME_MOST = 100


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a sync did on both sides."""

    imported: tuple[int, ...]
    updated: tuple[int, ...]
    created: tuple[int, ...]
    sent: tuple[int, ...]
    gone: tuple[int, ...]
    clashes: tuple[Clash, ...]

    @property
    def changes(self) -> int:
        return len(self.imported) + len(self.updated) + len(self.created) + len(self.sent)


@dataclass(frozen=True, slots=True)
class Issue:
    """An issue that was asked for, and its task."""

    label: str
    url: str
    task: Task | None
    made: bool


class PullRequest(TypedDict):
    number: int
    title: str
    url: str
    branch: str
    base: str


def test(adapter: Adapter) -> str:
    """Whether it can be reached; who we are there."""
    with understood(adapter.client):
        return text.shorten(text.clean_line(adapter.test()), NAME_MOST)


def run(errand: Errand, adapter: Adapter, remote: Remote) -> Outcome:
    """Bring both sides together. Safe to repeat, and to take up again after it broke off."""
    with _leased(errand, remote) as lease:
        items = [item for page in _fetch(errand, adapter, lease, lease.since) for item in page]
        plan = errand.run(remotes.merge, lease, items)
        gone = _send_all(errand, adapter, lease, plan, len(items))
    return Outcome(
        imported=plan.imported,
        updated=plan.updated,
        created=tuple(push.task_id for push in plan.pushes if not push.key),
        sent=tuple(push.task_id for push in plan.pushes if push.key and push.task_id not in gone),
        gone=gone,
        clashes=plan.clashes,
    )


def create_issue(errand: Errand, adapter: Adapter, remote: Remote, title: str, description: str) -> Issue:
    """One issue with its task: both are made, unless one of them is there already. Safe to repeat."""
    with _leased(errand, remote) as lease:
        chosen = errand.run(remotes.choose, lease, title, description)
        if chosen.link is not None:
            return _told(chosen.link, chosen.task)
        task = chosen.task
        face = Face(task.title, task.description) if task else Face(title, description)
        push = Push(task_id=task.id if task else 0, key="", face=face, changes={}, marker=chosen.marker)
        pages = _fetch(errand, adapter, lease, chosen.since)
        item = next((item for page in pages for item in page if item.marker == chosen.marker), None)
        made = item is None
        with understood(adapter.client):
            item = item or adapter.create(push)
        task = errand.finish(remotes.confirm, lease, push, item)
        return Issue(item.label, item.url, task, made)


def create_pull_request(adapter: GitHub, title: str, description: str, branch: str) -> tuple[PullRequest, bool]:
    """A pull request for a branch, and whether it is new. Safe to repeat."""
    with understood(adapter.client):
        found = adapter.find_pull_request(branch)
        pull = found or adapter.create_pull_request(title, description, branch)
        return {
            "number": int(pull["number"]),
            "title": text.clean_line(pull["title"]),
            "url": str(pull["html_url"]),
            "branch": str(pull["head"]["ref"]),
            "base": str(pull["base"]["ref"]),
        }, found is None


def _told(link: Link, task: Task | None) -> Issue:
    return Issue(link.label, link.url, task, made=False)


@contextmanager
def _leased(errand: Errand, remote: Remote) -> Generator[Lease]:
    lease = errand.run(remotes.begin, remote.id)
    try:
        yield lease
    finally:
        errand.finish(remotes.finish, lease)


def _fetch(errand: Errand, adapter: Adapter, lease: Lease, since: str) -> Iterator[list[Item]]:
    """All of it or nothing: an error on any page is an error before anything was changed."""
    deadline = time.monotonic() + FETCH_SECONDS
    pages = adapter.list_changed(since)
    done = 0
    while True:
        with understood(adapter.client):
            page = next(pages, None)
        if page is None:
            return
        yield page
        done += len(page)
        errand.tell(done, None, f"Fetching from {lease.remote.target}")
        errand.run(remotes.renew, lease)
        if time.monotonic() > deadline:
            raise Unavailable(f"{adapter.client.title} is too slow today.", hint="Try again later.")


def _send_all(errand: Errand, adapter: Adapter, lease: Lease, plan: Plan, fetched: int) -> tuple[int, ...]:
    """One change at a time, each written down before the next; the tasks whose counterpart is gone."""
    gone: list[int] = []
    for done, push in enumerate(plan.pushes):
        try:
            errand.tell(fetched + done + 1, fetched + len(plan.pushes), f"Sending to {lease.remote.target}")
            _send(errand, adapter, lease, push)
        except NotFound:
            if not push.key:
                raise
            errand.run(remotes.forget, lease, push)
            gone.append(push.task_id)
        except TaskPilotError as error:
            raise _broken_off(error, plan, done) from None
    return tuple(gone)


def _send(errand: Errand, adapter: Adapter, lease: Lease, push: Push) -> None:
    with understood(adapter.client):
        item = adapter.update(push) if push.key else adapter.create(push)
    # Even if nobody waits any more: what was done over there must be known here.
    errand.finish(remotes.confirm, lease, push, item)


def _broken_off(error: TaskPilotError, plan: Plan, done: int) -> TaskPilotError:
    here = len(plan.imported) + len(plan.updated)
    return type(error)(
        f"{error.message} {here} changes were taken over here and {done} of {len(plan.pushes)} sent.",
        hint=f"{error.hint} The next sync carries on from there.".strip(),
    )
