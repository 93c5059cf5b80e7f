"""The running server's side of the relay: a socket in the data folder that only its owner can open."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from mcp.server.lowlevel import Server

from taskpilot import address
from taskpilot.domain.errors import Unauthenticated, Unavailable
from taskpilot.surfaces.mcp.session import hold

CHUNK = 64 * 1024
HELLO_SECONDS = 5.0

Admit = Callable[[address.Hello], Awaitable[Server[Any] | None]]
"""The server for a relay, or None to send it away to work in its own process.

Raises Unauthenticated for one whose token is not valid: that one must not work at all.
"""

log = logging.getLogger(__name__)


@asynccontextmanager
async def listen(data_dir: str | os.PathLike[str], admit: Admit) -> AsyncGenerator[None]:
    """Serve relays while the context lasts. Where that cannot be, say so and go on: relays do without."""
    if not hasattr(socket, "AF_UNIX"):
        yield
        return
    path = address.locate_socket(data_dir)
    try:
        bound = bind(path)
    except OSError as error:
        log.warning("no relay socket at %s: %s", path, error.strerror or error)
        yield
        return
    if bound is None:
        log.warning("another server is running on this data folder; assistants on stdio stay with that one")
        yield
        return
    mine = os.stat(path).st_ino
    calls = Calls(admit)
    waiting = await asyncio.start_unix_server(calls.take, sock=bound)
    try:
        yield
    finally:
        waiting.close()
        await calls.end()
        with suppress(OSError):
            if os.stat(path).st_ino == mine:  # never the socket of a server that came after us
                os.unlink(path)


def bind(path: str) -> socket.socket | None:
    """A socket at this path, or None if a living server has it. What a killed one left is replaced."""
    folder = os.path.dirname(path)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    if os.path.basename(folder).startswith("taskpilot-") and not address.is_private(folder):
        raise PermissionError(errno.EPERM, f"{folder} belongs to somebody else")
    if os.path.lexists(path):
        if is_alive(path):
            return None
        os.unlink(path)
    bound = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        bound.bind(path)
    except BaseException:
        bound.close()
        raise
    finally:
        os.umask(before)
    return bound


def is_alive(path: str) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1)
        try:
            probe.connect(path)
        except TimeoutError:
            return True  # too busy to answer is not dead
        except OSError:
            return False
    return True


class Calls:
    """The relays connected at the moment."""

    def __init__(self, admit: Admit) -> None:
        self._admit = admit
        self._tasks: set[asyncio.Task[None]] = set()

    def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def end(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def read() -> bytes:
            try:
                return await reader.read(CHUNK)
            except OSError:
                return b""

        async def write(data: bytes) -> None:
            writer.write(data)
            await writer.drain()

        try:
            server = await self._greet(reader, writer)
            if server is not None:
                await hold(server, read, write)
        except OSError:
            pass  # the relay left in the middle of the greeting
        except Exception:
            log.exception("a relay's connection broke off")
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def _greet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Server[Any] | None:
        """A welcome goes out before the relay reads a single message, so that a refusal loses none."""
        try:
            line = await asyncio.wait_for(reader.readline(), HELLO_SECONDS)
        except (TimeoutError, ValueError):
            return None
        if not line:
            return None  # somebody looked whether we are alive
        server, reply = await self._decide(address.read_line(line))
        writer.write(address.write_line(reply))
        await writer.drain()
        return server

    async def _decide(self, hello: address.Hello) -> tuple[Server[Any] | None, address.Hello]:
        try:
            server = await self._admit(hello)
        except Unauthenticated as error:
            return None, {"relay": "refused", "error": error.kind, "message": error.message, "hint": error.hint}
        except Unavailable:
            server = None
        return server, {"relay": "welcome" if server else "refused"}
