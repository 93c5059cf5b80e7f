"""What runs ask, and what they are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from taskpilot.domain import payload, text
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.question import ALLOW_ALWAYS, CONTINUE, TEXT_MOST, Asking, Option, Question
from taskpilot.domain.run import Kind, Run, Said, State
from taskpilot.domain.scopes import Scope
from taskpilot.ops import policies, run_log, runs
from taskpilot.store.work import Work

LISTED_MOST = 200


@reads
def list_open(work: Work, *, limit: int = LISTED_MOST) -> list[Question]:
    """Everything that waits for the caller's answer, oldest first."""
    return work.questions.unanswered(limit)


@reads
def list_of_run(work: Work, run_id: int) -> list[Question]:
    """All that one run has asked, oldest first."""
    work.runs.get(run_id)
    return work.questions.of_run(run_id)


@reads(quick=True)
def get(work: Work, question_id: int) -> Question:
    return work.questions.get(question_id)


@writes(scope=Scope.RUN)
def answer(work: Work, question_id: int, choice: str) -> Question:
    """Answer once. A permission given always holds for the whole workspace; a run told to go on does so."""
    before = work.questions.get(question_id)
    settled = work.questions.save(before.settle(choice.strip().lower(), work.caller.actor, work.now))
    work.record("question.answered", before, settled)
    made = work.runs.get(settled.run)
    task = work.tasks.get(settled.task, deleted=True)
    run_log.say(work, task, made, Said(Kind.LOG, f"{work.caller.actor} answered: {settled.answer}"))
    if settled.asking is Asking.PERMISSION:
        if settled.answer == ALLOW_ALWAYS.id and made.workspace is not None:
            policies.let(work, made.workspace, str(settled.data.get("kind", "other")))
    elif settled.answer == CONTINUE.id and not made.wanted:
        runs.send_off(work, _raise_cap(work, made, settled))
    elif not made.state.over and not made.wanted:
        runs.conclude(work, runs.Standing(task, made), State.CANCELLED)
    return settled


@writes(scope=Scope.RUN)
def ask(
    work: Work, run: Run, asking: Asking, words: str, options: Sequence[Option], data: Mapping[str, Any]
) -> Question:
    """Put a question of a run to the person it works for."""
    asked = work.questions.add(
        Question(
            id=0,
            owner=work.caller.user,
            task=run.task,
            run=run.id,
            asking=asking,
            text=payload.mask(text.shorten(words, TEXT_MOST)),
            options=tuple(options),
            data=payload.mask(payload.parse(dict(data), "data"), names=True),
            asked_at=work.now,
        )
    )
    work.record("question.asked", None, asked)
    task = work.tasks.get(run.task, deleted=True)
    run_log.say(work, task, run, Said(Kind.PERMISSION_REQUEST, asked.text, {"question": asked.id, **asked.data}))
    return asked


@writes(scope=Scope.RUN)
def lapse(work: Work, run_id: int, why: str) -> None:
    """Take back what a run has asked: it does not need to know any more."""
    for before in work.questions.of_run(run_id):
        if before.open:
            after = work.questions.save(before.lapse(why, work.now))
            work.record("question.lapsed", before, after)


def _raise_cap(work: Work, run: Run, question: Question) -> Run:
    """As much again as it had, on top of what it has used."""
    name, cap = str(question.data["cap"]), int(question.data["limit"])
    more = {**dict(run.config.get("caps", {})), name: cap + int(question.data.get("more", cap))}
    after = replace(run, config={**run.config, "caps": more}, updated_at=work.now, version=run.version + 1)
    work.runs.save(run, after)
    return after
