"""The one place a transaction begins, and the one place threads are crossed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from taskpilot.domain.caller import Caller
from taskpilot.domain.calls import OK
from taskpilot.domain.errors import OutOfScope, Unavailable
from taskpilot.domain.events import Event
from taskpilot.domain.operation import Access, access_of, scope_of
from taskpilot.domain.remote import Reach
from taskpilot.store.database import Connection, Database
from taskpilot.store.feed import Feed
from taskpilot.store.trail import Trail
from taskpilot.store.vault import Vault
from taskpilot.store.work import Work
from taskpilot.store.writer import Job, Writer

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

P = ParamSpec("P")
P1 = TypeVar("P1")
R = TypeVar("R")
READER_THREADS = 4
ERRAND_THREADS = 8

Tell = Callable[[float, float | None, str], None]
"""How far an errand has come: done, of how much if known, and in words."""


def utc_now() -> datetime:
    return datetime.now(UTC)


class App:
    def __init__(
        self,
        database: Database,
        *,
        clock: Callable[[], datetime] = utc_now,
        vault: Vault | None = None,
        reach: Reach | None = None,
    ) -> None:
        self.database = database
        self.vault = vault or Vault()
        self.reach = reach or Reach()
        self._clock = clock
        self._writer = Writer(database)
        self._feed = Feed(database)
        self.trail = Trail(lambda job: self._writer.submit(job).result(), clock)
        self._readers = ThreadPoolExecutor(READER_THREADS, thread_name_prefix="reader")
        self._errands = ThreadPoolExecutor(ERRAND_THREADS, thread_name_prefix="errand")
        self._desk: _Desk | None = None
        self.leaving = False
        """The server is about to stop: whoever only listens ends now, and open requests still get their answers."""
        self.stopping = False

    def run(self, caller: Caller, op: Callable[Concatenate[Work, P], R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run one operation in one transaction and wait for it."""
        outcome, changed = self.carry_out(caller, op, *args, **kwargs)
        if caller.tool and changed is False:
            self.note(caller, OK)
        return outcome

    async def call(
        self, caller: Caller, op: Callable[Concatenate[Work, P], R], /, *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """`run`, from async code: nothing here blocks the event loop for longer than an indexed look-up.

        Cancelling the caller does not take back a change that has begun.
        """
        import asyncio

        _permit(caller, op)
        access = access_of(op)
        here = self.database.glancing() if access is Access.GLANCE else None
        if here is not None:
            return op(Work(here, caller, self._clock()), *args, **kwargs)
        loop = asyncio.get_running_loop()
        if access is not Access.WRITE:
            return await asyncio.wrap_future(self._read_aside(caller, op, *args, **kwargs), loop=loop)
        desk = self._desk
        if desk is None or desk.loop is not loop:
            desk = self._desk = _Desk(loop)
        future: asyncio.Future[tuple[R, bool]] = loop.create_future()
        self._writer.post(Job(self._bind(caller, op, *args, **kwargs), desk.deliver, future))
        outcome, changed = await future
        if caller.tool and not changed:  # what changed something is in the log already
            self.note(caller, OK)
        return outcome

    async def send(self, caller: Caller, op: Callable[[Errand, P1], R], args: P1, /, *, tell: Tell | None = None) -> R:
        """Run an errand in a thread of its own. Cancelling the caller stops it at its next step."""
        import asyncio

        _permit(caller, op)
        errand = Errand(self, caller, tell)
        try:
            outcome = await asyncio.wrap_future(_submit(self._errands, op, errand, args))
        except asyncio.CancelledError:
            errand.stop()
            raise
        if caller.tool and not errand.changed:
            self.note(caller, OK)
        return outcome

    def subscribe(self, listener: Callable[[Sequence[Event]], None]) -> Callable[[], None]:
        """Hear of every change, by any process on the same database, after it is committed and in order.

        The listener is called on the feed's own thread. Returns the way to stop.
        """
        return self._feed.subscribe(listener)

    def now(self) -> datetime:
        return self._clock()

    def note(self, caller: Caller, outcome: str) -> None:
        """Write down a call that changed nothing: soon, and without keeping anybody waiting."""
        self.trail.add(caller, outcome)

    def ping(self) -> None:
        """Ask the database for a sign of life; Unavailable if there is none."""
        with self.database.reading() as db:
            db.one("SELECT count(*) AS number FROM schema_migration")

    def leave(self) -> None:
        """Tell those who only listen that it is over."""
        self.leaving = True

    def close(self) -> None:
        """Finish what was accepted, then let go of everything. Errands stop at their next step."""
        self.leaving = self.stopping = True
        self._errands.shutdown(cancel_futures=True)
        self._feed.close()
        self.trail.close()
        self._writer.close()
        self._readers.shutdown()
        self.database.close()

    def _read(self, caller: Caller, op: Callable[..., R], *args: Any, **kwargs: Any) -> R:
        with self.database.reading() as db:
            return op(Work(db, caller, self._clock()), *args, **kwargs)

    def _read_aside(self, caller: Caller, op: Callable[..., R], *args: Any, **kwargs: Any) -> Future[R]:
        return _submit(self._readers, self._read, caller, op, *args, **kwargs)

    def carry_out(self, caller: Caller, op: Callable[..., R], *args: Any, **kwargs: Any) -> tuple[R, bool | None]:
        """The outcome, and whether it changed anything; None for an operation that could not."""
        _permit(caller, op)
        if access_of(op) is Access.WRITE:
            return self._writer.submit(self._bind(caller, op, *args, **kwargs)).result()
        return self._read(caller, op, *args, **kwargs), None

    def _bind(
        self, caller: Caller, op: Callable[..., R], *args: Any, **kwargs: Any
    ) -> Callable[[Connection], tuple[R, bool]]:
        """An operation for the writer. It may run more than once: only who waits for it knows how it ended."""

        def run(db: Connection) -> tuple[R, bool]:
            work = Work(db, caller, self._clock())
            outcome = op(work, *args, **kwargs)
            return outcome, bool(work.changes)

        return run


def _permit(caller: Caller, op: Callable[..., Any]) -> None:
    """The one place where a credential that does not reach far enough is stopped."""
    scope = scope_of(op)
    if scope not in caller.scopes:
        raise OutOfScope(scope)


def _submit(threads: ThreadPoolExecutor, function: Callable[..., R], *args: Any, **kwargs: Any) -> Future[R]:
    try:
        return threads.submit(function, *args, **kwargs)
    except RuntimeError:
        raise Unavailable("TaskPilot is stopping.", hint="Repeat when it runs again.") from None


class Errand:
    """What a tool that goes out into the world is given: operations, one transaction each, and a way to tell."""

    def __init__(self, app: App, caller: Caller, tell: Tell | None = None) -> None:
        self.caller = caller
        self.changed = False
        """Whether anything it did is in the log."""
        self._app = app
        self._tell = tell
        self._stopped = threading.Event()

    @property
    def vault(self) -> Vault:
        return self._app.vault

    @property
    def reach(self) -> Reach:
        return self._app.reach

    def run(self, op: Callable[Concatenate[Work, P], R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        self.check()
        return self.finish(op, *args, **kwargs)

    def finish(self, op: Callable[Concatenate[Work, P], R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """`run`, also when the caller has gone away: for what must be left in order."""
        outcome, changed = self._app.carry_out(self.caller, op, *args, **kwargs)
        self.changed = self.changed or bool(changed)
        return outcome

    def tell(self, done: float, total: float | None = None, message: str = "") -> None:
        """Say how far it is; raises if nobody waits any more."""
        self.check()
        if self._tell is not None:
            self._tell(done, total, message)

    def check(self) -> None:
        """Stop here if the caller has gone away."""
        if self._stopped.is_set() or self._app.stopping:
            raise Unavailable("This was cancelled.", hint="What was done until then stays; undo takes it back.")

    def stop(self) -> None:
        self._stopped.set()


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
