"""Following the event log: what anybody commits, in any process, told once and in order."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence

from taskpilot.domain.errors import TaskPilotError
from taskpilot.domain.events import Event
from taskpilot.store.database import Database
from taskpilot.store.events import Events

logger = logging.getLogger(__name__)

WAIT_SECONDS = 0.2
PAUSE_SECONDS = 0.02
"""Between deliveries, so that a burst of commits is read in a few gulps."""
RETRY_SECONDS = 0.5
READ_AT_ONCE = 1_000
NOBODY = 0

Listener = Callable[[Sequence[Event]], None]


class Feed:
    """One thread that waits for commits and reads the events past the last it has seen.

    Local and foreign changes come the same way, so no listener can see one
    twice, miss one, or see them out of order.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._listeners: tuple[tuple[Listener, int], ...] = ()
        """Each with the last event there was when it came: it hears of later ones only."""
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._last = 0
        self._away = False

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        with self._lock:
            with self._database.reading() as db:
                last = Events(db, NOBODY).last()
            entry = (listener, last)
            self._listeners = (*self._listeners, entry)
            if self._thread is None:
                self._last = last
                self._thread = threading.Thread(target=self._follow, name="feed", daemon=True)
                self._thread.start()

        def unsubscribe() -> None:
            with self._lock:
                self._listeners = tuple(other for other in self._listeners if other is not entry)

        return unsubscribe

    def close(self) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _follow(self) -> None:
        while not self._stop.is_set():
            try:
                if self._database.wait_for_commit(WAIT_SECONDS):
                    self._deliver()
                    self._stop.wait(PAUSE_SECONDS)
                self._away = False
            except Exception as error:
                self._complain(error)
                self._stop.wait(RETRY_SECONDS)

    def _deliver(self) -> None:
        while not self._stop.is_set():
            with self._database.reading() as db:
                events = Events(db, NOBODY).after(self._last, READ_AT_ONCE)
            if not events:
                return
            self._last = events[-1].id
            for listener, since in self._listeners:
                fresh = events if events[0].id > since else [event for event in events if event.id > since]
                if fresh:
                    _tell(listener, fresh)

    def _complain(self, error: Exception) -> None:
        """Once for each time the database goes away; what was missed is read when it is back."""
        if not isinstance(error, TaskPilotError):
            logger.exception("Following the event log failed")
        elif not self._away:
            logger.warning("Cannot follow the event log for now: %s", error)
        self._away = True


def _tell(listener: Listener, events: Sequence[Event]) -> None:
    try:
        listener(events)
    except Exception:
        logger.exception("A listener failed")
