"""The process that carries runs out: looks for work, shows that it is alive, takes over from the dead, and leaves."""

from __future__ import annotations

import asyncio
import logging
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Concatenate, ParamSpec, TypeVar
from uuid import uuid4

from taskpilot.agents import course
from taskpilot.agents.attempt import Attempt, Failed, Halt, Halted
from taskpilot.agents.engine import Engine, remember
from taskpilot.agents.repository import reaper
from taskpilot.agents.station import BEAT, LEASE, Station
from taskpilot.domain.caller import worker
from taskpilot.domain.errors import Conflict, NotFound, TaskPilotError, Unavailable
from taskpilot.domain.events import Event
from taskpilot.ops import attempts, dispatch
from taskpilot.store.run_queue import Ticket
from taskpilot.store.work import Work

LOOK = 0.5
"""Seconds between two looks for work, if nothing was heard meanwhile."""
LOOK_AGAIN = 5.0
"""Seconds until what could not be admitted is tried again, if nothing was heard meanwhile."""
BEGIN = 30.0
"""Seconds from asking the engine for a run until it must have begun."""
LEAVE = 8.0
"""Seconds that attempts may take to end when the worker has to go."""
REAP = 3_600.0
NEWS = ("task", "claim", "policy", "question", "link", "project", "wip_limit")

Hear = Callable[[Sequence[Event]], None]
P = ParamSpec("P")
R = TypeVar("R")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    concurrency: int = 2
    user_most: int = 0
    """Runs of one user at a time; 0: any number."""
    leave_when_idle: float = 0
    """Seconds; 0: it stays."""
    keep_days: int = 0
    """Days that worktrees of runs at rest are kept; 0: for ever."""


