"""Who called what without changing anything: gathered in memory, and written in batches off everybody's path.

A crash loses at most the last second of it. What changes something is written with the change, as an event.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Literal

from taskpilot.domain.caller import Caller
from taskpilot.domain.calls import Call, make_call
from taskpilot.domain.errors import Unavailable
from taskpilot.store.calls import Calls
from taskpilot.store.database import Connection
from taskpilot.store.purge import limits, purge

SECONDS = 0.5
PURGE_SECONDS = 24 * 60 * 60.0
PAUSE_SECONDS = 0.05
"""Between two batches of a purge: others want to write as well."""
MOST_WAITING = 50_000
"""While the database is away. After that, the newest are not kept."""

Noun = Literal["token", "login"]
Used = dict[tuple[Noun, int], datetime]
Write = Callable[[Callable[[Connection], Any]], Any]
"""Runs one job in a transaction and waits for it."""

log = logging.getLogger(__name__)


class Trail:
    """The thread starts with the first entry, or when it is told what to keep; it ends with `close`."""

    def __init__(self, write: Write, clock: Callable[[], datetime]) -> None:
        self._write = write
        self._clock = clock
        self._waiting: deque[tuple[datetime, Caller, str]] = deque()
        self._used: Used = {}
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._keep_days: int | None = None
        self._away = False

    def add(self, caller: Caller, outcome: str) -> None:
        """Costs its caller a microsecond: everything else is the thread's work."""
        if len(self._waiting) < MOST_WAITING:
            self._waiting.append((self._clock(), caller, outcome))
        if self._thread is None:
            self._start()

    def touch(self, noun: Noun, number: int, at: datetime) -> None:
        with self._lock:
            self._used[noun, number] = at
        self._start()

    def keep(self, days: int) -> None:
        """From now on, and once a day, forget calls that are older, credentials that have run out, and old bins."""
        self._keep_days = days
        self._start()

    def flush(self) -> None:
        """Write what has gathered, now. What the database cannot take at the moment waits."""
        waiting = [self._waiting.popleft() for _ in range(len(self._waiting))]
        with self._lock:
            used, self._used = self._used, {}
        if not waiting and not used:
            return
        try:
            self._write(partial(_store, calls=[make_call(*each) for each in waiting], used=used))
            self._away = False
        except Unavailable as error:
            if not self._away:
                log.warning("the audit waits for the database: %s", error, extra={"entries": len(waiting)})
            self._away = True
            self._waiting.extendleft(reversed(waiting))
            with self._lock:
                self._used = used | self._used
        except Exception:  # a bug; it must not end the audit of all that follows
            log.exception("%d entries of the audit were lost", len(waiting))

    def purge(self) -> None:
        """Forget what is older than it need be, in small steps."""
        if self._keep_days is None:
            return
        for table, before in limits(self._clock(), self._keep_days).items():
            more = True
            while more and not self._stop.is_set():
                more = self._write(partial(purge, table=table, before=before))
                self._stop.wait(PAUSE_SECONDS if more else 0)

    def close(self) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        self.flush()
        if self._waiting:
            log.warning("the audit lost %d entries: the database did not come back", len(self._waiting))

    def _start(self) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._follow, name="trail", daemon=True)
                self._thread.start()

    def _follow(self) -> None:
        purge_at: float | None = None
        while not self._stop.wait(SECONDS):
            self.flush()
            if self._keep_days is not None and (purge_at is None or time.monotonic() >= purge_at):
                purge_at = time.monotonic() + PURGE_SECONDS
                try:
                    self.purge()
                except Unavailable as error:
                    log.warning("what is old is kept for another day: %s", error)
                except Exception:
                    log.exception("what is old is kept for another day")


def _store(db: Connection, calls: Sequence[Call], used: Used) -> None:
    repository = Calls(db)
    if calls:
        repository.add(calls)
    for noun, table in (("token", "access_token"), ("login", "login")):
        repository.touch(table, {number: at for (kind, number), at in used.items() if kind == noun})
