"""Links in an answer: to tasks, rules and files the client may want to read next."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterable
from pathlib import Path

from taskpilot.contracts.taskpilot import addresses
from taskpilot.contracts.taskpilot.vocabulary import write_id
from taskpilot.domain.task import Task
from taskpilot.domain.workspace import Workspace
from taskpilot.toolkit import Annotations, Link

FOR_ASSISTANT = Annotations(audience=("assistant",), priority=0.9)


def to_tasks(workspace: Workspace, tasks: Iterable[Task]) -> tuple[Link, ...]:
    """To those of them that belong to the workspace."""
    return tuple(_to_task(workspace, task.id, task.title) for task in tasks if task.workspace == workspace.id)


def to_ids(workspace: Workspace, ids: Iterable[int]) -> tuple[Link, ...]:
    return tuple(_to_task(workspace, number) for number in ids)


def to_rules(workspace: Workspace) -> Link:
    return Link(
        uri=addresses.write_shelf(workspace.id, "rules"),
        name="Workspace Rules",
        mime="text/markdown",
        annotations=FOR_ASSISTANT,
    )


def to_file(workspace: Workspace, path: str) -> Link:
    return Link(
        uri=Path(workspace.path, path).as_uri(),
        name=Path(path).name,
        mime=mimetypes.guess_type(path)[0] or "application/octet-stream",
        annotations=FOR_ASSISTANT,
    )


def _to_task(workspace: Workspace, number: int, title: str = "") -> Link:
    return Link(
        uri=addresses.write_task(workspace.id, number),
        name=write_id(number),
        title=title,
        mime="application/json",
        annotations=FOR_ASSISTANT,
    )
