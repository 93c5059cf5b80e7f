"""Where a worker sits: what all of its attempts share."""

from __future__ import annotations

import asyncio
import hashlib
import os
import platform
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from taskpilot.agents.repository.worktrees import Worktrees
from taskpilot.app import App
from taskpilot.domain.caller import Caller
from taskpilot.domain.errors import Unavailable
from taskpilot.store.work import Work

LEASE = 8.0
"""Seconds after its last sign of life until a worker is taken for dead."""
BEAT = 2.0
PATIENCE = 20.0
"""Seconds to wait for a database that is away."""
RETRY = 0.5

P = ParamSpec("P")
R = TypeVar("R")


def name_worker(data_dir: Path, name: str = "") -> str:
    """By machine and data folder, so that it is the same one when it is started again."""
    place = hashlib.sha256(os.fsencode(os.path.realpath(data_dir))).hexdigest()[:6]
    return "-".join(part for part in (platform.node() or "worker", place, name) if part)


@dataclass(slots=True)
class Bells:
    """Who wants to hear of an answer to a question."""

    waiting: dict[int, asyncio.Event] = field(default_factory=dict[int, asyncio.Event])

    def ring(self, question: int) -> None:
        if question in self.waiting:
            self.waiting[question].set()

    async def wait(self, question: int, seconds: float) -> None:
        """Until it is answered, or this long."""
        bell = self.waiting.setdefault(question, asyncio.Event())
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(bell.wait(), seconds)
        finally:
            self.waiting.pop(question, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Station:
    app: App
    data_dir: Path
    worker: str
    desk: str = ""
    """The address that agents reach their desk at; empty: they have none."""
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    bells: Bells = field(default_factory=Bells)

    @property
    def worktrees(self) -> Worktrees:
        return Worktrees.below(self.data_dir)

    async def call(
        self, caller: Caller, op: Callable[Concatenate[Work, P], R], /, *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """An operation; a database that is away is waited for."""
        until = asyncio.get_running_loop().time() + PATIENCE
        while True:
            try:
                return await self.app.call(caller, op, *args, **kwargs)
            except Unavailable:
                if asyncio.get_running_loop().time() > until or self.app.stopping:
                    raise
                await asyncio.sleep(RETRY)
