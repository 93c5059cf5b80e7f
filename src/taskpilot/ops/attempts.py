"""One worker's go at a run: how it gets hold of it, what it tells the agent, and how it stops half-way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from taskpilot.domain.errors import Conflict, NotFound
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.question import CAP, Asking, Option, Question
from taskpilot.domain.run import Hold, Run, State
from taskpilot.domain.scopes import Scope
from taskpilot.ops import claims, dispatch, questions, runs
from taskpilot.ops.runs import Standing
from taskpilot.store.work import Work

EARLIER_MOST = 10


@dataclass(frozen=True, slots=True)
class Briefing:
    """What to tell an agent at the start of a conversation."""

    last: str
    """What it is to do now."""
    whole: str
    """All it was told so far, `last` included."""
    again: bool
    """Whether it was told that before, and interrupted."""


@reads(quick=True, scope=Scope.RUN)
def find(work: Work, run_id: int) -> Run:
    return work.runs.get(run_id)


@reads(quick=True, scope=Scope.RUN)
def is_current(work: Work, hold: Hold) -> bool:
    """Whether nobody else has taken the run since, and nobody has ended it."""
    run = work.runs.get(hold.run)
    return run.attempt == hold.attempt and run.state is State.IN_PROGRESS


@reads(scope=Scope.RUN)
def list_earlier(work: Work, run_id: int) -> list[Run]:
    """Runs of the same task on the same branch that had a worktree before, latest first."""
    return work.runs.earlier(work.runs.get(run_id), EARLIER_MOST)


@reads(scope=Scope.RUN)
def list_at_rest(work: Work, run_ids: Sequence[int]) -> dict[int, datetime]:
    """Those of everybody's runs that nobody carries out any more, each with since when."""
    return work.run_queue.at_rest(run_ids)


@reads(scope=Scope.RUN)
def is_work_waiting(work: Work, *, user_most: int = 0) -> bool:
    """Whether a worker would find something to do; what waits on something else does not count."""
    agenda = dispatch.list_agenda(work)
    if agenda.silent or agenda.interrupted or agenda.admitted:
        return True
    return any(_is_ready(work.for_user(ticket.owner), ticket.run, user_most) for ticket in agenda.waiting)


def _is_ready(work: Work, run_id: int, user_most: int) -> bool:
    try:
        return not dispatch.tell_obstacle(work, run_id, user_most=user_most)
    except NotFound:  # its task was deleted, so that it is to end
        return True


@writes(scope=Scope.RUN)
def reserve(work: Work, run_id: int, *, lease: float) -> bool:
    """Keep others from taking a run for as long as it takes to begin; False if somebody was quicker."""
    return work.run_queue.reserve(run_id, work.now, work.now + timedelta(seconds=lease))


@writes(scope=Scope.RUN)
def forsake(work: Work, worker: str) -> int:
    """A worker has begun anew: what it held before is in nobody's hands, and can be taken at once. How many."""
    return work.run_queue.expire(worker, work.now)


@writes(scope=Scope.RUN)
def refuse(work: Work, run_id: int, why: str) -> Standing:
    """End a run that no worker could even take."""
    run = work.runs.get(run_id)
    task = work.tasks.get(run.task, deleted=True)
    return runs.conclude(work, Standing(task, run), State.FAILED, error=why)


@reads(scope=Scope.RUN)
def has_more(work: Work, hold: Hold) -> bool:
    """Whether there is something that the agent has not been told."""
    run = dispatch.check(work, hold)
    return run.turns == 0 or bool(work.runs.log.instructions_after(run.id, run.told))


@writes(scope=Scope.RUN)
def brief(work: Work, hold: Hold) -> Briefing:
    """The orders of a run, from the first to the last; from now on the agent has been told."""
    more = dispatch.next_instructions(work, hold)
    run = work.runs.get(hold.run)
    later = [entry for entry in work.runs.log.instructions_after(run.id, 0) if entry.number <= run.told]
    told = [run.instructions, *(entry.text for entry in later)]
    return Briefing(told[-1] if more is None else more, "\n\n".join(told), again=more is None)


@writes(scope=Scope.RUN)
def ask(
    work: Work, hold: Hold, words: str, options: Sequence[Option], data: Mapping[str, Any] | None = None
) -> Question:
    """Ask for a permission, as long as the run is this worker's."""
    run = dispatch.check(work, hold)
    return questions.ask(work, run, Asking.PERMISSION, words, options, data or {})


@reads(scope=Scope.DESK)
def check_push(work: Work) -> Run:
    """The caller's run, if its agent may still push; Conflict if it was replaced, or is over."""
    live = {f"token:{token.id}" for token in work.tokens.of_run(work.caller.run or 0)}
    if work.caller.run is None or work.caller.credential not in live:
        raise Conflict("This attempt was replaced.", hint=dispatch.REPLACED)
    run = work.runs.get(work.caller.run)
    if run.state is not State.IN_PROGRESS:
        raise Conflict(f"Run {run.id} is {run.state}.", hint="Start it again, or push by hand.")
    claims.check(work, run.task, run.claim or 0)
    return run


@writes(scope=Scope.RUN)
def pause(work: Work, hold: Hold, cap: str, *, limit: int, used: int, words: str, result: Any = None) -> Standing:
    """Let a run rest at a cap, and ask whether it is to go on. One that was to stop anyway stops."""
    run = work.runs.get(hold.run)
    if run.attempt != hold.attempt or run.state is not State.IN_PROGRESS:
        raise Conflict(f"Attempt {hold.attempt} of run {hold.run} was replaced.", hint=dispatch.REPLACED)
    if run.stop_asked_at is not None:
        return dispatch.finish(work, hold, ok=False, result=result)
    data = {"cap": cap, "limit": limit, "used": used, "more": limit}
    questions.ask(work, run, Asking.CAP, f"{words} Shall it go on, with as much again?", CAP, data)
    return dispatch.finish(work, hold, ok=True, result=result, resting=True)
