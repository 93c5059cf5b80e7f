"""Answers that go on for long: they end when what opened them does not hold any more."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from taskpilot.domain.errors import Unauthenticated, Unavailable

LOOK_EVERY = 5.0
"""Seconds. The doorkeeper has most of it in memory."""
CLOSED = 1008

Look = Callable[[], Awaitable[object]]
"""Looks at the credential again; Unauthenticated when it holds no more."""


async def attend(inside: ASGIApp, look: Look, scope: Scope, receive: Receive, send: Send) -> None:
    """Serve one request. If it turns into a stream, look now and then whether its caller may still hear it."""
    task = asyncio.current_task()
    assert task is not None
    stream: Stream | None = None

    async def watched(message: Message) -> None:
        nonlocal stream
        if stream is None and goes_on(message):
            stream = Stream(task, look)
        await send(message)

    try:
        await inside(scope, receive, watched)
    except asyncio.CancelledError:
        if stream is None or not stream.give_up():
            raise
        await send(farewell(scope))
    finally:
        if stream is not None:
            stream.stop()


def goes_on(message: Message) -> bool:
    if message["type"] == "websocket.accept":
        return True
    return message["type"] == "http.response.start" and any(
        name == b"content-type" and value.startswith(b"text/event-stream") for name, value in message.get("headers", ())
    )


def farewell(scope: Scope) -> Message:
    if scope["type"] == "websocket":
        return {"type": "websocket.close", "code": CLOSED, "reason": "Signed out"}
    return {"type": "http.response.body", "body": b""}


class Stream:
    """One that a task has open, and the next look at who hears it."""

    def __init__(self, task: asyncio.Task[Any], look: Look) -> None:
        self._task = task
        self._look = look
        self._over = False
        self._looking: asyncio.Task[None] | None = None
        self._loop = asyncio.get_running_loop()
        self._next = self._loop.call_later(LOOK_EVERY, self._begin)

    def give_up(self) -> bool:
        """Whether it was this that cancelled the task, and nobody else besides."""
        return self._over and self._task.uncancel() == 0

    def stop(self) -> None:
        self._next.cancel()
        if self._looking is not None:
            self._looking.cancel()

    def _begin(self) -> None:
        self._looking = self._loop.create_task(self._look_again())

    async def _look_again(self) -> None:
        try:
            await self._look()
        except Unauthenticated:
            self._over = True
            self._task.cancel()
            return
        except Unavailable:
            pass  # the database is away for a moment: that is no reason to throw anybody out
        self._next = self._loop.call_later(LOOK_EVERY, self._begin)
