"""One worker's go at a run. Whatever is going on in it can be halted; whoever was replaced notices."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Concatenate, ParamSpec, TypeVar

from taskpilot.agents.station import Station
from taskpilot.domain.caller import Caller, worker
from taskpilot.domain.errors import Conflict, NotFound, TaskPilotError, Unavailable
from taskpilot.domain.run import Said
from taskpilot.ops import attempts, dispatch
from taskpilot.ops.dispatch import Order
from taskpilot.store.work import Work

P = ParamSpec("P")
R = TypeVar("R")


class Halt(Enum):
    STOP = "stop"  # somebody wants the run to end
    LEAVE = "leave"  # the worker has to go; another goes on
    LOST = "lost"  # another has it, or there is no way to know


class Halted(Exception):
    def __init__(self, why: Halt) -> None:
        super().__init__(why)
        self.why = why


class Failed(Exception):
    """What keeps a run from being carried out, in words for whoever wanted it."""


@dataclass(slots=True)
class Attempt:
    station: Station
    order: Order
    halted: Halt | None = None
    over: bool = False
    """It is about to say how it ended: nothing is left to be halted."""
    held: ExitStack = field(default_factory=ExitStack)
    """What it lets go of at the end."""
    _doing: asyncio.Task[Any] | None = None

    @property
    def caller(self) -> Caller:
        return worker(self.order.hold.owner, str(self.order.run.agent), self.order.run.id)

    def halt(self, why: Halt) -> None:
        """End what is going on. The first reason counts, unless the run is lost."""
        if self.over or self.halted is Halt.LOST or (self.halted is not None and why is not Halt.LOST):
            return
        self.halted = why
        if self._doing is not None:
            self._doing.cancel()

    async def heed(self, doing: Coroutine[Any, Any, R]) -> R:
        """Do something that can be halted."""
        if self.halted is not None:
            doing.close()
            raise Halted(self.halted)
        self._doing = task = asyncio.create_task(doing)
        try:
            return await task
        except asyncio.CancelledError:
            if self.halted is not None:
                raise Halted(self.halted) from None
            raise
        finally:
            self._doing = None

    async def call(self, op: Callable[Concatenate[Work, P], R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """An operation in the name of the run."""
        try:
            return await self.station.call(self.caller, op, *args, **kwargs)
        except TaskPilotError as error:
            raise await self.explain(error) from None

    async def explain(self, error: TaskPilotError) -> Exception:
        """What a refusal means: the run is lost, or it cannot be carried out."""
        if isinstance(error, Conflict | NotFound) and not await self.is_current():
            return Halted(Halt.LOST)
        return Failed(str(error))

    async def is_current(self) -> bool:
        try:
            return await self.station.call(self.caller, attempts.is_current, self.order.hold)
        except (NotFound, Unavailable):
            return False

    async def note(self, *said: Said) -> None:
        await self.call(dispatch.note, self.order.hold, said)

    def guard(self) -> None:
        """Raises where the run is another's by now. For threads."""
        self.station.app.run(self.caller, dispatch.check, self.order.hold)
