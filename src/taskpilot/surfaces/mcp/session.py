"""One MCP connection over lines of JSON: standard streams and the relay's socket alike."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Self

import anyio
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from taskpilot.surfaces.mcp.dialogue import RESUMED
from taskpilot.surfaces.mcp.lines import LONGEST_LINE, Read, as_id, diagnose, split_lines

Write = Callable[[bytes], Awaitable[None]]
"""Returns once the bytes are on their way; raises OSError when nobody is left to read them."""

MOST_OPEN = 512
GRACE_SECONDS = 5.0


async def hold(server: Server[Any], read: Read, write: Write, *, muted: frozenset[RequestId] = frozenset()) -> None:
    """Serve one client until it leaves. Requests read before it left are still carried out and answered.

    Answers to the ids in `muted` are not sent: the client has had them from a former server.
    """
    with anyio.CancelScope() as connection:
        ledger = Ledger()
        outbound = Outbound(write, ledger, connection.cancel, muted)
        await server.run(Inbound(read, outbound, ledger), outbound, server.create_initialization_options())


class Ledger:
    """The requests not answered yet: how many may be open, and when none is."""

    def __init__(self) -> None:
        self._open: set[RequestId] = set()
        self._changed = asyncio.Event()

    def enter(self, message: JSONRPCRequest) -> None:
        if message.method != "subscriptions/listen":  # open for as long as the client likes
            self._open.add(message.id)

    def settle(self, request: RequestId | None) -> None:
        if request is not None:
            self._open.discard(request)
            self._changed.set()

    async def wait_below(self, count: int) -> None:
        while len(self._open) >= count:
            self._changed.clear()
            await self._changed.wait()


class _Closing:
    """What the SDK expects of a stream beyond reading or writing; ours belong to whoever opened them."""

    async def aclose(self) -> None:
        pass

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> bool | None:
        await self.aclose()
        return None


class Outbound(_Closing):
    """Messages to the client, one a line."""

    def __init__(
        self, write: Write, ledger: Ledger, leave: Callable[[], None], muted: frozenset[RequestId] = frozenset()
    ) -> None:
        self._write = write
        self._ledger = ledger
        self._leave = leave
        self._muted = set(muted)

    async def send(self, item: SessionMessage) -> None:
        message = item.message
        settled = message.id if isinstance(message, JSONRPCResponse | JSONRPCError) else None
        if settled is not None and settled in self._muted:
            self._muted.discard(settled)
        elif isinstance(settled, str) and settled.startswith(RESUMED):
            await self._put(notice(settled.removeprefix(RESUMED)))
        else:
            await self._put(message.model_dump_json(by_alias=True, exclude_unset=True))
        self._ledger.settle(settled)

    async def complain(self, code: int, problem: str, request: RequestId | None = None) -> None:
        """Answer what was not a message at all."""
        error = JSONRPCError(jsonrpc="2.0", id=request, error=ErrorData(code=code, message=problem))
        await self._put(error.model_dump_json(exclude_unset=True))

    async def _put(self, text: str) -> None:
        try:
            await self._write(text.encode() + b"\n")
        except OSError:
            self._leave()
            raise anyio.BrokenResourceError from None


def notice(uri: str) -> str:
    """That a resource may have changed."""
    return json.dumps({"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": uri}})


class Inbound(_Closing):
    """Messages from the client. What is not one is answered here and never reaches the server."""

    def __init__(self, read: Read, outbound: Outbound, ledger: Ledger) -> None:
        self._lines = split_lines(read)
        self._outbound = outbound
        self._ledger = ledger

    def __aiter__(self) -> Inbound:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def receive(self) -> SessionMessage | Exception:
        await self._ledger.wait_below(MOST_OPEN)
        async for line in self._lines:
            message = await self._accept(line)
            if message is not None:
                return message
        with anyio.move_on_after(GRACE_SECONDS):
            await self._ledger.wait_below(1)
        raise anyio.EndOfStream

    async def aclose(self) -> None:
        await self._lines.aclose()

    async def _accept(self, line: bytes | None) -> SessionMessage | None:
        if line is None:
            await self._outbound.complain(INVALID_REQUEST, f"A line is longer than {LONGEST_LINE} bytes.")
            return None
        if not line or line.isspace():
            return None
        try:
            message = jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValidationError as error:
            await self._outbound.complain(*diagnose(line, error))
            return None
        if isinstance(message, JSONRPCRequest):
            self._ledger.enter(message)
        elif isinstance(message, JSONRPCNotification):
            if b'"id"' in line and "id" in json.loads(line):
                # The SDK would take a request with a malformed id for a notification and stay silent.
                await self._outbound.complain(INVALID_REQUEST, "An id must be a string or a whole number.")
                return None
            if message.method == "notifications/cancelled":
                self._ledger.settle(as_id((message.params or {}).get("requestId")))
        return SessionMessage(message)
