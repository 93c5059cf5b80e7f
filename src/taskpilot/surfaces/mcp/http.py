"""MCP over HTTP: every revision of the protocol at one address."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import Receive, Scope, Send

from taskpilot.domain.caller import Caller

Headers = list[tuple[bytes, bytes]]
BLANK = (b" ", b"\t")
UNGUARDED = TransportSecuritySettings(enable_dns_rebinding_protection=False)
"""Host and origin are the gate's business, for this path as for every other."""


class Sessions:
    """The ASGI side of one MCP server: mount its `asgi_app`, inside its `run()`.

    Sessions are kept: without them elicitation and progress fail for clients of 2025.
    """

    def __init__(self, server: Server[Any]) -> None:
        manager = StreamableHTTPSessionManager(server, security_settings=UNGUARDED)
        self.run = manager.run
        self._serve = manager.asgi_app

    async def asgi_app(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers: Headers = scope["headers"]
        if any(value.endswith(BLANK) for _, value in headers):
            # Blanks around a value do not belong to it; the HTTP parser leaves those behind it to us.
            scope = {**scope, "headers": [(name, value.rstrip(b" \t")) for name, value in headers]}
        caller: Caller | None = scope.get("caller")
        if caller is not None and caller.credential:
            scope["user"] = own_session(caller.user, caller.credential)
        await self._serve(scope, receive, send)


@lru_cache(maxsize=4096)
def own_session(user: int, credential: str) -> AuthenticatedUser:
    """What the SDK ties a session to: one that somebody else opened is not there for you."""
    return AuthenticatedUser(AccessToken(token="", client_id=credential, scopes=[], subject=str(user)))
