"""What the rules see of the user's list and of the conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from typing import Any, Protocol

from taskpilot.agents.chat.rules.words import fold


@dataclass(frozen=True, slots=True)
class TaskView:
    id: int
    title: str
    done: bool = False
    project: str | None = None
    tags: tuple[str, ...] = ()
    priority: str = "medium"
    due: str = ""
    """As ISO text, "" without one."""


@dataclass(frozen=True, slots=True)
class Context:
    """What was spoken of last."""

    last_task: int | None = None
    last_operation: str = ""
    last_list: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Wanted:
    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])


class Shelf(Protocol):
    """Where tasks are looked up. `find` may answer more than was asked for; the rules choose."""

    def get(self, task_id: int) -> TaskView | None: ...
    def find(self, words: Sequence[str]) -> Sequence[TaskView]: ...
    def every(self) -> Sequence[TaskView]: ...


@dataclass(frozen=True, slots=True)
class View:
    shelf: Shelf
    now: datetime
    zone: tzinfo = UTC
    projects: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    context: Context = Context()
    pending: tuple[Wanted, ...] = ()
    """The calls that wait for a yes."""

    def project(self, said: str) -> str | None:
        """The project that is meant, in any case."""
        return next((name for name in self.projects if fold(name) == fold(said)), None)

    def tag(self, said: str) -> str | None:
        return next((name for name in self.tags if fold(name) == fold(said)), None)

    def after(self, task_id: int | None) -> View:
        """The view of the next clause: "it" is what this one was about."""
        return self if task_id is None else replace(self, context=replace(self.context, last_task=task_id))


class Listed:
    """A shelf of tasks at hand."""

    def __init__(self, tasks: Sequence[TaskView]) -> None:
        self._tasks = {task.id: task for task in sorted(tasks, key=lambda task: task.id)}

    def get(self, task_id: int) -> TaskView | None:
        return self._tasks.get(task_id)

    def find(self, words: Sequence[str]) -> Sequence[TaskView]:
        return self.every() if words else ()

    def every(self) -> Sequence[TaskView]:
        return tuple(self._tasks.values())
