"""The worker's side of runs: which to carry out, and what became of them. Whoever was replaced writes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from taskpilot.domain import policy, text
from taskpilot.domain.claim import Claim
from taskpilot.domain.errors import Conflict
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.policy import Caps, Policy
from taskpilot.domain.run import Agent, Hold, Kind, Run, Said, State
from taskpilot.domain.scopes import Scope
from taskpilot.domain.task import Status, Task
from taskpilot.domain.workspace import Workspace
from taskpilot.ops import claims, questions, queue, run_log, runs, tasks, tokens
from taskpilot.ops.runs import Standing
from taskpilot.store.run_queue import Ticket
from taskpilot.store.runs import Diff
from taskpilot.store.work import Work

AT_ONCE = 200
FILES_MOST = 2_000
COMMANDS_MOST = 200
CLAIM_SECONDS = 60
"""How long a claim outlives its worker's last sign of life, if nobody takes the run over."""
TOLD_MOST = 200
"""Of an error, at the end of a log."""
TRIES_MOST = 20
"""A run that is interrupted more often than this is what brings its workers down."""
REPLACED = "The run goes on elsewhere."


@dataclass(frozen=True, slots=True)
class Order:
    """All a worker needs to carry a run out."""

    hold: Hold
    run: Run
    task: Task
    workspace: Workspace
    policy: Policy
    caps: Caps
    before: Claim | None = None
    """Who had the task last, and what they left behind."""


@dataclass(frozen=True, slots=True)
class Agenda:
    """Everybody's runs that want something done, oldest first."""

    waiting: list[Ticket]
    admitted: list[Ticket]
    silent: list[Ticket]
    interrupted: list[Ticket]

    def __bool__(self) -> bool:
        return bool(self.waiting or self.admitted or self.silent or self.interrupted)


@reads(scope=Scope.RUN)
def list_agenda(work: Work) -> Agenda:
    """What there is to do for a worker."""
    found = work.run_queue
    return Agenda(
        found.waiting(AT_ONCE), found.admitted(AT_ONCE), found.silent(work.now, AT_ONCE), found.interrupted(AT_ONCE)
    )


@reads(scope=Scope.RUN)
def tell_obstacle(work: Work, run_id: int, *, user_most: int = 0) -> str:
    """Why a run in the queue cannot be taken yet, in words; empty if it can."""
    run = work.runs.get(run_id)
    task = work.tasks.get(run.task)
    waiting_on = work.tasks.open_blockers(task.id)
    if waiting_on:
        return f"Task {task.id} waits on task {waiting_on[0]}"
    held = work.claims.current(task.id)
    if held is not None and held.id != run.claim and held.holds(work.now):
        return f"{held.actor} holds task {task.id}"
    most = work.policies.get(run.workspace).most_runs
    if most and run.workspace is not None and work.run_queue.count_admitted(work.caller.user, run.workspace) >= most:
        return f"Workspace {run.workspace} has {most} of at most {most} runs"
    if user_most and work.run_queue.count_admitted(work.caller.user) >= user_most:
        return f"You have {user_most} of at most {user_most} runs"
    if task.status is not Status.IN_PROGRESS:
        return queue.tell_full(work, work.wip_limits.all(), task.project_id, task.workspace) or ""
    return ""


@writes(scope=Scope.RUN)
def admit(work: Work, run_id: int, *, user_most: int = 0) -> bool:
    """Let a waiting run be taken, if its task is ready and there is room. Safe to repeat."""
    run = work.runs.get(run_id)
    if run.state is not State.PENDING or run.queued_at is None or run.admitted_at is not None:
        return False
    task = work.tasks.get(run.task, deleted=True)
    if task.deleted_at is not None or not task.status.open:
        runs.conclude(work, Standing(task, run), State.CANCELLED, error="Its task is closed.")
        return False
    if tell_obstacle(work, run_id, user_most=user_most):
        return False
    _save(work, run, replace(run, admitted_at=work.now))
    return True


@writes(scope=Scope.RUN)
def interrupt(work: Work, run_id: int) -> Run:
    """Note that nobody carries a run out any more: its worker has gone silent. Safe to repeat."""
    run = work.runs.get(run_id)
    if run.state is not State.IN_PROGRESS or run.lease_until is None or run.lease_until > work.now:
        return run
    return _let_go(work, run, f"Worker {run.worker} gave no sign of life")


@writes(scope=Scope.RUN)
def give_back(work: Work, hold: Hold) -> None:
    """Let go of a run so that another worker can go on with it: this one has to stop."""
    run = work.runs.get(hold.run)
    if run.attempt == hold.attempt and run.state is State.IN_PROGRESS:
        _let_go(work, run, f"Worker {run.worker} stops")


