"""What comes after the conversation: a commit, the proof, and how it ended."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, TypedDict

from taskpilot.agents.attempt import Attempt, Failed, Halted
from taskpilot.agents.caps import Reached
from taskpilot.agents.conversation import Talked
from taskpilot.agents.ground import Ground
from taskpilot.agents.programs import commands
from taskpilot.agents.repository import hooks
from taskpilot.domain.errors import TaskPilotError
from taskpilot.domain.evidence import Evidence
from taskpilot.domain.run import Agent, Kind, Said
from taskpilot.ops import attempts, dispatch, evidence
from taskpilot.store.runs import Diff

CLEANUP_SECONDS = 120.0
PROOF_SECONDS = 1_800.0


class Left(TypedDict):
    """What an agent left in its worktree."""

    commit: str
    files: int
    added: int
    removed: int
    error: str


async def keep(attempt: Attempt, ground: Ground, talked: Talked) -> Left:
    """Commit it, and store what it changed. Safe to repeat."""
    task, summary = attempt.order.task, talked["summary"].strip()
    message = f"{task.title}\n\n{summary}" if summary else task.title
    worktree, worktrees = ground.worktree, ground.worktrees
    try:
        await asyncio.to_thread(worktrees.commit, worktree, message, attempt.guard, task=task.id)
        diff = await asyncio.to_thread(worktrees.diff, worktree)
    except TaskPilotError as error:
        why = await attempt.explain(error)
        if isinstance(why, Halted):
            raise why from None
        return {"commit": "", "files": 0, "added": 0, "removed": 0, "error": str(why)}
    kept = Diff(diff.commit, ground.mask.mask(diff.patch), diff.added, diff.removed)
    await attempt.call(dispatch.keep, attempt.order.hold, kept, diff.files)
    if diff.left:
        await attempt.note(Said(Kind.LOG, f"Not committed, for its size or as another repository: {diff.left[0]}"))
    return {
        "commit": diff.commit,
        "files": len(diff.files),
        "added": diff.added,
        "removed": diff.removed,
        "error": "",
    }


async def verify(attempt: Attempt, ground: Ground, left: Left) -> bool | None:
    """Whether the task's acceptance commands say that it is done; None where it has none."""
    accepted: bool | None = None
    for command in attempt.order.task.acceptance:
        await attempt.note(Said(Kind.LOG, f"Acceptance: {command}"))
        ended = await attempt.heed(commands.run(command, ground.place, limit=PROOF_SECONDS))
        seen = Evidence(
            id=0,
            owner=attempt.order.hold.owner,
            task=attempt.order.task.id,
            run=attempt.order.run.id,
            command=command,
            exit_code=ended.exit_code,
            head=left["commit"],
            digest=ended.digest,
            tail=ground.mask.mask(ended.tail),
            seconds=ended.seconds,
            at=attempt.station.app.now(),
        )
        accepted = (await attempt.call(evidence.record, attempt.order.hold, [seen])).accepted
    return accepted


async def settle(
    attempt: Attempt, ground: Ground | None, talked: Talked, left: Left | None = None, accepted: bool | None = None
) -> None:
    """Say how it ended, and leave nothing open. Who was asked to stop is told at once, and cleans up after that."""
    if ground and not talked["stopped"]:
        await _clean_up(attempt, ground)
    attempt.over = True
    await _say_end(attempt, talked, left, accepted)
    if ground:
        if talked["stopped"]:
            await _clean_up(attempt, ground)
        with suppress(TaskPilotError):
            await asyncio.to_thread(hooks.lift, ground.worktree)


async def _say_end(attempt: Attempt, talked: Talked, left: Left | None, accepted: bool | None) -> None:
    run, hold, cap = attempt.order.run, attempt.order.hold, talked["cap"]
    error = talked["error"] or (left["error"] if left else "")
    result = _sum_up(talked, left)
    if cap and run.agent is not Agent.COMMAND:
        words = Reached(*cap).tell()
        await attempt.call(attempts.pause, hold, cap[0], limit=cap[1], used=cap[2], words=words, result=result)
        return
    if cap:
        error = f"{Reached(*cap).tell()} It was stopped."
    await attempt.call(
        dispatch.finish,
        hold,
        ok=talked["ok"] and not error,
        error=error,
        exit_code=talked["exit_code"],
        result=result,
        accepted=accepted,
    )


def _sum_up(talked: Talked, left: Left | None) -> dict[str, Any] | None:
    if left is None:
        return None
    return {
        "summary": talked["summary"],
        "commit": left["commit"],
        "files": left["files"],
        "added": left["added"],
        "removed": left["removed"],
    }


async def _clean_up(attempt: Attempt, ground: Ground) -> None:
    for command in attempt.order.policy.cleanup:
        ended = await commands.run(command, ground.place, limit=CLEANUP_SECONDS)
        if not ended.ok and not attempt.over:
            with suppress(Failed):
                await attempt.note(Said(Kind.LOG, f"Clean-up: {ground.mask.mask(ended.tell())}"))
