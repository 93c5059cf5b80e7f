"""A task and the rules it keeps about itself."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import Any, NamedTuple

from taskpilot.domain import text
from taskpilot.domain.errors import Conflict, Invalid, NotFound, Unfit
from taskpilot.domain.moments import When, is_past, load, load_moment

TITLE_MOST = 500
PROSE_MOST = 100_000
ESTIMATE_MOST = 50
TAG_MOST = 50
PROJECT_MOST = 100
PATH_MOST = 1_000
COMMAND_MOST = 2_000
LIST_MOST = 200
"""Most tags, files, references or blockers one task carries."""
ID_MOST = 2**63 - 1
RANK_MOST = 2**53 - 1
"""As far as a float counts whole numbers."""


class Status(StrEnum):
    BACKLOG = "backlog"
    TODO = "todo"
    IN_PROGRESS = "in_progress"
    BLOCKED = "blocked"
    REVIEW = "review"
    DONE = "done"
    DROPPED = "dropped"

    @property
    def open(self) -> bool:
        return self not in (Status.DONE, Status.DROPPED)


class Priority(IntEnum):
    SOMEDAY = 1
    LOW = 2
    MEDIUM = 3
    HIGH = 4
    CRITICAL = 5

    @property
    def word(self) -> str:
        return self.name.lower()


class Energy(StrEnum):
    LIGHT = "light"
    MEDIUM = "medium"
    DEEP = "deep"


class Reference(NamedTuple):
    """The same task in somebody else's system."""

    system: str
    key: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    id: int
    owner: int
    title: str
    created_at: datetime
    updated_at: datetime
    description: str = ""
    notes: str = ""
    status: Status = Status.TODO
    reopens_as: Status = Status.TODO
    """The open status a closed task returns to."""
    priority: Priority = Priority.MEDIUM
    progress: int = 0
    energy: Energy = Energy.MEDIUM
    time_estimate: str = "1hr"
    project_id: int | None = None
    project: str | None = None
    """The name of `project_id`, which is what is stored."""
    workspace: int | None = None
    parent: int | None = None
    follows: int | None = None
    """The occurrence before this one, when a recurring task made it."""
    tags: tuple[str, ...] = ()
    blocked_by: tuple[int, ...] = ()
    connected_files: tuple[str, ...] = ()
    external_refs: tuple[Reference, ...] = ()
    acceptance: tuple[str, ...] = ()
    """Commands that must succeed before it counts as done, each a program and its arguments."""
    due_date: When | None = None
    scheduled_start: When | None = None
    remind_at: When | None = None
    recurrence: str = ""
    recurs_from: When | None = None
    """Where the recurrence counts from, so that COUNT and the rhythm survive each occurrence."""
    started_at: datetime | None = None
    completed_at: datetime | None = None
    deleted_at: datetime | None = None
    rank: float | None = None
    """Where a person put it by hand among the others, lowest first; None: its id counts."""
    version: int = 1

    @property
    def completed(self) -> bool:
        return self.status is Status.DONE

    def is_overdue(self, now: datetime) -> bool:
        return self.status.open and self.due_date is not None and is_past(self.due_date, now)

    def edit(self, changes: dict[str, Any], at: datetime) -> Task:
        """Take new field values as a whole; the same task comes back if nothing differs."""
        changes = dict(changes)
        status = changes.pop("status", self.status)
        task = replace(self, **changes)
        if status is not self.status:
            task = task.move(status, at)
        elif task.progress == 100 and self.progress != 100 and task.status.open:
            task = task.move(Status.DONE, at)
        elif task.completed and task.progress != 100:
            raise Unfit("A done task has progress 100.", hint="Reopen it to lower its progress.")
        return task.touched(self, at)

    def move(self, status: Status, at: datetime) -> Task:
        """Change status and what follows from it."""
        if status is self.status:
            return self
        return replace(
            self,
            status=status,
            reopens_as=self.status if self.status.open and not status.open else self.reopens_as,
            progress=100 if status is Status.DONE else 0 if self.progress == 100 else self.progress,
            started_at=self.started_at or (at if status is Status.IN_PROGRESS else None),
            completed_at=at if status is Status.DONE else None,
        )

    def begin(self, at: datetime) -> Task:
        """In progress from now on, if it is not yet."""
        if self.status is Status.IN_PROGRESS:
            return self
        if not self.status.open:
            return self.move(Status.IN_PROGRESS, at).touched(self, at)
        return replace(
            self,
            status=Status.IN_PROGRESS,
            started_at=self.started_at or at,
            version=self.version + 1,
            updated_at=at,
        )

    def complete(self, at: datetime) -> Task:
        return self.move(Status.DONE, at).touched(self, at)

    def await_proof(self, before: Task, at: datetime) -> Task:
        """In review instead of done: what would show that it is done is still to come."""
        waiting = replace(
            self,
            status=Status.REVIEW,
            reopens_as=before.reopens_as,
            progress=before.progress,
            completed_at=before.completed_at,
            version=before.version,
            updated_at=before.updated_at,
        )
        return waiting.touched(before, at)

    def reopen(self, at: datetime) -> Task:
        """Back to the open status it had before. An open task stays as it is."""
        return self if self.status.open else self.move(self.reopens_as, at).touched(self, at)

    def delete(self, at: datetime) -> Task:
        return replace(self, deleted_at=at).touched(self, at)

    def restore(self, at: datetime) -> Task:
        return replace(self, deleted_at=None).touched(self, at)

    def touched(self, before: Task, at: datetime) -> Task:
        """Count a real change; a change that changes nothing is none."""
        if self == before:
            return before
        return replace(self, version=before.version + 1, updated_at=at)

    def expect(self, version: int | None) -> None:
        """Refuse a writer who has not seen the latest change."""
        if version is not None and version != self.version:
            raise Conflict(
                f"Task {self.id} has changed: it is at version {self.version}, not {version}.",
                hint="Get it again and repeat your change on what you see.",
            )


