"""`taskpilot mcp` beside a running server: bytes from here to there.

An assistant starts one of these for every window, so it has to be small and quick: standard library
only, one thread, one poll loop. It reads along just enough to know which requests are unanswered, so
that it can say so when the server goes away, and to greet the server's successor in the client's name.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import time

from taskpilot.address import Hello, is_private, locate_socket, read_line, write_line
from taskpilot.domain.errors import Unauthenticated
from taskpilot.surfaces.mcp.dialogue import Dialogue, Id

CHUNK = 64 * 1024
ATOM = 4096  # a pipe that polls as writable takes this much without blocking
WELCOME_SECONDS = 2.0
RETURN_SECONDS = 5.0
RETRY_SECONDS = 0.05


class Refused(Exception):
    """There is a server, but not for us: another version, contract or database."""


class ClientGone(Exception):
    """Nobody reads our standard output any more."""


class Handover:
    """What a server in this process must know to take over from here."""

    def __init__(self, first: bytes = b"", muted: Id = None) -> None:
        self.first = first
        """Lines to read before standard input: the handshake again, and what was read but not passed on."""
        self.muted = muted
        """The id of the handshake, if the client has had its answer."""


def run(data_dir: str, hello: Hello) -> Handover | None:
    """Relay until the client leaves (None), or until there is no server to relay to.

    Raises Unauthenticated where the token is not valid.
    """
    if not hasattr(socket, "AF_UNIX"):
        return Handover()
    path = locate_socket(data_dir)
    try:
        server = connect(path, hello)
    except (OSError, Refused):
        return Handover()
    return Relay(path, hello, server).run()


def connect(path: str, hello: Hello) -> socket.socket:
    """A server that has said welcome. OSError: none here. Refused: not for us. Unauthenticated: not with this token."""
    folder = os.path.dirname(path)
    if os.path.basename(folder).startswith("taskpilot-") and not is_private(folder):
        raise Refused
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        server.settimeout(WELCOME_SECONDS)
        server.connect(path)
        server.sendall(write_line(hello))
        reply = b""
        while not reply.endswith(b"\n"):
            more = server.recv(1)  # not a byte beyond the line: what follows is MCP
            if not more:
                raise ConnectionResetError("no welcome")
            reply += more
        told = read_line(reply)
        if told.get("error") == Unauthenticated.kind:
            raise Unauthenticated(told.get("message", ""), hint=told.get("hint", ""))
        if told.get("relay") != "welcome":
            raise Refused
    except BaseException:
        server.close()
        raise
    server.setblocking(False)
    return server


class Relay:
    """The poll loop. Whole lines only: the client never sees half an answer of a killed server."""

    def __init__(self, path: str, hello: Hello, server: socket.socket) -> None:
        self._path, self._hello, self._server = path, hello, server
        self._dialogue = Dialogue()
        self._from_client = self._from_server = b""  # the beginning of a line
        self._to_client, self._to_server = bytearray(), bytearray()
        self._client_done = False

    def run(self) -> Handover | None:
        try:
            while True:
                self._pass_on()
                if self._client_done:
                    return None
                if not self._find_successor():
                    return Handover(self._dialogue.greet_again() + self._from_client, self._dialogue.muted)
        except ClientGone:
            return None
        finally:
            self._server.close()

    def _pass_on(self) -> None:
        """Relay until the server closes: because it is lost, or because it has answered a client that left."""
        while True:
            if self._client_done and not self._to_server:
                with contextlib.suppress(OSError):
                    self._server.shutdown(socket.SHUT_WR)
            ready = self._wait()
            if ready.get(1):
                self._write_client()
            if ready.get(0):
                self._read_client()
            events = ready.get(self._server.fileno(), 0)
            if events and not self._exchange_with_server(events):
                self._settle()
                return

    def _wait(self) -> dict[int, int]:
        """Read from one side only while the other side takes what it is given."""
        poll = select.poll()
        if not self._client_done and len(self._to_server) < CHUNK:
            poll.register(0, select.POLLIN)
        if self._to_client:
            poll.register(1, select.POLLOUT)
        events = select.POLLIN if len(self._to_client) < CHUNK else 0
        poll.register(self._server, events | (select.POLLOUT if self._to_server else 0))
        return dict(poll.poll())

    def _read_client(self) -> None:
        try:
            data = os.read(0, CHUNK)
        except OSError:
            data = b""
        if not data:
            self._client_done = True
            data = b"\n" if self._from_client else b""  # a last line without an end is a line
        self._hear_client(data)

    def _hear_client(self, data: bytes) -> None:
        *lines, self._from_client = (self._from_client + data).split(b"\n")
        for line in lines:
            self._dialogue.hear_client(line + b"\n")
            self._to_server += line + b"\n"

    def _write_client(self) -> None:
        try:
            del self._to_client[: os.write(1, self._to_client[:ATOM])]
        except OSError:
            raise ClientGone from None

    def _exchange_with_server(self, events: int) -> bool:
        """False once the server has closed and everything it sent before is read."""
        try:
            if self._to_server and events & select.POLLOUT:
                del self._to_server[: self._server.send(self._to_server)]
        except BlockingIOError:
            pass
        except OSError:
            self._to_server.clear()  # it listens no more; what it said may still be on its way
        try:
            data = self._server.recv(CHUNK) if events & ~select.POLLOUT else None
        except BlockingIOError:
            return True
        except OSError:
            return False
        if data:
            self._hear_server(data)
        return data != b""

    def _hear_server(self, data: bytes) -> None:
        *lines, self._from_server = (self._from_server + data).split(b"\n")
        for line in lines:
            if self._dialogue.hear_server(line):
                self._to_client += line + b"\n"

    def _settle(self) -> None:
        """The server is gone: deliver what it answered, and answer for it where it did not."""
        self._server.close()
        self._from_server = b""
        self._to_server.clear()
        self._to_client += self._dialogue.give_up_pending()
        while self._to_client:
            self._write_client()

    def _find_successor(self) -> bool:
        deadline = time.monotonic() + RETURN_SECONDS
        while time.monotonic() < deadline:
            try:
                self._server = connect(self._path, self._hello)
            except Refused:
                return False
            except OSError:
                time.sleep(RETRY_SECONDS)
                continue
            self._to_server += self._dialogue.greet_again()
            return True
        return False
