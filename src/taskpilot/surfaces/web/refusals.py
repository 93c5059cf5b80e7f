"""How the gate says no: a problem, as RFC 9457 has it, whoever is asked."""

from __future__ import annotations

import json
from typing import Any

from starlette.types import Scope, Send

Headers = list[tuple[bytes, bytes]]


class Refused(Exception):
    def __init__(self, status: int, title: str, detail: str, headers: Headers | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.title = title
        self.detail = detail
        self.headers = headers or []


async def refuse(refused: Refused, scope: Scope, send: Send) -> None:
    """Also to a WebSocket, before it is one; where the server cannot, it is closed without words."""
    body = json.dumps(describe(refused)).encode()
    kind = "http.response" if scope["type"] == "http" else "websocket.http.response"
    if scope["type"] == "websocket" and kind not in scope.get("extensions", {}):
        return await send({"type": "websocket.close", "code": 1008, "reason": refused.title})
    headers: Headers = [
        (b"content-type", b"application/problem+json"),
        (b"content-length", str(len(body)).encode()),
        *refused.headers,
    ]
    await send({"type": f"{kind}.start", "status": refused.status, "headers": headers})
    return await send({"type": f"{kind}.body", "body": b"" if scope.get("method") == "HEAD" else body})


def describe(refused: Refused) -> dict[str, Any]:
    return {
        "type": "about:blank",
        "title": refused.title,
        "status": refused.status,
        "detail": refused.detail,
        "error": refused.title.lower().replace(" ", "_"),
        "message": refused.detail,
        "details": None,
    }


def misdirected() -> Refused:
    hint = "Set public_url or allowed_hosts to the name people use."
    return Refused(421, "Misdirected request", f"Invalid Host header: this server is not known as that. {hint}")


def foreign() -> Refused:
    return Refused(403, "Forbidden", "Invalid Origin header: pages from there may not call this server.")


def too_long(most: int) -> Refused:
    return Refused(413, "Too long", f"The request is longer than {most} bytes. Send less at a time.")


def too_often(seconds: int) -> Refused:
    detail = f"That was too often. Try again in {seconds} second{'s' if seconds > 1 else ''}."
    return Refused(429, "Too many requests", detail, [(b"retry-after", str(seconds).encode())])


def unauthorized(why: str, resource: str, base: str, *, shown: bool) -> Refused:
    """`resource` is the path of an MCP endpoint of ours, or empty: what strangers write stays out of headers."""
    error = 'error="invalid_token", ' if shown else ""
    where = f"{base}/.well-known/oauth-protected-resource{resource}"
    challenge = f'Bearer realm="taskpilot", {error}resource_metadata="{where}"'
    return Refused(401, "Unauthorized", why, [(b"www-authenticate", challenge.encode("latin-1"))])


def unavailable(why: str) -> Refused:
    return Refused(503, "Unavailable", why, [(b"retry-after", b"5")])


def broken(incident: str) -> Refused:
    return Refused(500, "Internal error", f"Internal error {incident}. It is in the server's log under this id.")