FIELDS = tuple(item.name for item in fields(Task))


_MOMENTS = {"created_at", "updated_at", "started_at", "completed_at", "deleted_at"}
_WHENS = {"due_date", "scheduled_start", "remind_at", "recurs_from"}
_REVIVE: dict[str, Callable[[Any], Any]] = {
    "status": Status,
    "reopens_as": Status,
    "priority": Priority,
    "energy": Energy,
    "tags": tuple,
    "blocked_by": tuple,
    "connected_files": tuple,
    "acceptance": tuple,
    "external_refs": lambda refs: tuple(Reference(*ref) for ref in refs),
    **dict.fromkeys(_MOMENTS, load_moment),
    **dict.fromkeys(_WHENS, load),
}


def revive(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Field values back from their JSON form."""
    return {name: _REVIVE[name](value) if name in _REVIVE else value for name, value in plain.items()}


def missing(task_id: object) -> NotFound:
    """The one answer for a task that does not exist, or belongs to somebody else."""
    return NotFound(f"Task {task_id} not found.", hint="List or search tasks to see their ids.")


def parse_id(given: int | str) -> int:
    """`42`, `"42"`, `"#42"` or `"TP-42"`."""
    if isinstance(given, bool) or not isinstance(given, int | str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise Invalid(f"{given!r} is not a task id.", hint="An id looks like 42 or TP-42.")
    digits = str(given).strip().upper().removeprefix("#").removeprefix("TP-")
    if not (digits.isascii() and digits.isdigit()):
        raise Invalid(f"{text.shorten(str(given), 40)!r} is not a task id.", hint="An id looks like 42 or TP-42.")
    number = int(digits[:25])
    if not 0 < number <= ID_MOST:
        raise missing(digits[:25])
    return number


def parse_priority(given: int | str) -> Priority:
    """A name, `urgent` for critical, or 1 to 5."""
    word = str(given).strip().lower()
    if word == "urgent":
        return Priority.CRITICAL
    for priority in Priority:
        if word in (priority.word, str(int(priority))):
            return priority
    raise Invalid(f"Priority cannot be {given!r}.", hint="Choose someday, low, medium, high, critical, or 1 to 5.")


def parse_rank(given: object) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not abs(given) <= RANK_MOST:
        raise Invalid(f"A rank cannot be {text.shorten(repr(given), 40)}.", hint="Choose any number, or null for none.")
    return float(given)


def parse_status(given: str) -> Status:
    try:
        return Status(given.strip().lower().replace("-", "_").replace(" ", "_"))
    except (ValueError, AttributeError):
        raise Invalid(f"Status cannot be {given!r}.", hint=f"Choose one of: {', '.join(Status)}.") from None


def parse_tags(given: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Cleaned, without a leading # or +, each once, sorted."""
    cleaned = {text.line(tag.strip().lstrip("#+"), "A tag", TAG_MOST) for tag in given}
    return few(tuple(sorted(cleaned)), "tags")


def parse_paths(given: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Paths inside the workspace, never out of it."""
    paths = tuple(dict.fromkeys(text.line(path, "A file path", PATH_MOST).replace("\\", "/") for path in given))
    for path in paths:
        if path.startswith("/") or ".." in path.split("/") or path[1:2] == ":":
            raise Invalid(f"{path!r} leaves the workspace.", hint="Give a path relative to the workspace's folder.")
    return few(paths, "files")


def parse_commands(given: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Programs with their arguments, quoted as in a shell, though none ever reads them."""
    commands = tuple(dict.fromkeys(text.line(command, "A command", COMMAND_MOST) for command in given))
    for command in commands:
        split_command(command)
    return few(commands, "commands")


def split_command(command: str) -> list[str]:
    try:
        argv = shlex.split(command)
    except ValueError:
        argv = []
    if not argv:
        raise Invalid(f"{text.shorten(command, 60)!r} is not a command.", hint="Close every quote: make test.")
    return argv


def few(items: tuple[Any, ...], name: str) -> tuple[Any, ...]:
    if len(items) > LIST_MOST:
        raise Invalid(f"{len(items)} {name} are too many; at most {LIST_MOST} fit on one task.")
    return items
