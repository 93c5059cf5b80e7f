"""Hears the agent of a run: writes down what it says, and answers what it asks."""

from __future__ import annotations

import asyncio
from typing import Any

from taskpilot.agents.caps import Meter, Reached
from taskpilot.agents.programs.masks import Mask
from taskpilot.agents.station import Station
from taskpilot.agents.talk import Asked
from taskpilot.domain.caller import Caller
from taskpilot.domain.question import ALLOW_ALWAYS, ALLOW_ONCE, DENY, PERMISSION, Option
from taskpilot.domain.run import Kind, Said
from taskpilot.ops import attempts, dispatch, policies, questions
from taskpilot.ops.dispatch import Order

DELAY = 0.25
"""Seconds that something said may wait until it is written down."""
TOGETHER = 50
ASK_AGAIN = 1.0
_FITTING = {
    ALLOW_ONCE.id: ("allow_once", "allow_always"),
    ALLOW_ALWAYS.id: ("allow_always", "allow_once"),
    DENY.id: ("reject_once", "reject_always"),
}


class Scribe:
    """What it cannot write down, because the run is another's by now, ends the conversation."""

    def __init__(self, station: Station, caller: Caller, order: Order, meter: Meter, mask: Mask) -> None:
        self.last = ""
        """The last message."""
        self.failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._station = station
        self._caller = caller
        self._order = order
        self._meter = meter
        self._mask = mask
        self._heard: list[Said] = []
        self._session = ""
        self._writing: asyncio.Task[None] | None = None
        self._written = 0.0
        self._soon: asyncio.TimerHandle | None = None

    async def hear(self, said: Said) -> None:
        if self.failed.done():
            self.failed.result()
        self._meter.hear()
        data = self._mask.mask_data(dict(said.data)) if said.data else None
        masked = Said(said.kind, self._mask.mask(said.text), data)
        if masked.kind is Kind.MESSAGE and masked.text.strip():
            self.last = masked.text
        self._heard.append(masked)
        if len(self._heard) >= TOGETHER:
            await self.flush()
        elif self._soon is None:
            loop = asyncio.get_running_loop()
            self._soon = loop.call_at(self._written + DELAY, self._write_now)  # at once, if it was silent for long

    async def remember(self, session: str) -> None:
        self._session = session
        await self.flush()

    async def permit(self, asked: Asked) -> str:
        with self._meter.paused():
            await self.flush()
            verdict = await self._consult(asked)
            if verdict is None:
                return _find(asked.options, await self._ask(asked))
        chosen = ALLOW_ONCE.id if verdict else DENY.id
        await self.hear(
            Said(Kind.PERMISSION_REQUEST, asked.title, {"kind": asked.kind, "answer": chosen, "by": "policy"})
        )
        return _find(asked.options, chosen)

    async def next_prompt(self) -> str | None:
        with self._meter.paused():  # what was used up by a turn that is over keeps it from no more than the next
            await self.flush()
            if not await self._call(attempts.has_more, self._order.hold):
                return None
        if await self.is_worn():
            await asyncio.Event().wait()  # the meter ends the conversation
        return await self._call(dispatch.next_instructions, self._order.hold)

    async def is_worn(self) -> bool:
        """Whether a cap keeps it from being told more."""
        run = await self._call(attempts.find, self._order.run.id)
        most = self._meter.caps.turns
        if most and run.turns >= most and await self._call(attempts.has_more, self._order.hold):
            self._meter.reach(Reached("turns", most, run.turns))
        self._meter.weigh(run)
        return self._meter.full

    async def flush(self) -> None:
        """Write down all that was said until now. What was said is not lost if whoever waits here is cancelled."""
        while self._heard or self._session or self._writing is not None:
            await asyncio.shield(self._write_now())

    async def close(self) -> None:
        """Write down the rest. Nobody is heard after that."""
        try:
            await self.flush()
        finally:
            if self._soon is not None:
                self._soon.cancel()
            self.failed.cancel()

    def _write_now(self) -> asyncio.Task[None]:
        if self._soon is not None:
            self._soon.cancel()
            self._soon = None
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
            self._writing.add_done_callback(self._look_back)
        return self._writing

    async def _write(self) -> None:
        self._written = asyncio.get_running_loop().time()
        batch, self._heard = self._heard, []
        session, self._session = self._session, ""
        if batch or session:
            self._meter.weigh(await self._call(dispatch.note, self._order.hold, batch, session=session))

    def _look_back(self, writing: asyncio.Task[None]) -> None:
        self._writing = None
        error = None if writing.cancelled() else writing.exception()
        if error is not None and not self.failed.done():
            self.failed.set_exception(error)

    async def _consult(self, asked: Asked) -> bool | None:
        workspace = self._order.workspace.id
        return (await self._call(policies.get, workspace)).answer(asked.kind)

    async def _ask(self, asked: Asked) -> str:
        """The answer of the person the run works for; empty where nobody wants to know it any more."""
        data = {"kind": asked.kind, **self._mask.mask_data(dict(asked.data or {})), "permission": asked.kind}
        question = await self._call(attempts.ask, self._order.hold, self._mask.mask(asked.title), PERMISSION, data)
        while question.open:
            await self._station.bells.wait(question.id, ASK_AGAIN)
            question = await self._call(questions.get, question.id)
        return question.answer

    async def _call(self, op: Any, *args: Any, **kwargs: Any) -> Any:
        return await self._station.call(self._caller, op, *args, **kwargs)


def _find(offered: tuple[Option, ...], answer: str) -> str:
    """The agent's own name for an answer; empty where it has none."""
    kinds = _FITTING.get(answer, ())
    found = (option.id for kind in kinds for option in offered if option.kind == kind)
    return next(found, "")
