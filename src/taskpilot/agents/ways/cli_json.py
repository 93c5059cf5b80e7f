"""An agent by the JSON that its own command-line program prints, one event a line.

Such a program answers one prompt and goes; more in the same session is the same program, told to resume it. It cannot
ask on its way, so that the one permission it needs, to do as it sees fit in its worktree, is asked before it starts.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from dataclasses import replace

from taskpilot.agents.kinds.kind import AgentKind
from taskpilot.agents.kinds.transcript import Transcript, load
from taskpilot.agents.programs.processes import Process
from taskpilot.agents.talk import Listener, Outcome, Said, Turn
from taskpilot.agents.ways.program import ask_first, end, explain, following, pass_on, running
from taskpilot.domain.run import Kind

GOODBYE = 10.0
"""Seconds that a program may take to go after its last word."""
_LOST = re.compile(
    r"\b(no|invalid|unknown)\b.{0,30}\b(conversation|session|rollout|thread)|"
    r"\b(conversation|session|rollout|thread)\b.{0,80}\bnot found",
    re.IGNORECASE | re.DOTALL,
)


class CliJson:
    def __init__(self, kind: AgentKind) -> None:
        self.kind = kind

    async def converse(self, turn: Turn, listener: Listener) -> Outcome:
        assert self.kind.cli is not None
        if refused := await ask_first(self.kind, self.kind.cli(turn), turn, listener):
            return refused
        while True:
            heard = Transcript(turn.cwd, turn.spent)
            outcome = await self._answer(turn, heard, listener)
            if turn.session and not outcome.ok and not heard.spoke and _LOST.search(outcome.error):
                await listener.hear(Said(Kind.LOG, f"{self.kind.title} has lost its session and begins a new one."))
                turn = replace(turn, session="", prompt=turn.anew or turn.prompt, anew="")
                continue
            await end(listener, outcome.reason, outcome.error)
            prompt = await listener.next_prompt() if outcome.ok and outcome.resumable else None
            if prompt is None:
                return outcome
            turn = replace(turn, session=outcome.session, prompt=prompt, anew="", spent=heard.spent)

    async def _answer(self, turn: Turn, heard: Transcript, listener: Listener) -> Outcome:
        """One prompt, one process."""
        assert self.kind.cli is not None
        start = self.kind.cli(turn)
        async with running(start, turn) as process:
            feeding = asyncio.create_task(_feed(process, start.feed))
            try:
                await self._listen(process, turn.session, heard, listener)
                code = await _leave(process, heard)
            finally:
                feeding.cancel()
                await asyncio.gather(feeding, return_exceptions=True)
            return self._conclude(process, code, turn, heard)

    async def _listen(self, process: Process, known: str, heard: Transcript, listener: Listener) -> None:
        async with following(process) as lines:
            while not heard.hopeless:
                line: str | None = ""
                try:
                    async with asyncio.timeout(GOODBYE if heard.reason else heard.due):
                        line = await lines.get()
                except TimeoutError:
                    if heard.reason:
                        break
                    heard.pass_on()
                if line is None:
                    break
                self._read(line, heard)
                if heard.session and heard.session != known:
                    known = heard.session
                    await listener.remember(known)
                await pass_on(heard, listener)
        heard.flush()
        await pass_on(heard, listener)

    def _read(self, line: str, heard: Transcript) -> None:
        """What is no event, or none that is known, is not for us."""
        event = load(line) if line.startswith("{") else None
        if event and self.kind.read is not None:
            self.kind.read(event, heard)

    def _conclude(self, process: Process, code: int | None, turn: Turn, heard: Transcript) -> Outcome:
        session = heard.session or turn.session
        error, reason = heard.error, heard.reason or "error"
        if not error and (code or not heard.reason):
            how = f"exit code {code}" if code else "no answer"
            error, reason = explain(f"{self.kind.title} ended with {how}.", process), "error"
        elif re.search(r"\b401\b|api key|log ?in|authenticat|credential", error, re.IGNORECASE):
            error = f"{error.rstrip()} {self.kind.sign_in}"
        return Outcome(
            ok=not error, reason=reason, error=error, exit_code=code, session=session, resumable=bool(session)
        )


async def _feed(process: Process, text: str) -> None:
    """Beside the reading: a program may fill its output before it has read all of its input."""
    with contextlib.suppress(ConnectionError):
        process.stdin.write(text.encode(errors="replace"))
        await process.stdin.drain()
        process.stdin.close()


async def _leave(process: Process, heard: Transcript) -> int | None:
    """Its exit code; None where it has said all it had to, and stays."""
    if heard.hopeless:
        return None
    try:
        async with asyncio.timeout(GOODBYE if heard.reason else None):
            return await process.wait()
    except TimeoutError:
        return None
