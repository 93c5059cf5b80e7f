"""The one place a transaction begins, and the one place threads are crossed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from taskpilot.domain.caller import Caller
from taskpilot.domain.errors import Unavailable
from taskpilot.domain.events import Event
from taskpilot.domain.operation import Access, access_of
from taskpilot.store.database import Connection, Database
from taskpilot.store.feed import Feed
from taskpilot.store.work import Work
from taskpilot.store.writer import Job, Writer

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

P = ParamSpec("P")
R = TypeVar("R")
READER_THREADS = 4


def utc_now() -> datetime:
    return datetime.now(UTC)


class App:
    def __init__(self, database: Database, *, clock: Callable[[], datetime] = utc_now) -> None:
        self.database = database
        self._clock = clock
        self._writer = Writer(database)
        self._feed = Feed(database)
        self._readers = ThreadPoolExecutor(READER_THREADS, thread_name_prefix="reader")
        self._desk: _Desk | None = None

    def run(self, caller: Caller, op: Callable[Concatenate[Work, P], R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run one operation in one transaction and wait for it."""
        if access_of(op) is Access.WRITE:
            return self._writer.submit(self._bind(caller, op, *args, **kwargs)).result()
        return self._read(caller, op, *args, **kwargs)

    async def call(
        self, caller: Caller, op: Callable[Concatenate[Work, P], R], /, *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """`run`, from async code: nothing here blocks the event loop for longer than an indexed look-up.

        Cancelling the caller does not take back a change that has begun.
        """
        import asyncio

        access = access_of(op)
        if access is Access.GLANCE and self.database.reads_inline:
            return self._read(caller, op, *args, **kwargs)
        loop = asyncio.get_running_loop()
        if access is not Access.WRITE:
            return await asyncio.wrap_future(self._read_aside(caller, op, *args, **kwargs), loop=loop)
        desk = self._desk
        if desk is None or desk.loop is not loop:
            desk = self._desk = _Desk(loop)
        future: asyncio.Future[R] = loop.create_future()
        self._writer.post(Job(self._bind(caller, op, *args, **kwargs), desk.deliver, future))
        return await future

    def subscribe(self, listener: Callable[[Sequence[Event]], None]) -> Callable[[], None]:
        """Hear of every change, by any process on the same database, after it is committed and in order.

        The listener is called on the feed's own thread. Returns the way to stop.
        """
        return self._feed.subscribe(listener)

    def ping(self) -> None:
        """Ask the database for a sign of life; Unavailable if there is none."""
        with self.database.reading() as db:
            db.one("SELECT count(*) AS number FROM schema_migration")

    def close(self) -> None:
        """Finish what was accepted, then let go of everything."""
        self._feed.close()
        self._writer.close()
        self._readers.shutdown()
        self.database.close()

    def _read(self, caller: Caller, op: Callable[..., R], *args: Any, **kwargs: Any) -> R:
        with self.database.reading() as db:
            return op(Work(db, caller, self._clock()), *args, **kwargs)

    def _read_aside(self, caller: Caller, op: Callable[..., R], *args: Any, **kwargs: Any) -> Future[R]:
        try:
            return self._readers.submit(self._read, caller, op, *args, **kwargs)
        except RuntimeError:
            raise Unavailable("TaskPilot is stopping.", hint="Repeat when it runs again.") from None

    def _bind(self, caller: Caller, op: Callable[..., R], *args: Any, **kwargs: Any) -> Callable[[Connection], R]:
        return lambda db: op(Work(db, caller, self._clock()), *args, **kwargs)


class _Desk:
    """Where one event loop picks its answers up: the loop is woken once for a whole commit, not once a caller."""

    def __init__(self, loop: AbstractEventLoop) -> None:
        self.loop = loop

    def deliver(self, jobs: Sequence[Job]) -> None:
        self.loop.call_soon_threadsafe(_resolve, jobs)


def _resolve(jobs: Sequence[Job]) -> None:
    for job in jobs:
        if job.future.done():  # its caller has gone away
            continue
        if job.error is not None:
            job.future.set_exception(job.error)
        else:
            job.future.set_result(job.outcome)
