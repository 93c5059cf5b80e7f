"""Everybody who follows the event log over HTTP: each at their own pace, from where they left off.

The feed only wakes them; what they are told is read from the log. So a slow client costs nothing, the order is the
log's, and it does not matter which process a change was made in.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from taskpilot.app import App
from taskpilot.domain.caller import Caller
from taskpilot.domain.errors import Unavailable
from taskpilot.domain.events import ACCOUNT_NOUNS, Event
from taskpilot.domain.moments import wire
from taskpilot.ops import changes

MOST_STREAMS = 100
"""For one user; a browser opens one a tab."""
BEAT_SECONDS = 15.0
"""Between signs of life, so that nobody in between takes the stream for dead."""
LOOK_SECONDS = 3.0
"""How long a credential that has expired may still be listening."""
LONGEST_SECONDS = 3_600.0
"""After this every stream ends; its client comes back by itself."""
STOP_SECONDS = 0.25
RETRY_SECONDS = 1.0

Admit = Callable[[], Awaitable[Caller]]
"""Who listens, asked again and again; raises once they may no longer."""


class TooMany(Exception):
    """This user listens often enough."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a listener wants to hear, and for how long."""

    last: int | None = None
    """The last event they have seen; None: from now on."""
    kinds: frozenset[str] = frozenset()
    """Kinds (`task.created`) and nouns (`task`); none: all."""
    workspace: int | None = None
    seconds: float = LONGEST_SECONDS

    def matches(self, event: Event) -> bool:
        if self.workspace is not None and event.workspace != self.workspace:
            return False
        return not self.kinds or event.kind in self.kinds or event.noun in self.kinds


@dataclass(frozen=True, slots=True)
class Notice:
    """One message to a listener."""

    id: int
    """What to resume after."""
    name: str
    """An event's kind, or `ready` (where the stream begins), or `reset` (look at everything again)."""
    data: dict[str, Any]


class Streams:
    """The listeners of this process. The feed is followed only while there are any."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._listeners: dict[int, set[Listener]] = {}
        self._feed: asyncio.Future[Callable[[], None]] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._looking: asyncio.TimerHandle | None = None

    async def open(self, admit: Admit, wish: Wish) -> Listener:
        """From here on nothing is missed. Whoever opens one leaves it."""
        caller = await admit()
        listener = Listener(self._app, self, caller, admit, wish)
        self._add(listener)
        try:
            await self._follow()
            end = await self._app.call(caller, changes.find_last)
        except BaseException:
            self.remove(listener)
            raise
        if wish.last is None:
            listener.resume(end)
        return listener

    def remove(self, listener: Listener) -> None:
        mine = self._listeners.get(listener.user, set())
        mine.discard(listener)
        if not mine:
            self._listeners.pop(listener.user, None)
        if not self._listeners and self._feed is not None:
            self._feed.add_done_callback(_leave)
            self._feed = None

    def _add(self, listener: Listener) -> None:
        mine = self._listeners.setdefault(listener.user, set())
        if len(mine) >= MOST_STREAMS:
            raise TooMany
        mine.add(listener)

    async def _follow(self) -> None:
        if self._feed is None:
            self._loop = asyncio.get_running_loop()
            self._feed = asyncio.ensure_future(asyncio.to_thread(self._app.subscribe, self._hear))
        if self._looking is None:
            self._look()
        feed = self._feed
        try:
            await asyncio.shield(feed)
        except Exception:
            if self._feed is feed:
                self._feed = None
            raise

    def _hear(self, events: Sequence[Event]) -> None:
        """On the feed's thread."""
        everybody = any(event.for_everyone for event in events)
        users = None if everybody else {event.owner for event in events}
        accounts = everybody or any(event.noun in ACCOUNT_NOUNS for event in events)
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has just closed, and everybody with it
                self._loop.call_soon_threadsafe(self._wake, users, accounts)

    def _wake(self, users: set[int] | None, accounts: bool = False) -> None:
        for user in list(self._listeners) if users is None else users:
            for listener in self._listeners.get(user, ()):
                listener.wake(doubt=accounts)

    def _look(self) -> None:
        """A server that stops waits for open answers: these end when they are woken."""
        if self._app.leaving:
            self._wake(None)
        loop = self._loop if self._feed is not None else None
        self._looking = loop.call_later(STOP_SECONDS, self._look) if loop else None


class Listener:
    """One stream: where it has come to, and what wakes it."""

    def __init__(self, app: App, streams: Streams, caller: Caller, admit: Admit, wish: Wish) -> None:
        self.user = caller.user
        self._app = app
        self._streams = streams
        self._caller = caller
        self._admit = admit
        self._wish = wish
        self._last = wish.last or 0
        self._awake = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._looked = self._loop.time()

    @property
    def last(self) -> int:
        """How far it has come."""
        return self._last

    def resume(self, last: int) -> None:
        """Go on after this event."""
        self._last = last

    def wake(self, *, doubt: bool) -> None:
        """Something happened. With doubt, who listens is asked before anything more is told."""
        if doubt:
            self._looked = -LOOK_SECONDS
        self._awake.set()

    def leave(self) -> None:
        self._streams.remove(self)

    async def hear(self) -> AsyncGenerator[Sequence[Notice]]:
        """Everything in order, until the time is up or the server stops; nothing, as a sign of life.

        Raises Unauthenticated when the listener may listen no longer.
        """
        end = self._loop.time() + min(self._wish.seconds, LONGEST_SECONDS)
        yield [Notice(self._last, "ready", {"id": self._last})]
        beat = self._loop.time() + BEAT_SECONDS
        while not self._app.leaving:
            self._awake.clear()
            await self._look_again()
            news = await self._read()
            told = self._choose(news)
            now = self._loop.time()
            if told or now >= beat:
                yield told
                beat = self._loop.time() + BEAT_SECONDS
            if news.more:
                continue
            if now >= end:
                return
            await self._wait(min(end, beat))

    async def _wait(self, until: float) -> None:
        """For news, or for the moment; who listens is looked at meanwhile."""
        while not self._awake.is_set() and (left := until - self._loop.time()) > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(min(left, LOOK_SECONDS)):
                    await self._awake.wait()
            await self._look_again()

    async def _look_again(self) -> None:
        if self._loop.time() - self._looked >= LOOK_SECONDS:
            self._caller = await self._admit()
            self._looked = self._loop.time()

    async def _read(self) -> changes.News:
        """A database that is away for a while ends no stream: what was missed is told when it is back."""
        while True:
            try:
                return await self._app.call(self._caller, changes.read_after, self._last)
            except Unavailable:
                if self._app.leaving:
                    return changes.News((), self._last)
                await asyncio.sleep(RETRY_SECONDS)

    def _choose(self, news: changes.News) -> list[Notice]:
        self._last = news.last
        if news.reset:
            return [Notice(news.last, "reset", {"id": news.last})]
        return [Notice(event.id, event.kind, show_event(event)) for event in news.events if self._wish.matches(event)]


def show_event(event: Event) -> dict[str, Any]:
    return {
        "id": event.id,
        "change": event.change,
        "at": wire(event.at),
        "actor": event.actor,
        "door": event.door,
        "kind": event.kind,
        "subject": event.subject,
        "before": event.before,
        "after": event.after,
        "reason": event.reason,
        "workspace": event.workspace,
    }


def _leave(feed: asyncio.Future[Callable[[], None]]) -> None:
    if not feed.cancelled() and feed.exception() is None:
        feed.result()()
