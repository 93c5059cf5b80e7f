"""MCP on standard streams, without the three thread hops a message that the SDK's own transport takes."""

from __future__ import annotations

import asyncio
import os
import select
import stat
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from mcp.server.lowlevel import Server
from mcp_types import RequestId

from taskpilot.surfaces.mcp.session import hold

CHUNK = 64 * 1024
ATOM = 4096  # a pipe that polls as writable takes this much without blocking


async def serve_standard_streams(
    server: Server[Any], *, first: bytes = b"", muted: frozenset[RequestId] = frozenset()
) -> None:
    """Serve the client on the other side of stdin and stdout. `first` is read before anything from stdin."""
    with private_streams() as (wire_in, wire_out):
        source, sink = Source(wire_in, first), Sink(wire_out)
        try:
            await hold(server, source.read, sink.write, muted=muted)
        finally:
            source.close()
            sink.close()


@contextmanager
def private_streams() -> Generator[tuple[int, int]]:
    """Keep the wire to ourselves: a stray print or a child process must neither write nor read on it.

    While this lasts, fd 0 is the null device and fd 1 is stderr.
    """
    wire_in, wire_out = duplicate(0, os.O_RDONLY), duplicate(1, os.O_WRONLY)
    void = os.open(os.devnull, os.O_RDWR)
    try:
        os.dup2(void, 0)
        os.dup2(2 if is_open(2) else void, 1)
        yield wire_in, wire_out
    finally:
        os.dup2(wire_in, 0)
        os.dup2(wire_out, 1)
        for descriptor in (wire_in, wire_out, void):
            os.close(descriptor)


def duplicate(descriptor: int, flags: int) -> int:
    """A private copy; of the null device where the descriptor was closed before we began."""
    return os.dup(descriptor) if is_open(descriptor) else os.open(os.devnull, flags)


def is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def can_poll(descriptor: int) -> bool:
    """Event loops watch pipes, sockets and terminals, but neither files nor the null device."""
    mode = os.fstat(descriptor).st_mode
    return sys.platform != "win32" and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(descriptor))


class Source:
    """Bytes from a descriptor, which stays in blocking mode: others may share it (a terminal)."""

    def __init__(self, descriptor: int, first: bytes = b"") -> None:
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._ready = first
        self._waiter: asyncio.Future[bytes] | None = None
        self._watching = False
        self._polls = can_poll(descriptor)

    async def read(self) -> bytes:
        if self._ready:
            ready, self._ready = self._ready, b""
            return ready
        if not self._polls:
            return await asyncio.to_thread(os.read, self._descriptor, CHUNK)
        if not self._watching:
            self._loop.add_reader(self._descriptor, self._receive)
            self._watching = True
        self._waiter = self._loop.create_future()
        return await self._waiter

    def close(self) -> None:
        if self._watching:
            self._loop.remove_reader(self._descriptor)
            self._watching = False

    def _receive(self) -> None:
        """Take what is there. With nobody waiting, stop looking: the pipe fills and the client pauses."""
        if self._waiter is None or self._waiter.done():
            return self.close()
        try:
            data = os.read(self._descriptor, CHUNK)
        except OSError:  # the other side of a socket or terminal broke off: the end all the same
            data = b""
        if not data:
            self.close()
        self._waiter.set_result(data)
        return None


class Sink:
    """Bytes to a descriptor, in order. `write` returns when all that was put before it is out."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._backlog = bytearray()
        self._drained: asyncio.Future[None] | None = None
        self._polls = can_poll(descriptor)
        if self._polls:
            self._poll = select.poll()
            self._poll.register(descriptor, select.POLLOUT)

    async def write(self, data: bytes) -> None:
        if not self._polls:
            return write_all(self._descriptor, data)  # a file takes what it is given
        if self._drained is None:
            data = data[self._push(data) :]
            if not data:
                return None
            self._drained = self._loop.create_future()
            self._loop.add_writer(self._descriptor, self._continue)
        self._backlog += data
        return await asyncio.shield(self._drained)

    def close(self) -> None:
        if self._drained is not None:
            self._loop.remove_writer(self._descriptor)

    def _push(self, data: bytes | bytearray) -> int:
        """Write what goes out without blocking; how much that was."""
        written = 0
        while written < len(data) and self._poll.poll(0):
            written += os.write(self._descriptor, data[written : written + ATOM])
        return written

    def _continue(self) -> None:
        drained = self._drained
        assert drained is not None
        try:
            del self._backlog[: self._push(self._backlog)]
        except OSError as error:
            self._finish()
            drained.set_exception(error)
            drained.exception()  # seen, even if every writer has been cancelled
            return
        if not self._backlog:
            self._finish()
            drained.set_result(None)

    def _finish(self) -> None:
        self._loop.remove_writer(self._descriptor)
        self._drained = None


def write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
