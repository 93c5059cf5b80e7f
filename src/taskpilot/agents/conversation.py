"""What an attempt and its agent have to say to each other, and how that ends."""

from __future__ import annotations

import asyncio
from typing import TypedDict

from taskpilot.agents import prompts
from taskpilot.agents.attempt import Attempt, Failed, Halt, Halted
from taskpilot.agents.caps import Meter, Reached
from taskpilot.agents.ground import Ground
from taskpilot.agents.listener import Scribe
from taskpilot.agents.talk import McpServer, Outcome, Spent, Turn
from taskpilot.domain import text
from taskpilot.domain.errors import TaskPilotError
from taskpilot.domain.run import Agent
from taskpilot.ops import attempts

SUMMARY_MOST = 2_000


class Talked(TypedDict):
    """What came of it, as another worker can remember it."""

    ok: bool
    error: str
    exit_code: int | None
    summary: str
    """The agent's last message."""
    cap: tuple[str, int, int] | None
    """Which was reached, its limit, and what was used."""
    stopped: bool


def fail(error: str = "", *, stopped: bool = False) -> Talked:
    return {"ok": False, "error": error, "exit_code": None, "summary": "", "cap": None, "stopped": stopped}


async def converse(attempt: Attempt, ground: Ground) -> Talked:
    """Let the agent work until it has no more to do, a cap is reached, or somebody stops it."""
    meter = Meter(attempt.order.caps)
    scribe = Scribe(attempt.station, attempt.caller, attempt.order, meter, ground.mask)
    try:
        talked = _tell(await _talk(attempt, ground, meter, scribe))
    except Halted as halted:
        if halted.why is not Halt.STOP:
            raise
        talked = fail(stopped=True)
    except Failed as failed:
        talked = fail(str(failed))
    try:
        await scribe.close()
    except TaskPilotError as error:
        why = await attempt.explain(error)
        if isinstance(why, Halted):
            raise why from None
        talked["error"] = talked["error"] or str(why)
    talked["summary"] = text.shorten(scribe.last, SUMMARY_MOST)
    return talked


def _tell(ended: Outcome | Reached) -> Talked:
    if isinstance(ended, Reached):
        return {**fail(), "cap": (ended.cap, ended.limit, ended.used)}
    return {**fail(ended.error), "ok": ended.ok, "exit_code": ended.exit_code}


async def _talk(attempt: Attempt, ground: Ground, meter: Meter, scribe: Scribe) -> Outcome | Reached:
    try:
        if await scribe.is_worn():
            return await meter.watch()
        turn = await _write_turn(attempt, ground)
        return await attempt.heed(_attend(ground, turn, meter, scribe))
    except TaskPilotError as error:
        raise await attempt.explain(error) from None


async def _attend(ground: Ground, turn: Turn, meter: Meter, scribe: Scribe) -> Outcome | Reached:
    """The conversation, unless a cap is reached before its end, or nobody can write it down."""
    talking = asyncio.create_task(ground.way.converse(turn, scribe))
    watching = asyncio.create_task(meter.watch())
    try:
        await asyncio.wait({talking, watching, scribe.failed}, return_when=asyncio.FIRST_COMPLETED)
        if talking.done():
            return talking.result()
        if scribe.failed.done():
            scribe.failed.result()
        return watching.result()
    finally:
        watching.cancel()
        talking.cancel()
        await asyncio.gather(talking, watching, return_exceptions=True)


async def _write_turn(attempt: Attempt, ground: Ground) -> Turn:
    run = attempt.order.run
    briefing = await attempt.call(attempts.brief, attempt.order.hold)
    mcp = _reach(attempt, ground)
    prompt, anew = _write_prompts(run.agent, bool(run.agent_session), briefing, mcp.name if mcp else "")
    return Turn(
        prompt=prompt,
        anew=anew,
        cwd=ground.worktree.path,
        env=ground.place.env,
        session=run.agent_session,
        spent=Spent(run.tokens_in, run.tokens_out, run.cost_micros),
        model=str(run.config.get("model") or ""),
        argv=tuple(run.config.get("command") or ()),
        mcp=mcp,
        sandbox=ground.place.sandbox,
        config=run.config,
    )


def _reach(attempt: Attempt, ground: Ground) -> McpServer | None:
    """Without a network there is no way to the desk either."""
    return ground.mcp if attempt.order.policy.network or ground.place.sandbox is None else None


def _write_prompts(agent: Agent, known: bool, briefing: attempts.Briefing, server: str) -> tuple[str, str]:
    """What to say; and what to say to an agent that has lost its session."""
    if agent is Agent.COMMAND:
        return briefing.last, briefing.last
    anew = prompts.restart(briefing.whole, server)
    if known:
        return (prompts.resume(briefing.last) if briefing.again else briefing.last), anew
    begun = briefing.again or briefing.whole != briefing.last
    return (anew if begun else prompts.greet(briefing.last, server)), anew
