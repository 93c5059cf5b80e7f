"""A program at work for a turn: started, read line by line, and gone when the turn is over, whatever happens."""

from __future__ import annotations

import asyncio
import contextlib
import re
import shutil
import tempfile
from collections.abc import AsyncGenerator, Callable, Generator
from dataclasses import dataclass, replace
from pathlib import Path

from taskpilot.agents.kinds.kind import AgentKind, Start
from taskpilot.agents.kinds.transcript import Transcript
from taskpilot.agents.programs.processes import Launch, Process, launch
from taskpilot.agents.talk import Asked, Listener, Outcome, Said, Turn
from taskpilot.domain.question import PERMISSION
from taskpilot.domain.run import Kind

LINE_MOST = 32 * 1024 * 1024
LINES_MOST = 1_000
GRACE = 1.5
"""Seconds from being asked to stop to being stopped."""
LAST_WORDS = 0.5
"""Seconds for what is still in the pipe of a program that has gone."""
COMPLAINTS_MOST = 1_000
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@contextlib.asynccontextmanager
async def running(start: Start, turn: Turn, overhear: Callable[[bytes], None] | None = None) -> AsyncGenerator[Process]:
    """Leaves nothing alive, also when it is cancelled, and cancelled again while it cleans up."""
    with make_folder() as folder:
        named = dict(await asyncio.to_thread(start.settle, folder)) if start.settle else dict[str, str]()
        sandbox = turn.sandbox and replace(turn.sandbox, writable=(*turn.sandbox.writable, folder))
        env = {**turn.env, **start.env, **named}
        process = await launch(Launch(argv=start.argv, cwd=turn.cwd, env=env, sandbox=sandbox, overhear=overhear))
        try:
            yield process
        finally:
            await insist(process)


async def insist(process: Process) -> None:
    stopping = asyncio.ensure_future(process.stop(GRACE))
    cancelled = False
    while not stopping.done():
        try:
            await asyncio.shield(stopping)
        except asyncio.CancelledError:
            cancelled = True
    if cancelled:
        raise asyncio.CancelledError
    stopping.result()


@contextlib.contextmanager
def make_folder() -> Generator[Path]:
    """For the settings of one start; gone when that is over."""
    folder = Path(tempfile.mkdtemp(prefix="taskpilot-settings-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


Lines = asyncio.Queue[str | None]


@contextlib.asynccontextmanager
async def following(process: Process) -> AsyncGenerator[Lines]:
    """The lines of its output as they come, and None when there will be no more.

    A child that outlives the program may hold its output open; nobody waits for that.
    """
    lines: Lines = asyncio.Queue(LINES_MOST)
    progress = Progress()
    reading = asyncio.create_task(_read_lines(process.stdout, lines, progress))
    watching = asyncio.create_task(_watch(process, reading, lines, progress))
    try:
        yield lines
    finally:
        for task in (watching, reading):
            task.cancel()
        await asyncio.gather(watching, reading, return_exceptions=True)


@dataclass(slots=True)
class Progress:
    """How much was read: as long as that grows, there is more to come."""

    steps: int = 0


async def _read_lines(reader: asyncio.StreamReader, lines: Lines, progress: Progress) -> None:
    """However long a line is, it is read; beyond all measure, it is cut."""
    rest = bytearray()
    while block := await reader.read(65_536):
        progress.steps += 1
        *whole, last = block.split(b"\n")
        for line in whole:
            rest += line
            await lines.put(rest.decode(errors="replace").rstrip("\r"))
            progress.steps += 1
            rest.clear()
        if len(rest) < LINE_MOST:
            rest += last
    if rest:
        await lines.put(rest.decode(errors="replace"))


async def _watch(process: Process, reading: asyncio.Task[None], lines: Lines, progress: Progress) -> None:
    leaving = asyncio.create_task(process.wait())
    try:
        await asyncio.wait({reading, leaving}, return_when=asyncio.FIRST_COMPLETED)
        while not reading.done():
            before = progress.steps
            await asyncio.wait({reading}, timeout=LAST_WORDS)
            if not lines.full() and progress.steps == before:
                reading.cancel()
        await lines.put(None)
    finally:
        leaving.cancel()


async def ask_first(kind: AgentKind, start: Start, turn: Turn, listener: Listener) -> Outcome | None:
    """How it ends already, if an agent that will not ask on its way may not start. A session was asked for before."""
    if not start.unasked or turn.session:
        return None
    title = f"Let {kind.title} edit files and run commands in its worktree without asking again?"
    chosen = await listener.permit(Asked(title, "execute", PERMISSION))
    if any(option.kind.startswith("allow") for option in PERMISSION if chosen in (option.id, option.kind)):
        return None
    error = f"{kind.title} was not allowed to start."
    await end(listener, "refusal", error)
    return Outcome(ok=False, reason="refusal", error=error)


async def pass_on(heard: Transcript, listener: Listener) -> None:
    while heard.said:
        await listener.hear(heard.said.popleft())


async def end(listener: Listener, reason: str, error: str = "") -> None:
    """Says how a turn ended."""
    if error:
        await listener.hear(Said(Kind.ERROR, error))
    await listener.hear(Said(Kind.END, "", {"reason": reason}))


def explain(what: str, process: Process, noise: str = "") -> str:
    """What went wrong, and the last that the program said about it."""
    complaints = _COLOUR.sub("", process.complaints).strip()[-COMPLAINTS_MOST:].strip() or noise
    return f"{what} It said: {complaints}" if complaints else what
