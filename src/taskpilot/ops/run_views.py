"""Runs as those who wait for them want to see them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from taskpilot.domain.evidence import Proof
from taskpilot.domain.operation import reads
from taskpilot.domain.question import Question
from taskpilot.domain.run import Agent, Entry, Run, State
from taskpilot.domain.task import Task
from taskpilot.ops import dispatch, proof
from taskpilot.ops.runs import Standing
from taskpilot.store.runs import Diff
from taskpilot.store.work import Work

LAST_LINES = 20
NO_DIFF = Diff("", "", 0, 0)


@dataclass(frozen=True, slots=True)
class View:
    """A run with all that is open about it."""

    run: Run
    task: Task
    question: Question | None
    """What it waits to be told."""
    obstacle: str
    """Why it cannot begin yet; empty if it can, or has."""
    proof: Proof

    def seconds(self, now: datetime) -> float:
        """How long it has been at work, or was."""
        last = self.run.updated_at if self.run.at_rest else now
        return Standing(self.task, self.run).seconds(self.run.ended_at or last)


@dataclass(frozen=True, slots=True)
class Account:
    """What became of a run."""

    view: View
    diff: Diff
    counts: Mapping[str, int]
    """Entries of its log, by kind."""
    last: tuple[Entry, ...]
    now: datetime

    @property
    def seconds(self) -> float:
        return self.view.seconds(self.now)


@dataclass(frozen=True, slots=True)
class News:
    """What a run's log has to tell past a number."""

    run: Run
    question: Question | None
    entries: tuple[Entry, ...]
    more: bool
    """There are entries right after these."""

    @property
    def complete(self) -> bool:
        """Whether that was all, unless somebody sends the run off again."""
        return self.run.at_rest and not self.more


@reads
def get(work: Work, run_id: int, *, user_most: int = 0) -> View:
    """One run, with what it asks, what keeps it waiting, and how its task's acceptance stands.

    `user_most`: how many of one user's runs the settings let be carried out at a time.
    """
    run = work.runs.get(run_id)
    task = work.tasks.get(run.task, deleted=True)
    waits = _tell_obstacle(work, run, task, user_most)
    return View(run, task, _find_question(work, run), waits, proof.gather(work, task))


@reads
def list_page(
    work: Work,
    *,
    limit: int,
    offset: int = 0,
    states: Sequence[State] = (),
    agent: Agent | None = None,
    task: int | None = None,
    workspace: int | None = None,
) -> tuple[list[tuple[Run, Question | None]], int]:
    """Runs that fit, latest first, each with what it asks; and how many there are."""
    found, total = work.runs.page(limit, offset, states=states, agent=agent, task=task, workspace=workspace)
    asked = work.questions.unanswered_of([run.id for run in found])
    return [(run, asked.get(run.id)) for run in found], total


@reads
def follow(work: Work, run_id: int, *, after: int = 0, limit: int = 200) -> News:
    """The log past a number, and how the run stands at that very moment."""
    run = work.runs.get(run_id)
    entries = work.runs.log.of_run(run_id, limit + 1, after=after)
    return News(run, _find_question(work, run), tuple(entries[:limit]), len(entries) > limit)


@reads
def read_diff(work: Work, run_id: int) -> tuple[Run, Diff]:
    """What a run has changed, as it was last kept."""
    return work.runs.get(run_id), work.runs.diff(run_id) or NO_DIFF


@reads
def report(work: Work, run_id: int, *, lines: int = LAST_LINES) -> Account:
    """What a run took, changed and said last."""
    view, log = get(work, run_id), work.runs.log
    _, diff = read_diff(work, run_id)
    return Account(view, diff, log.counts_of_run(run_id), tuple(log.last_of_run(run_id, lines)), work.now)


def _find_question(work: Work, run: Run) -> Question | None:
    return work.questions.unanswered_of([run.id]).get(run.id)


def _tell_obstacle(work: Work, run: Run, task: Task, user_most: int) -> str:
    waits = run.state is State.PENDING and run.queued_at is not None and run.admitted_at is None
    if not waits or task.deleted_at is not None:
        return ""
    return dispatch.tell_obstacle(work, run.id, user_most=user_most)
