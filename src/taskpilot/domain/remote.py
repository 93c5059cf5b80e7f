"""Somebody else's task system: how we reach it, what we share with it, and who wins when both sides changed."""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from taskpilot.domain import text
from taskpilot.domain.system import SYSTEMS, VALUE_MOST, System
from taskpilot.domain.task import PROSE_MOST, TITLE_MOST, Reference, Status, Task

LABEL_MOST = 200
HIDDEN = "•••"


class State(StrEnum):
    OPEN = "open"
    DONE = "done"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Face:
    """What both sides know of a task."""

    title: str
    description: str = ""
    state: State = State.OPEN

    def fit(self, system: System) -> Face:
        """As much of it as the other side can keep."""
        dropped = self.state is State.DROPPED and not system.tells_dropped
        return Face(
            text.shorten(self.title, system.title_most),
            text.shorten(self.description, system.description_most),
            State.DONE if dropped else self.state,
        )


FACETS = tuple(item.name for item in fields(Face))


def face_of(task: Task) -> Face:
    state = State.OPEN if task.status.open else State.DROPPED if task.status is Status.DROPPED else State.DONE
    return Face(task.title, task.description, state)


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A task as the other side tells it."""

    key: str
    """Its name for programs; never changes."""
    label: str
    """Its name for people: owner/repo#7."""
    url: str
    face: Face
    updated_at: datetime
    marker: str = ""
    """Ours, if we made it."""


def read_item(
    *,
    key: str,
    url: str,
    title: str | None,
    description: str | None,
    state: State,
    updated_at: str,
    label: str = "",
    marker: str = "",
) -> Item:
    """An item from a stranger's words: cleaned, and cut to what a task can hold."""
    body, found = split_marker(text.clean(description or ""))
    name = text.clean_line(label)[:LABEL_MOST] or key
    return Item(
        key=key,
        label=name,
        url=url if url.startswith(("https://", "http://")) and len(url) <= VALUE_MOST else "",
        face=Face(text.clean_line(title or "")[:TITLE_MOST].strip() or name, body[:PROSE_MOST].strip(), state),
        updated_at=_moment(updated_at),
        marker=marker or found,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One task here and one there, with what both sides looked like when they last agreed."""

    task_id: int
    key: str
    label: str
    url: str
    ours: Face
    theirs: Face
    """Kept apart from `ours`: the other side may cut or rewrite what it is given."""
    gone: bool = False
    """Deleted over there: left alone from now on, never made again."""

    def settle(self, names: Mapping[str, Any] | tuple[str, ...], ours: Face, theirs: Face) -> Link:
        """Both sides agree on these facets."""
        return replace(
            self,
            ours=replace(self.ours, **{name: getattr(ours, name) for name in names}),
            theirs=replace(self.theirs, **{name: getattr(theirs, name) for name in names}),
        )


@dataclass(frozen=True, slots=True)
class Merge:
    pull: dict[str, Any]
    push: dict[str, Any]
    agreed: tuple[str, ...]
    conflicts: tuple[str, ...]
    """Facets that both sides changed: the newer side won."""


def merge_faces(link: Link, here: Face, there: Face, *, ours_is_newer: bool) -> Merge:
    """Carry over what changed on either side since they last agreed; where both did, the newer side wins."""
    pull, push = dict[str, Any](), dict[str, Any]()
    agreed, conflicts = list[str](), list[str]()
    for name in FACETS:
        mine, yours = getattr(here, name), getattr(there, name)
        changed_here, changed_there = mine != getattr(link.ours, name), yours != getattr(link.theirs, name)
        if not changed_here and not changed_there:
            continue
        if mine == yours:
            agreed.append(name)
            continue
        if changed_here and changed_there:
            conflicts.append(name)
        if changed_here and (ours_is_newer or not changed_there):
            push[name] = mine
        else:
            pull[name] = yours
    return Merge(pull, push, tuple(agreed), tuple(conflicts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Remote:
    """One place in one system that a workspace is in step with. Its secrets are not in here, so no event tells them."""

    id: int
    owner: int
    workspace: int
    system: str
    scope: str
    """What makes it this place and no other: the target and the host."""
    config: Mapping[str, str] = field(default_factory=dict[str, str])
    created_at: datetime
    updated_at: datetime
    version: int = 1

    @property
    def about(self) -> System:
        return SYSTEMS[self.system]

    @property
    def target(self) -> str:
        return self.config[self.about.target]

    def reference(self, item: Item | Link) -> Reference:
        return Reference(self.system, item.label, item.url)

    def owns(self, reference: Reference) -> bool:
        """Whether a task's reference leads here; False where a key does not say to which place it belongs."""
        joint = {"github": "#", "jira": "-", "linear": "-"}.get(self.system)
        place, found, _ = reference.key.rpartition(joint or "#")
        return bool(found) and reference.system == self.system and place.lower() == self.target.lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right to sync, for a while: two at once would make everything twice."""

    remote: Remote
    token: str
    since: str
    """From when on the other side's changes are not known yet; empty: all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Push:
    """One change to make over there."""

    task_id: int
    """0: a task that is not here yet."""
    key: str
    """Empty: to be made."""
    face: Face
    changes: Mapping[str, Any]
    marker: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What this server may talk to, and as whom."""

    hosts: tuple[str, ...] = ()
    """Hosts exempt from the rule that only public addresses are reached, over https."""
    timeout: float = 20.0
    github_url: str = SYSTEMS["github"].url
    github_token: str = field(default="", repr=False)
    roots: tuple[str, ...] = ()
    """Folders of this machine that others than its own user may have workspaces in."""


# Some services escape brackets in what they take for Markdown.
_MARKER = re.compile(r"\n*(?:<!-- |\\?\[)(taskpilot:(?:\d{1,19}|new):[0-9a-f]{16})(?: -->|\\?\])\s*\Z")


def make_marker(seal: str, scope: str, subject: str) -> str:
    """What we leave in what we make over there, to know it again after a crash. Nobody else can guess it."""
    kind = subject if subject.isdigit() else "new"
    digest = hmac.new(seal.encode(), f"{scope}\n{subject}".encode(), "sha256").hexdigest()
    return f"taskpilot:{kind}:{digest[:16]}"


def add_marker(description: str, marker: str, form: str = "<!-- {} -->") -> str:
    return f"{description}\n\n{form.format(marker)}".strip() if marker else description


def split_marker(body: str) -> tuple[str, str]:
    found = _MARKER.search(body)
    return (body[: found.start()].rstrip(), found[1]) if found else (body, "")


def _moment(given: str) -> datetime:
    moment = datetime.fromisoformat(given)
    if moment.tzinfo is None:
        raise ValueError("a moment without its zone")
    return moment
