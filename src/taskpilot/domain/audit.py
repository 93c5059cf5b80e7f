"""What is not in order in a workspace, and how much of it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from graphlib import CycleError, TopologicalSorter

from taskpilot.domain.errors import Invalid
from taskpilot.domain.task import Priority, Status, Task

STALE = timedelta(days=7)
LONG = timedelta(days=14)
UNDESCRIBED = 10
THIN = 20
POINTS = 5
BEST = 100


class Scope(StrEnum):
    FULL = "full"
    TASKS = "tasks"
    DEPENDENCIES = "dependencies"
    FILES = "files"


class Kind(StrEnum):
    STALE = "stale"
    LONG_RUNNING = "long_running"
    UNDESCRIBED = "undescribed"
    THIN = "thin_description"
    NEGLECTED = "high_priority_in_backlog"
    UNEXPLAINED = "blocked_without_reason"
    DROPPED = "dropped_dependency"
    CYCLE = "cycle"
    FILE = "missing_file"


FIXABLE = frozenset({Kind.DROPPED, Kind.FILE})
"""What can be put right without deciding anything for anybody: a link that leads nowhere is taken away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    kind: Kind
    task: int
    title: str
    message: str
    others: tuple[int, ...] = ()
    """Other tasks it is about."""
    paths: tuple[str, ...] = ()

    @property
    def fixable(self) -> bool:
        return self.kind in FIXABLE


@dataclass(frozen=True, slots=True)
class Facts:
    """What an audit knows besides the tasks themselves."""

    now: datetime
    related: Mapping[int, Task]
    """Every task that is waited on, as far as the links lead. One that is not here is in the bin."""
    explained: Set[int] = frozenset()
    """Blocked tasks of which somebody said why."""
    missing: Set[str] = frozenset()
    """Connected files that are not there."""


def score(findings: int) -> int:
    return max(0, BEST - POINTS * findings)


def parse_scope(given: str) -> Scope:
    try:
        return Scope(given.strip().lower())
    except ValueError:
        raise Invalid(f"There is no scope {given!r}.", hint=f"Choose one of: {', '.join(Scope)}.") from None


def inspect(tasks: list[Task], facts: Facts, scope: Scope) -> list[Finding]:
    """Findings on open tasks, in the order of the tasks; circles come last."""
    found: list[Finding] = []
    for task in tasks:
        if scope in (Scope.FULL, Scope.TASKS):
            found += _inspect_task(task, facts)
        if scope in (Scope.FULL, Scope.DEPENDENCIES):
            found += _inspect_links(task, facts)
        if scope in (Scope.FULL, Scope.FILES):
            found += _inspect_files(task, facts)
    if scope in (Scope.FULL, Scope.DEPENDENCIES):
        found += _find_circles(tasks, facts)
    return found


def _inspect_task(task: Task, facts: Facts) -> Iterator[Finding]:
    idle = facts.now - task.updated_at
    if task.status is Status.IN_PROGRESS and idle >= LONG:
        yield _find(Kind.LONG_RUNNING, task, f"In progress for long: untouched for {idle.days} days.")
    elif task.status is Status.IN_PROGRESS and idle >= STALE:
        yield _find(Kind.STALE, task, f"In progress, but untouched for {idle.days} days.")
    length = len(task.description)
    if length < UNDESCRIBED:
        yield _find(Kind.UNDESCRIBED, task, "It has no description to work from.")
    elif length < THIN:
        yield _find(Kind.THIN, task, f"Its description is thin: {length} characters.")
    if task.priority >= Priority.HIGH and task.status in (Status.BACKLOG, Status.TODO):
        yield _find(Kind.NEGLECTED, task, "High priority, but left in the backlog.")
    if task.status is Status.BLOCKED and not task.blocked_by and task.id not in facts.explained:
        yield _find(Kind.UNEXPLAINED, task, "Blocked, but nobody said why or by what.")


def _inspect_links(task: Task, facts: Facts) -> Iterator[Finding]:
    for blocker in task.blocked_by:
        other = facts.related.get(blocker)
        if other is None or other.status is Status.DROPPED:
            gone = "was deleted" if other is None else "was dropped"
            yield _find(Kind.DROPPED, task, f"It waits on a task that {gone}.", others=(blocker,))


def _inspect_files(task: Task, facts: Facts) -> Iterator[Finding]:
    for path in task.connected_files:
        if path in facts.missing:
            yield _find(Kind.FILE, task, f"The connected file {path} is not there.", paths=(path,))


def _find_circles(tasks: list[Task], facts: Facts) -> Iterator[Finding]:
    """Each circle once. The core lets none come about; a damaged or merged database may hold one."""
    known = {**facts.related, **{task.id: task for task in tasks}}
    graph = {number: set(task.blocked_by) for number, task in known.items()}
    while True:
        try:
            TopologicalSorter(graph).prepare()
            return
        except CycleError as error:
            circle: list[int] = error.args[1][1:]
            first = known[min(circle)]
            message = f"It waits on itself, in a circle of {len(circle)}."
            yield _find(Kind.CYCLE, first, message, others=tuple(sorted(set(circle) - {first.id})))
            graph = {number: links.difference(circle) for number, links in graph.items() if number not in circle}


def _find(
    kind: Kind, task: Task, message: str, *, others: tuple[int, ...] = (), paths: tuple[str, ...] = ()
) -> Finding:
    return Finding(kind=kind, task=task.id, title=task.title, message=message, others=others, paths=paths)
