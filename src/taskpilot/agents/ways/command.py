"""Any program by its argv: what it prints is its message, what it complains of is its log, its exit code decides.

The prompt is in the variable TASKPILOT_PROMPT; standard input is closed.
"""

from __future__ import annotations

import asyncio

from taskpilot.agents.kinds.kind import Start
from taskpilot.agents.kinds.transcript import Transcript
from taskpilot.agents.programs.processes import Process
from taskpilot.agents.talk import Listener, Outcome, Turn
from taskpilot.agents.ways.program import end, explain, following, pass_on, running
from taskpilot.domain.errors import Invalid
from taskpilot.domain.run import Kind

PROMPT = "TASKPILOT_PROMPT"
PROMPT_MOST = 100_000
"""Bytes: the system takes no longer variable than 128 KiB."""
ERRORS_MOST = 4 * 1024 * 1024
"""Bytes of complaints that may wait to be heard; of more, the last half."""
BREATH = 0.03
"""Seconds for more lines to come, so that a flood of them is told in few pieces."""
FEW = 20
"""Lines that come at once and are still told one by one."""


class Command:
    async def converse(self, turn: Turn, listener: Listener) -> Outcome:
        if not turn.argv:
            raise Invalid("There is no command to run.", hint='Give config.command, for example ["make", "test"].')
        prompt = turn.prompt.encode(errors="replace")[:PROMPT_MOST].decode(errors="ignore").replace("\0", "")
        heard, errors = Transcript(turn.cwd), Errors()
        async with running(Start(argv=turn.argv, env={PROMPT: prompt}), turn, errors.hear) as process:
            process.stdin.close()
            await _listen(process, errors, heard, listener)
            code = await process.wait()
            _tell(errors.take(last=True), Kind.LOG, heard)
            await pass_on(heard, listener)
            error = explain(f"{turn.argv[0]} ended with exit code {code}.", process) if code else ""
        await end(listener, "exit", error)
        return Outcome(ok=not code, reason="exit", error=error, exit_code=code)


async def _listen(process: Process, errors: Errors, heard: Transcript, listener: Listener) -> None:
    """Both of its outputs as they come, in no particular order to each other."""
    async with following(process) as lines:
        getting = asyncio.create_task(lines.get())
        try:
            while True:
                ringing = asyncio.create_task(errors.came.wait())
                await asyncio.wait({getting, ringing}, return_when=asyncio.FIRST_COMPLETED)
                ringing.cancel()
                await asyncio.sleep(BREATH)
                _tell(errors.take(), Kind.LOG, heard)
                if getting.done():
                    out = [getting.result()]
                    while out[-1] is not None and not lines.empty():
                        out.append(lines.get_nowait())
                    _tell([line for line in out if line is not None], Kind.MESSAGE, heard)
                    if out[-1] is None:
                        return
                    getting = asyncio.create_task(lines.get())
                await pass_on(heard, listener)
        finally:
            getting.cancel()


def _tell(lines: list[str], kind: Kind, heard: Transcript) -> None:
    lines = [line for line in lines if line.strip()]
    for text in lines if len(lines) <= FEW else ["\n".join(lines)]:
        heard.say(kind, text)


class Errors:
    """Whole lines of standard error, kept until they are taken."""

    def __init__(self) -> None:
        self.came = asyncio.Event()
        self._kept = bytearray()

    def hear(self, data: bytes) -> None:
        self._kept += data
        if len(self._kept) > ERRORS_MOST:
            del self._kept[: -ERRORS_MOST // 2]
        if b"\n" in data:
            self.came.set()

    def take(self, *, last: bool = False) -> list[str]:
        self.came.clear()
        cut = len(self._kept) if last else self._kept.rfind(b"\n") + 1
        taken = bytes(self._kept[:cut])
        del self._kept[:cut]
        return taken.decode(errors="replace").splitlines()