@writes(scope=Scope.RUN)
def take(work: Work, run_id: int, worker: str, *, lease: float) -> Order | None:
    """Hand a run to a worker alone, with a claim on its task; None if there is nothing left to do.

    Whoever had it before is out: its attempt and its claim count no more.
    """
    run = work.runs.get(run_id)
    task = work.tasks.get(run.task, deleted=True)
    if run.state.over or run.state is State.WAITING:
        return None
    if task.deleted_at is not None or not task.status.open or run.stop_asked_at is not None:
        runs.conclude(work, Standing(task, run), State(run.ends_as or State.CANCELLED))
        return None
    if run.state is State.IN_PROGRESS and run.lease_until is not None and run.lease_until > work.now:
        raise Conflict(f"Worker {run.worker} carries out run {run_id}.", hint="Leave it to that one.")
    if run.workspace is None:
        raise runs.no_repository()
    if run.attempt - run.turn >= TRIES_MOST:
        told = f"{run.attempt} workers have tried it, and none came to its end."
        runs.conclude(work, Standing(task, run), State.FAILED, error=told)
        return None
    tokens.close_desk(work, run.id)
    taken = claims.seize(work, task.id, lease=CLAIM_SECONDS, mine=run.claim)
    if taken.claim is None or taken.task is None:
        raise Conflict(f"Task {task.id} cannot be claimed.", hint="Look at it again.")
    after = _save(
        work,
        run,
        replace(
            run.move(State.IN_PROGRESS, work.now),
            attempt=run.attempt + 1,
            worker=worker,
            lease_until=work.now + timedelta(seconds=lease),
            claim=taken.claim.id,
            started_at=run.started_at or work.now,
        ),
    )
    run_log.say_state(work, taken.task, after, run.state, after.state)
    questions.lapse(work, run.id, "the run goes on")
    workspace, rules = work.workspaces.get(run.workspace), work.policies.get(run.workspace)
    caps = policy.change_caps(rules.caps, after.config.get("caps", {}))
    hold = Hold(run=run.id, owner=run.owner, attempt=after.attempt, claim=taken.claim.id)
    return Order(hold, after, taken.task, workspace, rules, caps, taken.before)


@writes(scope=Scope.RUN)
def renew(work: Work, worker: str, *, lease: float) -> list[int]:
    """A worker's sign of life; the runs it still holds. Whatever else it thinks it has is another's."""
    return work.run_queue.renew(
        worker, work.now, work.now + timedelta(seconds=lease), work.now + timedelta(seconds=CLAIM_SECONDS)
    )


@reads(scope=Scope.RUN)
def check(work: Work, hold: Hold) -> Run:
    """The run, if it is still this worker's; Conflict if not."""
    run = work.runs.get(hold.run)
    if run.attempt != hold.attempt or run.claim != hold.claim:
        raise Conflict(f"Attempt {hold.attempt} of run {hold.run} was replaced.", hint=REPLACED)
    claims.check(work, run.task, hold.claim)
    return run


@writes(scope=Scope.RUN)
def note(work: Work, hold: Hold, said: Sequence[Said], *, session: str = "") -> Run:
    """Write down what an agent said and did, and what that used."""
    run = check(work, hold)
    task = work.tasks.get(run.task)
    used = Counter[str]()
    files, commands = list(run.files_changed), list(run.commands)
    for each in said:
        data = each.data or {}
        if each.kind is Kind.USAGE:
            used.update({name: int(data.get(name, 0)) for name in ("tokens_in", "tokens_out", "cost_micros")})
        elif each.kind is Kind.FILE_CHANGE and data.get("path") not in files and len(files) < FILES_MOST:
            files.append(str(data["path"]))
        elif each.kind is Kind.TOOL_CALL and data.get("kind") == "execute" and len(commands) < COMMANDS_MOST:
            commands.append(each.text)
    if said:
        run_log.say(work, task, run, *said)
    return _save(
        work,
        run,
        replace(
            run,
            agent_session=session or run.agent_session,
            files_changed=tuple(files),
            commands=tuple(commands),
            tokens_in=run.tokens_in + used["tokens_in"],
            tokens_out=run.tokens_out + used["tokens_out"],
            cost_micros=run.cost_micros + used["cost_micros"],
        ),
    )


@writes(scope=Scope.RUN)
def place(work: Work, hold: Hold, *, way: str, worktree: str, branch: str, base: str, base_head: str) -> Run:
    """Note how and where a run is carried out."""
    run = check(work, hold)
    return _save(work, run, replace(run, way=way, worktree=worktree, branch=branch, base=base, base_head=base_head))


