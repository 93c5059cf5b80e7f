"""What people and assistants tell runs: begin, do this as well, stop, let another go on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from taskpilot.domain import payload, run, text
from taskpilot.domain.errors import Conflict, Invalid
from taskpilot.domain.operation import writes
from taskpilot.domain.run import Agent, Kind, NotLive, Said, State
from taskpilot.domain.scopes import Scope
from taskpilot.domain.task import PROSE_MOST, Task
from taskpilot.ops import capsules, questions, run_log, runs
from taskpilot.ops.runs import Standing
from taskpilot.store.work import Work

STOPPED = "stopped"


@writes(scope=Scope.RUN)
def start(
    work: Work,
    task_id: int,
    *,
    agent: Agent,
    instructions: str = "",
    branch: str | None = None,
    base: str = "",
    config: Mapping[str, Any] | None = None,
) -> Standing:
    """Send an agent off to do a task. Without instructions, the task says it all."""
    task = work.tasks.get(task_id)
    if not agent.startable:
        raise Invalid(f"{agent.value} is nobody who could be sent off.", hint="Choose an agent, or command.")
    if not task.status.open:
        raise Conflict(f"Task {task_id} is {task.status.value}.", hint="Reopen it first.")
    if task.workspace is None:
        raise runs.no_repository()
    _forbid_second(work, task_id)
    settings = runs.check_config(agent, config or {})
    orders = text.prose(instructions, "Instructions", PROSE_MOST) or describe(task)
    made = runs.make(
        work,
        task,
        agent,
        branch=run.parse_branch(branch) if branch else run.name_branch(task.id, task.title),
        base=run.parse_branch(base) if base else "",
        instructions=orders,
        config=settings,
        queued_at=work.now,
    )
    return Standing(task, made)


@writes(scope=Scope.RUN)
def follow_up(work: Work, run_id: int, instructions: str) -> Standing:
    """Tell an agent more: at once if it is at work, else it is sent off again in the session it had."""
    before = work.runs.get(run_id)
    task = work.tasks.get(before.task)
    orders = text.prose(instructions, "Instructions", PROSE_MOST)
    if not orders:
        raise Invalid("Instructions cannot be empty.", hint="Say what it is to do.")
    if not before.agent.startable or before.queued_at is None:
        raise NotLive(f"Run {run_id} has no agent that could be told.", hint="Start one on its task.")
    if before.stop_asked_at is not None and before.wanted:
        raise Conflict(f"Run {run_id} is about to stop.", hint="Wait until it has, and repeat.")
    run_log.say(work, task, before, Said(Kind.INSTRUCTIONS, orders))
    if before.wanted:
        return Standing(task, before)
    _forbid_second(work, task.id)
    return Standing(task, runs.send_off(work, before))


@writes(scope=Scope.RUN)
def stop(work: Work, run_id: int, *, ends_as: State = State.CANCELLED, result: Any = None) -> Standing:
    """Stop an agent and everything it started. What it left is committed first. Safe to repeat."""
    before = work.runs.get(run_id)
    task = work.tasks.get(before.task, deleted=True)
    if before.state.over:
        return Standing(task, before)
    outcome = payload.mask(payload.parse(result, "result"))
    asked = replace(
        before,
        stop_asked_at=before.stop_asked_at or work.now,
        ends_as=ends_as.value,
        result=before.result if outcome is None else outcome,
        updated_at=work.now,
        version=before.version + 1,
    )
    work.runs.save(before, asked)
    work.record("run.stopping", before, asked)
    questions.lapse(work, run_id, STOPPED)
    if before.state is State.IN_PROGRESS and before.worker:
        return Standing(task, asked)  # its worker hears of it
    return runs.conclude(work, Standing(task, asked), ends_as)


@writes(scope=Scope.RUN)
def update(
    work: Work, task_id: int, *, state: State | None = None, log: str | None = None, instructions: str | None = None
) -> Standing:
    """Say how a task goes, add to its log, or tell its agent more; all or none of it. A repeated state is safe."""
    if state is None and log is None and instructions is None:
        raise Invalid("Nothing to update was given.", hint="Give status, log or instructions.")
    now = runs.get(work, task_id)
    if instructions is not None:
        if now.state.over:
            raise runs.ended(now)
        if now.run is None or now.run.queued_at is None:
            raise NotLive(
                f"Task {task_id} has no agent at work that could be told.",
                hint="Leave instructions out, or create a task that starts an agent.",
            )
        now = follow_up(work, now.run.id, instructions)
    carried = now.run is not None and now.run.wanted
    if log is not None or not carried:
        now = runs.update(work, task_id, state=None if carried else state, log=log)
    if state is None or state is now.state or not carried:
        return now
    if not state.over:
        raise Conflict(f"Task {task_id} is {now.state}: its worker says when it begins.", hint="Leave status out.")
    return end(work, task_id, state)


@writes(scope=Scope.RUN)
def end(work: Work, task_id: int, state: State, *, result: Any = None) -> Standing:
    """Close a task's run with its outcome, once. An agent at work is asked to stop; its worker then ends it."""
    now = runs.get(work, task_id)
    if now.run is None or not now.run.wanted or now.state.over:
        return runs.end(work, task_id, state, result=result)
    return stop(work, now.run.id, ends_as=state, result=result)


@writes(scope=Scope.RUN)
def hand_over(work: Work, run_id: int, agent: Agent, *, instructions: str = "") -> Standing:
    """Let another agent go on with a task, on the same branch, with a short account of how far this one came."""
    before = work.runs.get(run_id)
    if before.wanted:
        raise Conflict(f"Run {run_id} is still at work.", hint="Stop it first, then hand its task over.")
    capsule = capsules.write(work, run_id)
    config = {name: value for name, value in before.config.items() if name in ("caps", "copies")}
    orders = "\n\n".join(part for part in (instructions.strip(), capsule) if part)
    return start(
        work, before.task, agent=agent, instructions=orders, branch=before.branch, base=before.base, config=config
    )


def describe(task: Task) -> str:
    """The task as orders."""
    return "\n\n".join(part for part in (task.title, task.description, task.notes) if part)


def _forbid_second(work: Work, task_id: int) -> None:
    latest = work.runs.latest(task_id)
    if latest is not None and latest.wanted:
        raise Conflict(
            f"Run {latest.id} of {latest.agent} is {latest.state} on task {task_id} already.",
            hint="Follow it up, stop it, or wait for it.",
        )
