"""MCP over HTTP: every revision of the protocol at one address."""

from __future__ import annotations

from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import Receive, Scope, Send

Headers = list[tuple[bytes, bytes]]
BLANK = (b" ", b"\t")
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Sessions:
    """The ASGI side of one MCP server: mount its `asgi_app`, inside its `run()`.

    Sessions are kept: without them elicitation and progress fail for clients of 2025.
    """

    def __init__(self, server: Server[Any], host: str) -> None:
        manager = StreamableHTTPSessionManager(server, security_settings=guard_host(host))
        self.run = manager.run
        self._serve = manager.asgi_app

    async def asgi_app(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers: Headers = scope["headers"]
        if any(value.endswith(BLANK) for _, value in headers):
            # Blanks around a value do not belong to it; the HTTP parser leaves those behind it to us.
            scope = {**scope, "headers": [(name, value.rstrip(b" \t")) for name, value in headers]}
        await self._serve(scope, receive, send)


def manage_sessions(server: Server[Any], host: str) -> Sessions:
    return Sessions(server, host)


def guard_host(host: str) -> TransportSecuritySettings:
    """Refuse what a web page could send here by pointing its own name at this machine (DNS rebinding)."""
    names = [bracket(name) for name in dict.fromkeys((*LOOPBACK, host))]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[form for name in names for form in (name, f"{name}:*")],
        allowed_origins=[form for name in names for form in (f"http://{name}", f"http://{name}:*")],
    )


def bracket(host: str) -> str:
    """A host as a URL writes it."""
    return f"[{host}]" if ":" in host else host
