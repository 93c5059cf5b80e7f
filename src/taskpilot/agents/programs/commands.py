"""Commands of a policy or of a task, run in a worktree one at a time."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from taskpilot.agents.programs.processes import Launch, Process, launch
from taskpilot.agents.programs.sandbox import Sandbox
from taskpilot.domain.errors import TaskPilotError
from taskpilot.domain.task import split_command

TAIL = 16_000
"""Bytes of what it printed that are kept."""
CANNOT_START = 127
TOO_LONG = 124
"""As `timeout` says it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where commands are run, and what they find there."""

    cwd: Path
    env: Mapping[str, str]
    sandbox: Sandbox | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    command: str
    exit_code: int
    digest: str
    """SHA-256 of all it printed, in the order it came."""
    tail: str
    seconds: float

    @property
    def ok(self) -> bool:
        return self.exit_code == 0

    def tell(self) -> str:
        """How it went, in a line, and the end of what it printed."""
        last = self.tail.strip().splitlines()[-1:]
        return ": ".join((f"{self.command} ended with exit code {self.exit_code}", *last))


class _Printed:
    def __init__(self) -> None:
        self.tail = b""
        self._hash = hashlib.sha256()

    def take(self, data: bytes) -> None:
        self._hash.update(data)
        self.tail = (self.tail + data)[-TAIL:]

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()


async def run(command: str, place: Place, *, limit: float) -> Ended:
    """How a command ended; one that cannot be started, or takes too long, ended badly. Leaves nothing alive."""
    printed, began = _Printed(), time.monotonic()
    try:
        what = Launch(
            argv=tuple(split_command(command)),
            cwd=place.cwd,
            env=place.env,
            sandbox=place.sandbox,
            overhear=printed.take,
        )
        process = await launch(what)
    except TaskPilotError as error:
        printed.take(str(error).encode())
        code = CANNOT_START
    else:
        code = await _follow(process, printed, limit)
    return Ended(
        command=command,
        exit_code=code,
        digest=printed.digest,
        tail=printed.tail.decode(errors="replace").replace("\0", "\ufffd"),
        seconds=round(time.monotonic() - began, 3),
    )


async def _follow(process: Process, printed: _Printed, limit: float) -> int:
    try:
        async with asyncio.timeout(limit):
            process.stdin.close()
            while data := await process.stdout.read(65_536):
                printed.take(data)
            return await process.wait()
    except TimeoutError:
        await process.stop()
        printed.take(f"\nStopped after {limit:g} s.\n".encode())
        return TOO_LONG
    finally:
        await process.stop()
