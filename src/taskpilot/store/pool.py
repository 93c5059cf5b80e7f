"""A few PostgreSQL connections, shared by threads."""

from __future__ import annotations

import selectors
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus

from taskpilot.domain.errors import Unavailable

Raw = psycopg.Connection[dict[str, Any]]


class Pool:
    """Connections are opened when needed and kept for the next caller.

    Nothing happens in the background: a server that is away fails the call
    that needs it, at once, and one that came back is found by the next call.
    """

    def __init__(self, connect: Callable[[], Raw], size: int, patience: float) -> None:
        self._connect = connect
        self._patience = patience
        self._places = threading.Semaphore(size)
        self._lock = threading.Lock()
        self._idle: list[Raw] = []
        self._closed = False

    @contextmanager
    def borrow(self) -> Generator[Raw]:
        if not self._places.acquire(timeout=self._patience):
            raise Unavailable("The database is busy; nothing was changed.", hint="Try again in a moment.")
        try:
            raw = self._take()
            try:
                yield raw
            finally:
                self._give_back(raw)
        finally:
            self._places.release()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for raw in idle:
            raw.close()

    def _take(self) -> Raw:
        while True:
            with self._lock:
                if self._closed:
                    raise Unavailable("TaskPilot is stopping; nothing was changed.", hint="Repeat when it runs again.")
                raw = self._idle.pop() if self._idle else None
            if raw is None:
                return self._connect()
            if not _has_news(raw):
                return raw
            raw.close()

    def _give_back(self, raw: Raw) -> None:
        with self._lock:
            if not self._closed and raw.info.transaction_status == TransactionStatus.IDLE:
                self._idle.append(raw)
                return
        raw.close()


def _has_news(raw: Raw) -> bool:
    """Whether the server has said something unasked: to an idle connection, that is good-bye.

    Costs no round trip, unlike asking it.
    """
    with selectors.DefaultSelector() as selector:
        selector.register(raw.fileno(), selectors.EVENT_READ)
        return bool(selector.select(0))
