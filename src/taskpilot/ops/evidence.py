"""Proof that a task is done: what its acceptance commands said when TaskPilot itself ran them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from taskpilot.domain import payload, text
from taskpilot.domain.evidence import TAIL_MOST, Evidence, Proof
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.run import Hold, Kind, Said
from taskpilot.domain.scopes import Scope
from taskpilot.ops import dispatch, proof, run_log
from taskpilot.store.work import Work


@reads
def get(work: Work, task_id: int) -> Proof:
    """How a task's acceptance stands."""
    return proof.gather(work, work.tasks.get(task_id))


@writes(scope=Scope.RUN)
def record(work: Work, hold: Hold, seen: Sequence[Evidence]) -> Proof:
    """Keep what acceptance commands said. Their numbers are given here."""
    run = dispatch.check(work, hold)
    task = work.tasks.get(run.task)
    for each in seen:
        kept = work.evidence.add(
            replace(each, task=task.id, run=run.id, tail=payload.mask(each.tail[-TAIL_MOST:]), at=work.now)
        )
        work.record("evidence.recorded", None, kept)
        verdict = "passed" if kept.passed else f"failed with exit code {kept.exit_code}"
        told = f"{text.shorten(kept.command, 200)} {verdict} on {kept.head[:12]}"
        run_log.say(work, task, run, Said(Kind.TOOL_RESULT, told, {"ok": kept.passed, "command": kept.command}))
    return proof.gather(work, task)
