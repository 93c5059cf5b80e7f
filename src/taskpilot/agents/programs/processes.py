"""Programs that agents are, started so that nothing of them outlives us."""

from __future__ import annotations

import asyncio
import errno
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from taskpilot.agents.programs import supervisor
from taskpilot.agents.programs.sandbox import Sandbox, wrap
from taskpilot.domain.errors import Invalid, NotFound, TaskPilotError, Unavailable

LONGEST_LINE = 16 * 1024 * 1024
COMPLAINTS = 8 * 1024
MARK = "TASKPILOT_PROCESS"
"""Tells what a program started apart from all else, should its supervisor be killed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    argv: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str]
    sandbox: Sandbox | None = None
    overhear: Callable[[bytes], None] | None = None
    """Gets what it writes to standard error, as it comes."""


class Process:
    """A program that was launched, and all that it starts. Ends in `stop`, also where it ended by itself."""

    stdin: asyncio.StreamWriter
    stdout: asyncio.StreamReader
    pid: int
    """Of its supervisor: SIGTERM to it ends the program and all that it started."""

    def __init__(
        self,
        popen: subprocess.Popen[bytes],
        control: socket.socket,
        mark: bytes,
        overhear: Callable[[bytes], None] | None = None,
    ) -> None:
        control.setblocking(False)
        self.pid = popen.pid
        self._popen = popen
        self._control = control
        self._mark = mark
        self._errors = _Tail(overhear)
        self._transports: list[asyncio.ReadTransport | asyncio.WriteTransport] = []
        self._problem: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._end = asyncio.create_task(self._follow())

    @property
    def complaints(self) -> str:
        """The last few KB of what it wrote to standard error."""
        return self._errors.read()

    async def wait(self) -> int:
        """Its exit code, 128 + n for signal n, once nothing of it is alive. Somebody has to read `stdout`."""
        return await asyncio.shield(self._end)

    async def stop(self, grace: float = 2.0) -> None:
        """SIGINT, `grace` seconds, then SIGKILL for all that it started; returns when nothing of it is alive.

        Safe to repeat; goes on when cancelled. What was not read yet of `stdout` may be lost.
        """
        if not self._end.done():
            self._tell(f"{grace}\n".encode())
            self._popen.send_signal(signal.SIGCONT)  # should somebody have stopped the supervisor
        try:
            await asyncio.shield(self._end)
        finally:
            if self._end.done():
                self._close()

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        popen = self._popen
        errors, _ = await loop.connect_read_pipe(lambda: self._errors, popen.stderr)
        self._transports.append(errors)
        self.stdout = asyncio.StreamReader(limit=LONGEST_LINE)
        output, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(self.stdout), popen.stdout)
        self._transports.append(output)
        protocol = asyncio.StreamReaderProtocol(asyncio.StreamReader())
        given, _ = await loop.connect_write_pipe(lambda: protocol, popen.stdin)
        self._transports.append(given)
        self.stdin = asyncio.StreamWriter(given, protocol, None, loop)

    async def start(self) -> None:
        """Once, by `launch`."""
        try:
            await self._connect()
            self._tell(b"\n")
            if problem := await asyncio.shield(self._problem):
                raise OSError(problem, os.strerror(problem))
        except BaseException:
            await self.stop(0)
            raise

    def _tell(self, said: bytes) -> None:
        with suppress(OSError):  # it is ending, or never began
            self._control.send(said)

    async def _follow(self) -> int:
        try:
            return await self._see_off()
        except asyncio.CancelledError:  # by the end of the event loop, for which all this is to end too
            self._tell(f"{supervisor.GRACE}\n".encode())
            code = await self._see_off()
            self._close()
            return code

    async def _see_off(self) -> int:
        with suppress(ConnectionError):
            while said := await asyncio.get_running_loop().sock_recv(self._control, 64):
                self._problem.set_result(int(said))
        while self._popen.poll() is None:  # noqa: ASYNC110 (an instant from its last word to its end)
            await asyncio.sleep(0.002)
        self._control.close()
        if not self._problem.done():
            self._problem.set_result(errno.ECANCELED)
        code = cast("int", self._popen.returncode)
        if code < 0:
            await _end_marked(self._mark)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._errors.whole.wait(), 1)
        return code if code >= 0 else 128 - code

    def _close(self) -> None:
        for transport in self._transports:
            if isinstance(transport, asyncio.WriteTransport) and not transport.is_closing():
                transport.abort()  # nobody is left to read the rest
            transport.close()
        for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if pipe:
                pipe.close()


class _Tail(asyncio.Protocol):
    def __init__(self, overhear: Callable[[bytes], None] | None) -> None:
        self.whole = asyncio.Event()
        self._overhear = overhear
        self._kept = b""
        self._cut = False

    def data_received(self, data: bytes) -> None:
        if self._overhear:
            self._overhear(data)
        everything = self._kept + data
        self._cut = self._cut or len(everything) > COMPLAINTS
        self._kept = everything[-COMPLAINTS:]

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 (its name is asyncio's)
        self.whole.set()

    def read(self) -> str:
        kept = self._kept.partition(b"\n")[2] or self._kept if self._cut else self._kept
        return kept.decode("utf-8", "replace")


async def launch(what: Launch) -> Process:
    """Returns when the program runs; raises an error that says what is missing where it cannot."""
    mark = secrets.token_hex(8)
    try:
        process = Process(*_start_supervisor(what, mark), f"{MARK}={mark}".encode(), what.overhear)
        await process.start()
    except (OSError, ValueError) as error:
        raise _explain(error, what.argv[0]) from error
    return process


def _start_supervisor(what: Launch, mark: str) -> tuple[subprocess.Popen[bytes], socket.socket]:
    program = _find_program(what)
    argv: tuple[str, ...] = (program, *what.argv[1:])
    if what.sandbox:
        argv = wrap(argv, what.sandbox, what.env, what.cwd)
    ours, theirs = socket.socketpair()
    how = (str(theirs.fileno()), str(os.getpid()), "1" if what.sandbox else "0")
    with theirs:
        try:
            popen = subprocess.Popen(
                [sys.executable, "-I", "-S", supervisor.__file__, *how, *argv],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=what.cwd,
                env={**what.env, MARK: mark},
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        except BaseException:
            ours.close()
            raise
    return popen, ours


def _find_program(what: Launch) -> str:
    if not what.argv or not what.argv[0]:
        raise Invalid("There is no program to run.", hint="Give its name and its arguments as a list.")
    if not what.cwd.is_dir():
        raise NotFound(f"The folder {what.cwd} is not there.", hint="Check where the repository is, then start again.")
    name = what.argv[0]
    path = name if os.path.isabs(name) or os.sep not in name else str(what.cwd / name)
    if found := shutil.which(path, path=what.env.get("PATH", os.defpath)):
        return os.path.abspath(found)
    if os.sep in name and os.path.exists(path):
        raise Unavailable(
            f"{name} is not a program that can be run.", hint="Make it executable (chmod +x), or name another."
        )
    raise NotFound(
        f"The program {name} is not installed on this machine.",
        hint="Install it, or add its folder to PATH where the worker runs.",
    )


def _explain(error: OSError | ValueError, name: str) -> TaskPilotError:
    number = error.errno if isinstance(error, OSError) else None
    if number is None:
        return Invalid(f"{name} was given something that no program can be given.", hint="Take out NUL characters.")
    if number == errno.E2BIG:
        return Invalid(f"What {name} was given is too long for a command line.", hint="Make it shorter.")
    if number in (errno.ENOENT, errno.ENOEXEC, errno.EACCES, errno.ENOTDIR):
        return Unavailable(
            f"{name} could not be started: {os.strerror(number)}.",
            hint="Check that it is a program for this machine, and that what its first line names is installed.",
        )
    return Unavailable(
        f"{name} could not be started: {os.strerror(number)}.", hint="Try again when the machine is less busy."
    )


async def _end_marked(mark: bytes) -> None:
    """For when a supervisor was killed before it could sweep."""
    for _ in range(500):
        left = await asyncio.to_thread(supervisor.find_marked, mark)
        if not [pid for pid in left if supervisor.send(pid, signal.SIGKILL)]:
            return
        await asyncio.sleep(0.02)
