"""Calls that wait until there is something to tell. No thread waits with them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from taskpilot.app import App
from taskpilot.domain.caller import Caller
from taskpilot.domain.events import Event
from taskpilot.domain.operation import reads
from taskpilot.store.work import Work
from taskpilot.surfaces.mcp.callers import Context
from taskpilot.surfaces.mcp.progress import Progress
from taskpilot.toolkit import Step, Tool

LOOK_EVERY = 1.0
"""Seconds, should news ever fail to come."""


async def bide(app: App, context: Context, tool: Tool, caller: Caller, args: Any) -> None:
    """Until the tool need not wait any more, or its caller's patience is at an end; telling how far it is."""
    patience: float = args.wait
    if not patience:
        return
    loop = asyncio.get_running_loop()
    until = loop.time() + patience
    news, progress, last = asyncio.Event(), Progress(context), 0

    def hear(events: Sequence[Event]) -> None:
        if any(event.owner == caller.user or event.for_everyone for event in events):
            with suppress(RuntimeError):  # the loop has just closed, and the call with it
                loop.call_soon_threadsafe(news.set)

    leave = await asyncio.to_thread(app.subscribe, hear)
    try:
        while (left := until - loop.time()) > 0 and not app.leaving:
            news.clear()
            steps = await app.call(caller, look, tool, args, last)
            if steps is None:
                break
            for step in steps:
                progress.tell(step.number, None, step.told)
                last = step.number
            if not steps:
                with suppress(TimeoutError):
                    await asyncio.wait_for(news.wait(), min(left, LOOK_EVERY))
        await progress.finish()
    finally:
        progress.stop()
        leave()


@reads
def look(work: Work, tool: Tool, args: Any, last: int) -> Sequence[Step] | None:
    """What has happened meanwhile; None once the call need not wait."""
    return tool.wait(work, args, last) if tool.wait else None
