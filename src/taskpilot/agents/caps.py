"""How much a run may use, and how it is noticed that it has."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass

from taskpilot.domain.policy import Caps
from taskpilot.domain.run import Run

LOOK = 0.25
"""Seconds between two looks at the clock, at most."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A cap that a run has come to."""

    cap: str
    limit: int
    used: int

    def tell(self) -> str:
        return _WORDS[self.cap](self.limit, self.used)


def _dollars(micros: int) -> str:
    return f"${micros / 1_000_000:,.2f}"


_WORDS: dict[str, Callable[[int, int], str]] = {
    "seconds": lambda limit, _: f"It has been at work for {limit:,} s, its limit.",
    "idle_seconds": lambda limit, _: f"It has given no sign of life for {limit:,} s, its limit.",
    "turns": lambda limit, _: f"It has been told something {limit:,} times, its limit.",
    "tokens": lambda limit, used: f"It has used {used:,} tokens; its limit is {limit:,}.",
    "cost_micros": lambda limit, used: f"It has cost {_dollars(used)}; its limit is {_dollars(limit)}.",
}


class Meter:
    """Watches one conversation. Time that a person takes to answer does not count."""

    def __init__(self, caps: Caps, clock: Callable[[], float] = time.monotonic) -> None:
        self.caps = caps
        self._clock = clock
        self._began = self._heard = clock()
        self._pauses = 0
        self._paused_at = 0.0
        self._reached: asyncio.Future[Reached] = asyncio.get_running_loop().create_future()

    def hear(self) -> None:
        """A sign of life."""
        self._heard = self._clock()

    @property
    def full(self) -> bool:
        return self._reached.done()

    def weigh(self, run: Run) -> None:
        """What has been used in all."""
        if self._pauses:
            return
        used = {"tokens": run.tokens_in + run.tokens_out, "cost_micros": run.cost_micros}
        for cap, amount in used.items():
            limit: int = getattr(self.caps, cap)
            if limit and amount >= limit:
                self.reach(Reached(cap, limit, amount))

    def reach(self, cap: Reached) -> None:
        """The first one counts."""
        if not self._reached.done():
            self._reached.set_result(cap)

    @contextmanager
    def paused(self) -> Generator[None]:
        """While somebody is asked."""
        self._pauses += 1
        if self._pauses == 1:
            self._paused_at = self._clock()
        try:
            yield
        finally:
            self._pauses -= 1
            if not self._pauses:
                gone = self._clock() - self._paused_at
                self._began += gone
                self._heard += gone

    async def watch(self) -> Reached:
        """Returns when a cap is reached."""
        while not self._reached.done():
            self._look()
            await asyncio.wait({self._reached}, timeout=LOOK)
        return self._reached.result()

    def _look(self) -> None:
        if self._pauses:
            return
        for cap, since in (("seconds", self._began), ("idle_seconds", self._heard)):
            limit: int = getattr(self.caps, cap)
            gone = self._clock() - since
            if limit and gone >= limit:
                self.reach(Reached(cap, limit, int(gone)))