@writes(scope=Scope.RUN)
def next_instructions(work: Work, hold: Hold) -> str | None:
    """What the agent is to do next: the run's own instructions, then each follow-up; None: that was all."""
    run = check(work, hold)
    if run.turns == 0:
        _save(work, run, replace(run, turns=1))
        return run.instructions
    more = work.runs.log.instructions_after(run.id, run.told)
    if not more:
        return None
    _save(work, run, replace(run, told=more[-1].number, turns=run.turns + 1))
    return "\n\n".join(entry.text for entry in more)


@writes(scope=Scope.RUN)
def keep(work: Work, hold: Hold, diff: Diff, files: Sequence[str]) -> Run:
    """Store what a run has changed."""
    run = check(work, hold)
    work.runs.keep_diff(run.id, diff, work.now)
    return _save(work, run, replace(run, head=diff.head, files_changed=tuple(files[:FILES_MOST])))


@writes(scope=Scope.RUN)
def finish(
    work: Work,
    hold: Hold,
    *,
    ok: bool,
    error: str = "",
    exit_code: int | None = None,
    result: Any = None,
    accepted: bool | None = None,
    resting: bool = False,
) -> Standing:
    """End a worker's go at a run. `accepted`: what the task's acceptance commands said; `resting`: it asked something.

    A run whose agent can be told more waits for that; its task is to be looked at by somebody.
    """
    run = work.runs.get(hold.run)
    task = work.tasks.get(run.task, deleted=True)
    if run.attempt != hold.attempt or run.state is not State.IN_PROGRESS:
        raise Conflict(f"Attempt {hold.attempt} of run {hold.run} was replaced.", hint=REPLACED)
    state = _outcome(run, ok=ok, resting=resting)
    if not resting:
        questions.lapse(work, run.id, "the run is over")
    moved = replace(
        run.move(state, work.now, result=_result(run, result)),
        worker="",
        lease_until=None,
        error=error,
        exit_code=exit_code,
    )
    after = _save(work, run, moved)
    told = text.shorten(text.clean_line(error), TOLD_MOST) if error else str(state)
    run_log.say(work, task, after, Said(Kind.END, told, {"reason": str(state)}))
    tokens.close_desk(work, run.id)
    claims.leave(work, task.id, hold.claim, failed=error)
    settled = _settle_task(work, task, state, accepted=accepted, resting=resting)
    return Standing(settled, _go_on(work, after, settled) if ok and not resting else after)


def _go_on(work: Work, run: Run, task: Task) -> Run:
    """Once more from the queue, if it was told something in the very moment it ended."""
    untold = run.stop_asked_at is None and task.status.open and work.runs.log.instructions_after(run.id, run.told)
    return runs.send_off(work, run) if untold else run


def _outcome(run: Run, *, ok: bool, resting: bool) -> State:
    if run.stop_asked_at is not None:
        return State(run.ends_as or State.CANCELLED)
    if resting:
        return State.WAITING
    if not ok:
        return State.FAILED
    return State.COMPLETED if run.agent is Agent.COMMAND else State.WAITING


def _result(run: Run, result: Any) -> Any:
    """What whoever stopped it said came of it stands; else what its worker says."""
    told = run.stop_asked_at is not None and run.result is not None
    return run.result if told or result is None else result


def _settle_task(work: Work, task: Task, state: State, *, accepted: bool | None, resting: bool) -> Task:
    """Where a run leaves its task: done where that is proved, else somebody has to look."""
    if task.deleted_at is not None or not task.status.open or resting:
        return work.tasks.get(task.id, deleted=True)
    done = state is State.COMPLETED or (state is State.WAITING and accepted is True)
    if done and accepted is not False:
        return tasks.complete(work, task.id).task
    status = Status.REVIEW if state in (State.WAITING, State.COMPLETED) else runs.status_before(work, task)
    return tasks.update(work, task.id, {"status": status}).task if status is not task.status else task


def _let_go(work: Work, run: Run, why: str) -> Run:
    task = work.tasks.get(run.task, deleted=True)
    after = _save(work, run, replace(run.move(State.INTERRUPTED, work.now), worker="", lease_until=None))
    run_log.say(work, task, after, Said(Kind.STATUS, f"{run.state} → {after.state}: {why}"))
    return after


def _save(work: Work, before: Run, after: Run) -> Run:
    if after == before:
        return before
    if after.version == before.version:
        after = replace(after, version=before.version + 1, updated_at=work.now)
    work.runs.save(before, after)
    moved = after.state is not before.state
    work.record("run.ended" if moved and after.state.over else "run.updated" if moved else "run.noted", before, after)
    return after
