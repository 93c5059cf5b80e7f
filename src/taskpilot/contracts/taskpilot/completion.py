"""What could follow of what a client has begun to type: workspaces, tasks, prompts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from taskpilot.contracts.taskpilot import prose, reports
from taskpilot.contracts.taskpilot.addresses import CURRENT
from taskpilot.contracts.taskpilot.vocabulary import write_id
from taskpilot.domain.errors import TaskPilotError
from taskpilot.domain.operation import reads
from taskpilot.domain.selection import Selection, Sort
from taskpilot.ops import tasks, workspaces
from taskpilot.store.work import Work
from taskpilot.toolkit import Suggestion

LOOK_AT = 1_000


@reads
def complete(work: Work, suggestion: Suggestion) -> Sequence[str]:
    """Best first: the workspace used last, the most urgent task."""
    begun = suggestion.begun.strip()
    if suggestion.argument in ("workspace_id", "workspace"):
        return _complete_workspace(work, begun, paths=suggestion.argument == "workspace")
    if suggestion.argument == "task_id":
        return _complete_task(work, begun.upper(), suggestion.others)
    if suggestion.argument == "name":
        return [name for name in prose.NAMES if name.startswith(begun.lower())]
    return []


def _complete_workspace(work: Work, begun: str, *, paths: bool) -> list[str]:
    listed = [workspace for workspace, _ in workspaces.list_all(work)]
    words = [CURRENT, *(str(workspace.id) for workspace in listed)] if listed else []
    if paths:
        words += [workspace.path for workspace in listed]
    return [word for word in words if word.startswith(begun)]


def _complete_task(work: Work, begun: str, others: Mapping[str, str]) -> list[str]:
    named = others.get("workspace_id") or others.get("workspace") or ""
    try:
        workspace = reports.find_workspace(work, named)
    except TaskPilotError:
        return []
    if workspace is None:
        return []
    page = tasks.list_page(work, Selection(workspace=workspace.id), sort=Sort.PRIORITY, limit=LOOK_AT)
    numbers = [task.id for task in page.items]
    return [
        write_id(number) for number in numbers if write_id(number).startswith(begun) or str(number).startswith(begun)
    ]
