"""The one writer of a process: many callers' operations, one commit."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from taskpilot.domain.errors import InDoubt, Unavailable
from taskpilot.store.database import Connection, Database

logger = logging.getLogger(__name__)

MOST_TOGETHER = 256
R = TypeVar("R")


@dataclass(slots=True, eq=False)
class Job:
    op: Callable[[Connection], Any]
    """May run more than once, in transactions of which at most one is committed."""
    deliver: Callable[[Sequence[Job]], None]
    """Takes the settled jobs of one commit, all that share it at once. Called on the writer's thread."""
    future: Any
    """The caller's, for `deliver` to resolve."""
    outcome: Any = None
    error: BaseException | None = None

    def fail(self, error: BaseException) -> None:
        if isinstance(error, StopIteration):  # no future can carry it
            error = RuntimeError("an operation ended with StopIteration")
        self.error = error


class Writer:
    """Whatever waits while one commit reaches the disk goes into the next, together.

    One operation that fails takes nobody with it; nobody is told "saved"
    before the commit is.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: deque[Job] = deque()
        self._wake = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None

    def submit(self, op: Callable[[Connection], R]) -> Future[R]:
        """A future that another thread can wait for. Cancelled before its turn, the operation does not run."""
        future = Future[R]()
        self.post(Job(op, _tell, future))
        return future

    def post(self, job: Job) -> None:
        with self._wake:
            if self._closed:
                raise Unavailable("TaskPilot is stopping; nothing was changed.", hint="Repeat when it runs again.")
            if self._thread is threading.current_thread():
                raise RuntimeError("an operation that runs another through the app would wait for itself")
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="writer", daemon=True)
                self._thread.start()
            self._waiting.append(job)
            if len(self._waiting) == 1:
                self._wake.notify()

    def close(self) -> None:
        """Finish what was accepted, then stop."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        if self._thread is not None:
            self._thread.join()

    def _serve(self) -> None:
        while True:
            with self._wake:
                while not self._waiting and not self._closed:
                    self._wake.wait()
                if not self._waiting:
                    return
                waiting = [self._waiting.popleft() for _ in range(min(len(self._waiting), MOST_TOGETHER))]
            jobs = [job for job in waiting if not job.future.cancelled()]
            if jobs:
                settle(self._database, jobs)
                _deliver(jobs)


def settle(database: Database, jobs: list[Job], *, apart: bool = False) -> bool:
    """Give every job an outcome that is on the disk, or an error. False if the database could not even begin."""
    begun = False
    try:
        with database.writing() as db:
            begun = True
            for job in jobs:
                _attempt(db, job, alone=len(jobs) == 1, apart=apart)
    except _Spoilt:
        return settle(database, jobs, apart=True)
    except BaseException as error:
        if not begun or len(jobs) == 1 or isinstance(error, InDoubt):
            for job in jobs:
                job.fail(error)
            return begun
        # The database refused the batch as a whole (a full disk, a lost connection): nothing of it was
        # stored, so each operation can be tried again on its own and gets its own answer.
        reachable = True
        for job in jobs:
            if reachable:
                reachable = settle(database, [job])
            else:
                job.fail(error)
    return True


class _Spoilt(Exception):
    """An operation failed half-way, with others in the same transaction."""


def _attempt(db: Connection, job: Job, *, alone: bool, apart: bool) -> None:
    """Run one operation. Savepoints are slow, so they come only when somebody has failed without one."""
    job.outcome = job.error = None
    before = db.changes
    try:
        if apart:
            with db.savepoint():
                job.outcome = job.op(db)
        else:
            job.outcome = job.op(db)
    except (Unavailable, MemoryError):
        raise  # it is the database that failed, and it may have ended the transaction
    except BaseException as error:
        if alone:
            raise
        if not apart and db.changes != before:
            raise _Spoilt from error
        job.fail(error)


def _deliver(jobs: list[Job]) -> None:
    groups: dict[Callable[[Sequence[Job]], None], list[Job]] = {}
    for job in jobs:
        groups.setdefault(job.deliver, []).append(job)
    for deliver, group in groups.items():
        try:
            deliver(group)
        except Exception:  # an event loop that has closed, for one; the others still want their answers
            logger.exception("Nobody is there to be told")


def _tell(jobs: Sequence[Job]) -> None:
    for job in jobs:
        with suppress(InvalidStateError):  # cancelled while it ran
            if job.error is not None:
                job.future.set_exception(job.error)
            else:
                job.future.set_result(job.outcome)
