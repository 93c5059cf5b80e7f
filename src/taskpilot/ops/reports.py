"""How tasks and their runs went, summed up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from taskpilot.domain.operation import reads
from taskpilot.domain.run import Agent, Entry, State, stand_at_rest
from taskpilot.domain.workspace import Workspace
from taskpilot.ops import runs, workspaces
from taskpilot.store.runs import Usage
from taskpilot.store.work import Work


@dataclass(frozen=True, slots=True)
class Report:
    standing: runs.Standing
    workspace: Workspace | None
    counts: Mapping[str, int]
    last: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """Tasks by how they stand."""

    by_state: Counter[State] = field(default_factory=Counter[State])

    @property
    def total(self) -> int:
        return self.by_state.total()

    @property
    def active(self) -> int:
        return sum(number for state, number in self.by_state.items() if state.active)

    @property
    def success_rate(self) -> float:
        """Percent of those that are over, two decimals."""
        over = sum(number for state, number in self.by_state.items() if state.over)
        return round(100 * self.by_state[State.COMPLETED] / over, 2) if over else 0.0


@dataclass(frozen=True, slots=True)
class Summary:
    all: Tally
    by_agent: Mapping[Agent, Tally]
    usage: Usage


@dataclass(frozen=True, slots=True)
class Survey:
    workspace: Workspace
    summary: Summary
    branches: list[str]
    tasks: runs.Listing


@reads
def tell(work: Work, task_id: int, *, lines: int = 20) -> Report:
    """One task's account: how it stands, what it took, and the last of its log."""
    found = runs.get(work, task_id)
    workspace = work.workspaces.get(found.task.workspace) if found.task.workspace is not None else None
    log = work.runs.log
    return Report(found, workspace, log.counts(task_id), tuple(log.of_task(task_id, lines)))


@reads
def summarize(work: Work, *, workspace: int | None = None) -> Summary:
    """All tasks, or one workspace's, by how they stand and by agent."""
    everything, agents = Tally(), dict[Agent, Tally]()
    for row in work.runs.counts(workspace):
        state = row.state if row.state and row.held and not row.state.over else stand_at_rest(row.status, row.state)
        everything.by_state[state] += row.number
        if row.agent is not None and row.agent.startable:
            agents.setdefault(row.agent, Tally()).by_state[state] += row.number
    return Summary(everything, dict(sorted(agents.items())), work.runs.usage())


@reads
def survey(work: Work, path: str, *, limit: int) -> Survey:
    """How the tasks of one folder stand; NotFound where nobody has worked."""
    found = workspaces.find(work, path)
    branches = work.runs.branches(limit, workspace=found.id)
    return Survey(
        found, summarize(work, workspace=found.id), branches, runs.list_tasks(work, limit=limit, workspace=found.id)
    )
