"""What the API shows of runs, their questions and their proof."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from taskpilot.agents.repository.worktrees import Kept
from taskpilot.domain.evidence import Evidence, Proof
from taskpilot.domain.moments import wire
from taskpilot.domain.question import Question
from taskpilot.domain.run import Entry, Run
from taskpilot.ops.run_views import Account, View
from taskpilot.store.runs import Diff
from taskpilot.surfaces.rest.run_bodies import AnyAgent, RunState


class OptionOut(BaseModel):
    id: str = Field(description="The answer, as it is given.")
    label: str
    kind: str


class QuestionOut(BaseModel):
    """What a run asks whoever it works for."""

    id: int
    run_id: int
    task_id: int
    asking: Literal["permission", "cap"]
    text: str
    options: list[OptionOut]
    data: dict[str, Any] = Field(description="What it is about: the kind of permission, or the cap and what was used.")
    open: bool
    answer: str
    answered_by: str
    answered_at: str | None
    asked_at: str


class CheckOut(BaseModel):
    """One acceptance command, as TaskPilot itself saw it last."""

    command: str
    passed: bool | None = Field(description="Null: not run yet.")
    stale: bool = Field(description="There is a later commit than the one it was run on.")
    exit_code: int | None
    head: str
    digest: str = Field(description="SHA-256 of all it printed.")
    tail: str = Field(description="The end of what it printed.")
    seconds: float
    run_id: int | None
    at: str | None


class ProofOut(BaseModel):
    accepted: bool | None = Field(description="Null: the task asks for no proof.")
    head: str = Field(description="The last commit there is.")
    checks: list[CheckOut]


class RunBriefOut(BaseModel):
    id: int
    task_id: int
    workspace_id: int | None
    agent: AnyAgent
    state: RunState
    stopping: bool
    branch: str
    head: str = Field(description="The last commit of its branch.")
    error: str
    question: QuestionOut | None = Field(description="What it waits to be told.")
    turns: int
    tokens_in: int
    tokens_out: int
    cost_micros: int = Field(description="In millionths of a dollar.")
    queued_at: str | None
    started_at: str | None
    ended_at: str | None
    created_at: str
    updated_at: str
    version: int


class RunOut(RunBriefOut):
    session: str
    way: str
    base: str
    base_head: str
    worktree: str
    worker: str
    attempt: int
    instructions: str
    config: dict[str, Any]
    result: Any
    exit_code: int | None
    files_changed: list[str]
    commands: list[str]
    obstacle: str = Field(description="Why it cannot begin yet; empty if it can, or has.")
    proof: ProofOut


class RunsOut(BaseModel):
    runs: list[RunBriefOut]
    total: int


class EntryOut(BaseModel):
    number: int
    kind: str
    text: str
    data: dict[str, Any] | None
    attempt: int
    at: str


class LogOut(BaseModel):
    entries: list[EntryOut]
    state: RunState
    complete: bool = Field(description="Nothing more comes unless somebody sends the run off again.")
    next_after: int = Field(description="Hand it back as `after` for what follows.")


class DiffOut(BaseModel):
    run_id: int
    head: str
    added: int
    removed: int
    files: list[str]
    patch: str


class ReportOut(BaseModel):
    run: RunOut
    title: str
    seconds: float
    added: int
    removed: int
    log_counts: dict[str, int]
    last: list[EntryOut]


class WorktreeOut(BaseModel):
    run_id: int
    path: str
    branch: str
    bytes: int
    unpushed: int = Field(description="Commits that neither a remote nor the base has.")
    dirty: bool = Field(description="Something is not committed.")
    live: bool = Field(description="Somebody is at work there.")
    problem: str = Field(description="Why git could not tell; else empty.")


class WorktreesOut(BaseModel):
    worktrees: list[WorktreeOut]
    total: int
    bytes: int


def show_question(question: Question) -> dict[str, Any]:
    return {
        "id": question.id,
        "run_id": question.run,
        "task_id": question.task,
        "asking": question.asking.value,
        "text": question.text,
        "options": [{"id": each.id, "label": each.label, "kind": each.kind} for each in question.options],
        "data": dict(question.data),
        "open": question.open,
        "answer": question.answer,
        "answered_by": question.answered_by,
        "answered_at": wire(question.answered_at),
        "asked_at": wire(question.asked_at),
    }


def show_proof(proof: Proof) -> dict[str, Any]:
    return {
        "accepted": proof.accepted if proof.commands else None,
        "head": proof.head,
        "checks": [_show_check(command, seen, proof.head) for command, seen in proof.checks],
    }


def _show_check(command: str, seen: Evidence | None, head: str) -> dict[str, Any]:
    return {
        "command": command,
        "passed": seen.passed if seen else None,
        "stale": bool(seen and seen.is_stale(head)),
        "exit_code": seen.exit_code if seen else None,
        "head": seen.head if seen else "",
        "digest": seen.digest if seen else "",
        "tail": seen.tail if seen else "",
        "seconds": seen.seconds if seen else 0.0,
        "run_id": seen.run if seen else None,
        "at": wire(seen.at) if seen else None,
    }


def show_brief(run: Run, question: Question | None) -> dict[str, Any]:
    return {
        "id": run.id,
        "task_id": run.task,
        "workspace_id": run.workspace,
        "agent": run.agent.value,
        "state": run.state.value,
        "stopping": run.stopping,
        "branch": run.branch,
        "head": run.head,
        "error": run.error,
        "question": show_question(question) if question else None,
        "turns": run.turns,
        "tokens_in": run.tokens_in,
        "tokens_out": run.tokens_out,
        "cost_micros": run.cost_micros,
        "queued_at": wire(run.queued_at),
        "started_at": wire(run.started_at),
        "ended_at": wire(run.ended_at),
        "created_at": wire(run.created_at),
        "updated_at": wire(run.updated_at),
        "version": run.version,
    }


def show_run(view: View) -> dict[str, Any]:
    run = view.run
    return show_brief(run, view.question) | {
        "session": run.session,
        "way": run.way,
        "base": run.base,
        "base_head": run.base_head,
        "worktree": run.worktree,
        "worker": run.worker,
        "attempt": run.attempt,
        "instructions": run.instructions,
        "config": dict(run.config),
        "result": run.result,
        "exit_code": run.exit_code,
        "files_changed": list(run.files_changed),
        "commands": list(run.commands),
        "obstacle": view.obstacle,
        "proof": show_proof(view.proof),
    }


def show_entry(entry: Entry) -> dict[str, Any]:
    return {
        "number": entry.number,
        "kind": entry.kind.value,
        "text": entry.text,
        "data": dict(entry.data) if entry.data else None,
        "attempt": entry.attempt,
        "at": wire(entry.at),
    }


def show_diff(run: Run, diff: Diff) -> dict[str, Any]:
    return {"run_id": run.id, "files": list(run.files_changed), **diff._asdict()}


def show_report(account: Account) -> dict[str, Any]:
    return {
        "run": show_run(account.view),
        "title": account.view.task.title,
        "seconds": account.seconds,
        "added": account.diff.added,
        "removed": account.diff.removed,
        "log_counts": dict(account.counts),
        "last": [show_entry(entry) for entry in account.last],
    }


def show_worktree(kept: Kept) -> dict[str, Any]:
    return {
        "run_id": kept.run,
        "path": str(kept.path),
        "branch": kept.branch,
        "bytes": kept.bytes,
        "unpushed": kept.unpushed,
        "dirty": kept.dirty,
        "live": kept.live,
        "problem": kept.problem,
    }
