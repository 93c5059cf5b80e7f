"""What several parts of this contract look up alike."""

from __future__ import annotations

from taskpilot.contracts.taskpilot import answers
from taskpilot.contracts.taskpilot.addresses import CURRENT
from taskpilot.domain.task import ID_MOST
from taskpilot.domain.workspace import Workspace, missing
from taskpilot.ops import queue, workspaces
from taskpilot.ops.workspaces import Outline
from taskpilot.store.work import Work

MOST_LISTED = 100


def find_workspace(work: Work, named: str) -> Workspace | None:
    """A workspace by its number, its folder, or as `current`; None if there is no current one."""
    if named in ("", CURRENT):
        return workspaces.find_current(work)
    if named.isascii() and named.isdigit() and int(named[:20]) <= ID_MOST:
        return work.workspaces.get(int(named[:20]))
    if named.startswith("/"):
        return workspaces.find(work, named)
    raise missing(named)


def report_standing(work: Work, found: Outline) -> answers.Standing:
    """How a workspace stands, without its single tasks."""
    following = queue.next_task(work, workspace=found.workspace.id)
    standing: answers.Standing = {
        "operation": "status",
        "workspace": answers.workspace_row(found.workspace),
        "total": found.total,
        "open": found.left,
        "completed": found.completed,
        "completion_rate": found.completion_rate,
        "by_status": answers.count_statuses(found.by_status),
        "by_priority": answers.count_priorities(found.by_priority),
        "next_step": answers.next_row(following.task, following.reason),
    }
    if found.session is not None:
        standing["session"] = answers.session_row(found.session)
    return standing
