"""Long answers of the API, compressed for whoever can read that."""

from __future__ import annotations

import zlib

from anyio.to_thread import run_sync
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PATHS = frozenset({"/api/board", "/api/board/cards"})
"""Whole answers only: a stream of events would wait until there is enough to compress."""
LEAST = 4096
LEVEL = 5
GZIP = 16 + zlib.MAX_WBITS


def accepts_gzip(accepted: str) -> bool:
    """What an Accept-Encoding says of gzip."""
    for each in accepted.lower().split(","):
        name, _, weight = each.partition(";")
        if name.strip() in ("gzip", "*"):
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def compress_long(inside: ASGIApp) -> ASGIApp:
    """The application, with those of its answers compressed."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        wanted = scope["type"] == "http" and scope["path"] in PATHS and scope["method"] == "GET"
        if not wanted or not accepts_gzip(Headers(scope=scope).get("accept-encoding", "")):
            return await inside(scope, receive, send)
        return await inside(scope, receive, Press(send).take)

    return answer


class Press:
    """Holds the head of an answer back until it is known how long the body is."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._head: Message | None = None

    async def take(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._head = message
            return
        if self._head is not None:
            head, self._head = self._head, None
            body: bytes = message.get("body", b"")
            if len(body) > LEAST and not message.get("more_body"):
                message = {**message, "body": await run_sync(_compress, body)}
                headers = MutableHeaders(raw=head["headers"])
                headers["Content-Encoding"] = "gzip"
                headers["Content-Length"] = str(len(message["body"]))
                headers.add_vary_header("Accept-Encoding")
            await self._send(head)
        await self._send(message)


def _compress(body: bytes) -> bytes:
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP)
    return packer.compress(body) + packer.flush()
