"""What could stand in a template's place."""

from __future__ import annotations

from collections.abc import Sequence

from taskpilot.contracts.coder import addresses
from taskpilot.domain.operation import reads
from taskpilot.domain.run import Agent
from taskpilot.ops import run_log, runs, workspaces
from taskpilot.store.work import Work
from taskpilot.toolkit import Suggestion

MOST = 100
LOOK_AT = 1_000
AGENTS = [agent.value for agent in Agent if agent.startable]


@reads
def complete(work: Work, wanted: Suggestion) -> Sequence[str]:
    if "\0" in wanted.begun:  # begins nothing there is, and PostgreSQL will not even look
        return ()
    return [value for value in _candidates(work, wanted) if value.startswith(wanted.begun)][:MOST]


def _candidates(work: Work, wanted: Suggestion) -> Sequence[str]:
    match wanted.argument:
        case "taskId":
            return [str(found.task.id) for found in runs.list_tasks(work, limit=LOOK_AT).standings]
        case "sessionType":
            return AGENTS
        case "sessionId":
            chosen = wanted.others.get("sessionType", "").lower()
            agent = Agent(chosen) if chosen in AGENTS else None
            found = runs.list_sessions(work, limit=MOST, agent=agent, begun=wanted.begun)
            return [each.run.session for each in found if each.run]
        case "branchName":
            return runs.list_branches(work, limit=MOST, begun=wanted.begun)
        case "projectPath":
            return [found.path for found, _ in workspaces.list_all(work)]
        case "logType":
            return addresses.LOGS
        case "date":
            return run_log.list_days(work, audit=wanted.others.get("logType") == "audit")
        case _:
            return ()
