"""Who called what without changing anything: gathered in memory, and written in batches off everybody's path.

A crash loses at most the last second of it. What changes something is written with the change, as an event.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import datetime
from typing import Literal

from taskpilot.domain.calls import Call
from taskpilot.domain.errors import TaskPilotError
from taskpilot.store.calls import Calls
from taskpilot.store.database import Connection

SECONDS = 0.5
MOST_WAITING = 50_000
"""While the database is away. After that, the newest are not kept."""

Noun = Literal["token", "login"]
Write = Callable[[Callable[[Connection], None]], None]
"""Runs one job in a transaction and waits for it."""

log = logging.getLogger(__name__)


class Trail:
    """The thread starts with the first entry, and ends with `close`."""

    def __init__(self, write: Write) -> None:
        self._write = write
        self._calls: list[Call] = []
        self._used: dict[tuple[Noun, int], datetime] = {}
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, call: Call) -> None:
        with self._lock:
            if len(self._calls) < MOST_WAITING:
                self._calls.append(call)
        self._wake()

    def touch(self, noun: Noun, number: int, at: datetime) -> None:
        with self._lock:
            self._used[noun, number] = at
        self._wake()

    def flush(self) -> None:
        """Write what has gathered, now."""
        with self._lock:
            calls, used = self._calls, self._used
            self._calls, self._used = [], {}
        if not calls and not used:
            return
        try:
            self._write(lambda db: _store(db, calls, used))
        except TaskPilotError as error:
            log.warning("%d entries of the audit wait for the database: %s", len(calls), error)
            with self._lock:
                self._calls = (calls + self._calls)[:MOST_WAITING]
                self._used = used | self._used

    def close(self) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        self.flush()

    def _wake(self) -> None:
        if self._thread is None:
            with self._lock:
                if self._thread is None:
                    self._thread = threading.Thread(target=self._follow, name="trail", daemon=True)
                    self._thread.start()

    def _follow(self) -> None:
        while not self._stop.wait(SECONDS):
            self.flush()


def _store(db: Connection, calls: list[Call], used: dict[tuple[Noun, int], datetime]) -> None:
    repository = Calls(db)
    if calls:
        repository.add(calls)
    for noun, table in (("token", "access_token"), ("login", "login")):
        repository.touch(table, {number: at for (kind, number), at in used.items() if kind == noun})
