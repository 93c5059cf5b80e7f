"""Guessing passwords is slow: ten tries for one account, then two a minute.

Tries are counted per account, wherever they come from, since many addresses are cheap. Somebody who got in from an
address before has tries of their own there, so that a stranger's guessing does not keep them out.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

from taskpilot.domain.errors import TooOften

AT_ONCE = 10
REFILL_SECONDS = 30
REMEMBERED = 20_000

V = TypeVar("V")
Key = tuple[str, str]
"""An account, and an address it was entered from; empty: any other."""


class Guesses:
    """In this process only: several workers allow as many times more."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._left: OrderedDict[Key, tuple[float, float]] = OrderedDict()
        self._familiar: OrderedDict[Key, None] = OrderedDict()

    def take(self, account: str, address: str = "") -> None:
        """Count one try before it is made: a hundred at the same time are a hundred."""
        with self._lock:
            key, now = self._key(account, address), self._clock()
            left, then = self._left.get(key, (float(AT_ONCE), now))
            left = min(AT_ONCE, left + (now - then) / REFILL_SECONDS)
            if left < 1:
                raise TooOften(
                    "There were too many wrong passwords for this account.",
                    hint="Try again in half a minute.",
                    wait=REFILL_SECONDS,
                )
            _remember(self._left, key, (left - 1, now))

    def forgive(self, account: str, address: str = "") -> None:
        """The password was right."""
        with self._lock:
            self._left.pop(self._key(account, address), None)
            if address:
                _remember(self._familiar, (account, address), None)

    def clear(self) -> None:
        with self._lock:
            self._left.clear()
            self._familiar.clear()

    def _key(self, account: str, address: str) -> Key:
        return (account, address) if (account, address) in self._familiar else (account, "")


def _remember(kept: OrderedDict[Key, V], key: Key, value: V) -> None:
    kept[key] = value
    kept.move_to_end(key)
    if len(kept) > REMEMBERED:
        kept.popitem(last=False)
