"""What a running server does by itself, every so often."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from taskpilot.app import App
from taskpilot.domain.caller import NOBODY, Caller
from taskpilot.domain.errors import Unavailable
from taskpilot.domain.scopes import EVERY
from taskpilot.ops import claims

LEASES_SECONDS = 2.0
ITSELF = Caller(NOBODY, "taskpilot", "upkeep", scopes=EVERY)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Chore:
    name: str
    """As the log says it: what is left undone while it fails."""
    seconds: float
    """From its end to its next beginning."""
    do: Callable[[App], None]
    """Safe to repeat, and cheap when there is nothing to do. Ends early once the app is leaving."""


def return_tasks(app: App) -> None:
    """Put back the tasks of everybody whose lease ran out, instead of when the next one asks for a task."""
    for owner in app.run(ITSELF, claims.list_lapsed_owners):
        while not app.leaving and len(app.run(replace(ITSELF, user=owner), claims.sweep)) == claims.SWEPT_AT_ONCE:
            pass


CHORES = (Chore("returning tasks whose leases ran out", LEASES_SECONDS, return_tasks),)


@contextmanager
def keep_up(app: App, chores: Sequence[Chore] = CHORES) -> Generator[None]:
    """Do the chores in a thread of their own for as long as this lasts."""
    stop = threading.Event()
    thread = threading.Thread(target=_follow, args=(app, chores, stop), name="upkeep", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _follow(app: App, chores: Sequence[Chore], stop: threading.Event) -> None:
    due = [time.monotonic()] * len(chores)
    failing: set[str] = set()
    while not stop.wait(max(0.0, min(due) - time.monotonic())):
        number = due.index(min(due))
        _do(app, chores[number], failing)
        due[number] = time.monotonic() + chores[number].seconds


def _do(app: App, chore: Chore, failing: set[str]) -> None:
    """One that fails is tried again at its next turn, and told of once."""
    try:
        chore.do(app)
        failing.discard(chore.name)
    except Exception as error:
        if chore.name not in failing:
            known = isinstance(error, Unavailable)
            log.warning("%s has to wait: %s", chore.name, error, exc_info=None if known else error)
        failing.add(chore.name)
