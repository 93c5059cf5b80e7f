"""The course of an attempt, from its worktree to its end, each part remembered once it is done."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from taskpilot.agents import closing, conversation
from taskpilot.agents.attempt import Attempt, Failed, Halt, Halted
from taskpilot.agents.ground import Ground, prepare

R = TypeVar("R")

Remember = Callable[[str, Callable[[], Awaitable[Any]]], Awaitable[Any]]
"""Does something once, however often it is asked to: the next worker is given what came of it."""


async def follow(attempt: Attempt, remember: Remember) -> None:
    """Returns when the run has ended or rests; raises Halted where it has not, and another is to go on."""
    ground: Ground | None = None
    try:
        ground = await attempt.heed(prepare(attempt))
        await _carry_out(attempt, ground, remember)
    except Failed as failed:
        await closing.settle(attempt, ground, conversation.fail(str(failed)))
    except Halted as halted:
        if halted.why is not Halt.STOP:
            raise
        await closing.settle(attempt, ground, conversation.fail(stopped=True))
    finally:
        attempt.held.close()


async def _carry_out(attempt: Attempt, ground: Ground, remember: Remember) -> None:
    talked = await remember("converse", lambda: conversation.converse(attempt, ground))
    left = await remember("keep", lambda: closing.keep(attempt, ground, talked))
    accepted: bool | None = None
    if talked["ok"] and not left["error"]:
        accepted = await remember("verify", lambda: closing.verify(attempt, ground, left))
    await remember("settle", lambda: closing.settle(attempt, ground, talked, left, accepted))