class Worker:
    def __init__(self, station: Station, engine: Engine, terms: Terms) -> None:
        self.station = station
        self._engine = engine
        self._terms = terms
        self._attempts: dict[int, Attempt] = {}
        self._begun: dict[int, float] = {}
        """Runs that were asked for, each with when; they count as under way."""
        self._leaving = asyncio.Event()
        self._wake = asyncio.Event()
        self._news = True
        self._looked = 0.0
        self._beat = time.monotonic()

    async def serve(self) -> bool:
        """Until it is told to leave, which is False, or there has been nothing to do for long enough."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.leave)
        stop = self.station.app.subscribe(lambda events: _pass(loop, self._hear, events))
        await self.station.call(worker(), attempts.forsake, self.station.worker)
        await self._engine.open(self.carry_out)
        beating = asyncio.create_task(self._live())
        reaping = asyncio.create_task(self._reap())
        log.info("worker %s is ready", self.station.worker, extra={"worker": self.station.worker})
        try:
            await self._work()
            return not self._leaving.is_set()
        finally:
            stop()
            await self._give_back()
            for task in (beating, reaping):
                task.cancel()
            await asyncio.gather(beating, reaping, return_exceptions=True)
            await self._engine.close()

    def leave(self) -> None:
        self._leaving.set()
        self._wake.set()

    # Looking for work

    async def _work(self) -> None:
        idle_since = time.monotonic()
        while not self._leaving.is_set():
            try:
                if await self._look():
                    idle_since = time.monotonic()
            except TaskPilotError as error:
                log.warning("cannot look for work: %s", error)
            except Exception:
                log.exception("looking for work failed")
            limit = self._terms.leave_when_idle
            if limit and time.monotonic() - idle_since > limit:
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), LOOK)
            self._wake.clear()

    async def _look(self) -> bool:
        """Begin as much as there is room for; whether there is anything to do."""
        now = time.monotonic()
        self._begun = {run: at for run, at in self._begun.items() if run in self._attempts or now - at < BEGIN}
        news, self._news = self._news, False  # what is heard from here on is for the next look
        agenda = await self.station.app.call(worker(), dispatch.list_agenda)
        for ticket in agenda.silent:
            await self._call(ticket, dispatch.interrupt, ticket.run)
        if not self._room:
            self._news = self._news or news
            return True
        free = [*agenda.silent, *agenda.interrupted, *agenda.admitted]
        for ticket in free:
            await self._begin(ticket)
        if news or now - self._looked > LOOK_AGAIN:
            self._looked = now
            for ticket in agenda.waiting:
                if self._room and await self._call(ticket, dispatch.admit, ticket.run, user_most=self._terms.user_most):
                    await self._begin(ticket)
        return bool(free or self._begun)

    @property
    def _room(self) -> int:
        return 0 if self._leaving.is_set() else max(0, self._terms.concurrency - len(self._begun))

    async def _begin(self, ticket: Ticket) -> None:
        if not self._room or ticket.run in self._begun:
            return
        if await self._call(ticket, attempts.reserve, ticket.run, lease=LEASE):
            self._begun[ticket.run] = time.monotonic()
            try:
                await self._engine.begin(ticket)
            except BaseException:
                self._begun.pop(ticket.run, None)
                raise

    async def _call(
        self, ticket: Ticket, op: Callable[Concatenate[Work, P], R], /, *args: P.args, **kwargs: P.kwargs
    ) -> R | None:
        try:
            return await self.station.app.call(worker(ticket.owner, run=ticket.run), op, *args, **kwargs)
        except (Conflict, NotFound) as error:  # somebody was quicker, or it is gone
            log.debug("run %s: %s", ticket.run, error)
            return None

    # Carrying out

    async def carry_out(self, run: int, owner: int) -> str:
        """One attempt at a run, in the engine's hands. What raises CancelledError is gone on with by another."""
        attempt: Attempt | None = None
        try:
            attempt = await self._take(run, owner)
            if attempt is None:
                return "over"
            self._attempts[run] = attempt
            await self._check_stop(attempt)
            await course.follow(attempt, remember)
            return "done"
        except Halted as halted:
            log.info("run %s is let go: %s", run, halted.why.value)
            raise asyncio.CancelledError from None
        except Unavailable as error:
            log.warning("run %s is let go: %s", run, error)
            raise asyncio.CancelledError from None
        except Exception as error:
            await self._confess(run, attempt, error)
            return "failed"
        finally:
            if self._attempts.get(run) is attempt:
                self._attempts.pop(run, None)
            self._begun.pop(run, None)
            self._news = True
            self._wake.set()

    async def _take(self, run: int, owner: int) -> Attempt | None:
        found = await self.station.call(worker(owner, run=run), attempts.find, run)
        caller = worker(owner, str(found.agent), run)
        try:
            order = await self.station.call(caller, dispatch.take, run, self.station.worker, lease=LEASE)
        except (Conflict, Unavailable) as error:
            log.info("run %s cannot be taken: %s", run, error)
            raise asyncio.CancelledError from None  # once more, when its reservation is over
        except TaskPilotError as error:
            await self.station.call(caller, attempts.refuse, run, str(error))
            return None
        return Attempt(self.station, order) if order else None

    async def _check_stop(self, attempt: Attempt) -> None:
        """Somebody may have wanted it to stop before anybody listened for that."""
        run = await self.station.call(attempt.caller, attempts.find, attempt.order.run.id)
        if run.stop_asked_at is not None:
            attempt.halt(Halt.STOP)
        if self._leaving.is_set():
            attempt.halt(Halt.LEAVE)

    async def _confess(self, run: int, attempt: Attempt | None, error: Exception) -> None:
        """A bug of ours, told as one."""
        incident = uuid4().hex[:12]
        log.error("bug %s in run %s", incident, run, exc_info=error, extra={"incident": incident})
        if attempt is None:
            raise asyncio.CancelledError
        words = f"Something went wrong in TaskPilot itself (incident {incident}). The worker's log says more."
        with suppress(Halted, Failed):
            await attempt.call(dispatch.finish, attempt.order.hold, ok=False, error=words)

    # Signs of life

    async def _live(self) -> None:
        while True:
            known = {run: attempt for run, attempt in self._attempts.items() if not attempt.over}
            try:
                kept = set(await self.station.app.call(worker(), dispatch.renew, self.station.worker, lease=LEASE))
                self._beat = time.monotonic()
            except Unavailable as error:
                log.warning("no sign of life could be given: %s", error)
                kept = set(known) if time.monotonic() - self._beat < LEASE else set[int]()
            for run, attempt in known.items():
                if run not in kept:
                    attempt.halt(Halt.LOST)
            await asyncio.sleep(BEAT)

    def _hear(self, events: Sequence[Event]) -> None:
        for event in events:
            if event.noun == "question":
                self.station.bells.ring(event.subject)
            if event.kind == "run.stopping" and event.subject in self._attempts:
                self._attempts[event.subject].halt(Halt.STOP)
            if event.noun in NEWS or (event.noun == "run" and "state" in event.after) or event.kind == "run.queued":
                self._news = True
                self._wake.set()

    async def _give_back(self) -> None:
        """Stop the agents; what they were doing is gone on with elsewhere, from where they were."""
        self._leaving.set()
        under_way = list(self._attempts.values())
        for attempt in under_way:
            attempt.halt(Halt.LEAVE)
        until = time.monotonic() + LEAVE
        while self._begun and time.monotonic() < until:
            self._wake.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), until - time.monotonic())
        for attempt in under_way:
            with suppress(TaskPilotError):
                await self.station.app.call(attempt.caller, dispatch.give_back, attempt.order.hold)

    async def _reap(self) -> None:
        """Remove worktrees that nobody has needed for long."""
        while self._terms.keep_days:
            await asyncio.sleep(REAP)
            worktrees = self.station.worktrees
            try:
                runs = await asyncio.to_thread(worktrees.list_runs)
                rested = await self.station.app.call(worker(), attempts.list_at_rest, runs)
                for reaped in await asyncio.to_thread(reaper.reap, worktrees, self._terms.keep_days, rested):
                    log.info("worktree of run %s: %s", reaped.run, reaped.problem or f"{reaped.bytes} bytes freed")
            except (TaskPilotError, OSError) as error:
                log.warning("worktrees cannot be tidied up: %s", error)


def _pass(loop: asyncio.AbstractEventLoop, hear: Hear, events: Sequence[Event]) -> None:
    with suppress(RuntimeError):  # the loop has ended
        loop.call_soon_threadsafe(hear, events)
