"""How often somebody may ask: a bucket for each, that refills steadily."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from typing import NamedTuple

REMEMBERED = 50_000
"""Buckets kept; the one untouched for longest goes first, and is most likely full anyway."""


class Verdict(NamedTuple):
    limit: int
    """Requests a minute."""
    left: int
    wait: int
    """Seconds until the next is let through; 0: go ahead."""

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        """The usual ones."""
        reset = self.wait or ceil((self.limit - self.left) * 60 / self.limit)
        return [
            (b"ratelimit-limit", b"%d" % self.limit),
            (b"ratelimit-remaining", b"%d" % self.left),
            (b"ratelimit-reset", b"%d" % reset),
        ]


class Buckets:
    """One bucket a key, holding a minute's worth. In this process only: several workers allow as many times more."""

    def __init__(self, a_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = a_minute
        self._clock = clock
        self._levels: OrderedDict[object, tuple[float, float]] = OrderedDict()

    def take(self, key: object) -> Verdict | None:
        """Count one request. None: there is no limit."""
        if not self._limit:
            return None
        now, rate = self._clock(), self._limit / 60
        level, then = self._levels.get(key, (float(self._limit), now))
        level = min(self._limit, level + (now - then) * rate)
        allowed = level >= 1
        self._levels[key] = (level - allowed, now)
        self._levels.move_to_end(key)
        if len(self._levels) > REMEMBERED:
            self._levels.popitem(last=False)
        return Verdict(self._limit, int(level - allowed), 0 if allowed else ceil((1 - level) / rate))
