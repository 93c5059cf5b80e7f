"""What the agent of a run may do by itself: read its task, say how it goes, add subtasks, report. Nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from taskpilot.domain import text
from taskpilot.domain.claim import parse_handoff
from taskpilot.domain.errors import Conflict, Forbidden, Invalid
from taskpilot.domain.fields import TaskFields
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.run import LOG_MOST, Kind, Run, Said, State
from taskpilot.domain.scopes import Scope
from taskpilot.domain.task import Task, missing
from taskpilot.ops import evidence, focus, run_log, tasks
from taskpilot.ops.evidence import Proof
from taskpilot.ops.focus import Focus
from taskpilot.store.work import Work

SUBTASKS_MOST = 100
PROGRESS_MOST = 99
"""Done is what others say."""


@dataclass(frozen=True, slots=True)
class Brief:
    run: Run
    focus: Focus
    proof: Proof
    handed_over: tuple[str, ...]
    """What whoever had the task before left behind."""


@reads(scope=Scope.DESK)
def read(work: Work) -> Brief:
    """The agent's task, with all that is needed to work on it."""
    run, task = _mine(work)
    last = work.claims.last_ended(task.id)
    return Brief(run, focus.gather(work, task.id), evidence.get(work, task.id), last.handoff.lines if last else ())


@writes(scope=Scope.DESK)
def log(work: Work, words: str, *, progress: int | None = None) -> Task:
    """Say how it goes; with how far it is, in percent."""
    run, task = _mine(work)
    line = text.prose(words, "A log entry", LOG_MOST)
    if not line:
        raise Invalid("A log entry cannot be empty.", hint="Say what you did.")
    if progress is not None and not 0 <= progress <= PROGRESS_MOST:
        raise Invalid(f"Progress cannot be {progress}.", hint=f"Choose 0 to {PROGRESS_MOST}; report when it is done.")
    run_log.say(work, task, run, Said(Kind.LOG, line))
    return task if progress is None else tasks.update(work, task.id, {"progress": progress}).task


@writes(scope=Scope.DESK)
def add_subtasks(work: Work, titles: Sequence[str]) -> tuple[Task, ...]:
    """Split the agent's task: all or none."""
    _, task = _mine(work)
    if len(titles) + len(work.tasks.children_of([task.id])) > SUBTASKS_MOST:
        raise Conflict(f"A task takes at most {SUBTASKS_MOST} subtasks this way.", hint="Complete some, or add fewer.")
    drafts: list[TaskFields] = [
        {"title": title, "parent": task.id, "workspace": task.workspace, "project_id": task.project_id}
        for title in titles
    ]
    return tasks.create(work, drafts).tasks


@writes(scope=Scope.DESK)
def complete_subtask(work: Work, task_id: int) -> Task:
    """Mark a subtask of the agent's own task done. Safe to repeat."""
    _, task = _mine(work)
    if task_id not in work.tasks.children_of([task.id]):
        raise missing(task_id)
    return tasks.complete(work, task_id).task


@writes(scope=Scope.DESK)
def report(work: Work, handoff: Mapping[str, str]) -> Run:
    """What was done, tried, failed and comes next: kept with the claim, for people and for whoever comes next."""
    run, task = _mine(work)
    said = parse_handoff(handoff)
    if not said:
        raise Invalid("A report cannot be empty.", hint="Say at least what was done.")
    held = work.claims.current(task.id)
    if held is None or held.id != run.claim:
        raise _over(run)
    work.claims.save(replace(held, handoff=said))
    run_log.say(work, task, run, Said(Kind.LOG, "\n".join(said.lines), {"report": True}))
    return run


def _mine(work: Work) -> tuple[Run, Task]:
    """The caller's run and its task, while it is at work."""
    if work.caller.run is None:
        raise Forbidden("Only the agent of a run has a desk.", hint="Use another contract, such as native.")
    run = work.runs.get(work.caller.run)
    if run.state is not State.IN_PROGRESS:
        raise _over(run)
    return run, work.tasks.get(run.task)


def _over(run: Run) -> Conflict:
    return Conflict(f"Run {run.id} is {run.state}.", hint="Nothing was changed. Stop here.")
