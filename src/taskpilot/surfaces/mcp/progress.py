"""How far an errand has come, told to the client that asked for it."""

from __future__ import annotations

import asyncio
from collections import deque

from taskpilot.surfaces.mcp.callers import Context

MOST_UNTOLD = 256
Step = tuple[float, float | None, str]


class Progress:
    """Carries an errand's steps from its thread to the caller's progress token, in order and only forwards.

    A client that reads slowly misses steps; the errand does not wait for it.
    """

    def __init__(self, context: Context) -> None:
        self._session = context.session
        self._loop = asyncio.get_running_loop()
        self._untold: deque[Step] = deque(maxlen=MOST_UNTOLD)
        self._teller: asyncio.Task[None] | None = None
        self._last = float("-inf")

    def tell(self, done: float, total: float | None, message: str) -> None:
        """From the errand's thread."""
        self._loop.call_soon_threadsafe(self._put, (done, total, message))

    async def finish(self) -> None:
        """Wait until all that was told is sent: a result ends its token."""
        if self._teller is not None:
            await self._teller

    def stop(self) -> None:
        if self._teller is not None:
            self._teller.cancel()

    def _put(self, step: Step) -> None:
        if step[0] <= self._last:  # the protocol lets progress grow, never rest
            return
        self._last = step[0]
        self._untold.append(step)
        if self._teller is None or self._teller.done():
            self._teller = asyncio.create_task(self._send())

    async def _send(self) -> None:
        while self._untold:
            done, total, message = self._untold.popleft()
            await self._session.report_progress(done, total, message or None)
