"""The one way in: every request passes here before anything else sees it.

Host and origin, then how often, then who. What comes through carries `scope["caller"]`, and
`scope["base_url"]`, the address of this server as the caller knows it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from taskpilot.access.doorkeeper import Doorkeeper
from taskpilot.app import App
from taskpilot.domain.caller import Caller, local, unknown
from taskpilot.domain.errors import Unauthenticated, Unavailable
from taskpilot.surfaces.web.limits import Buckets, Verdict
from taskpilot.surfaces.web.origins import Origins
from taskpilot.surfaces.web.public import is_public, is_try

Headers = list[tuple[bytes, bytes]]
SAFE: Headers = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cache-control", b"no-store"),
]
"""On every answer that does not say otherwise itself."""
BARE_DOOR = "manager"
DEFAULT_DOOR = "native"
PROTOCOL = "bearer."
"""A browser's WebSocket cannot set headers: it offers its token as a subprotocol with this before it."""


@dataclass(frozen=True, slots=True)
class Terms:
    """On which terms people are let in."""

    origins: Origins
    sign_in_required: bool = False
    body_most: int = 4 * 1024 * 1024
    user_limit: int = 0
    address_limit: int = 0
    try_limit: int = 0
    secure: bool = False
    """Reached over https: browsers are told to insist on it."""


class Refused(Exception):
    def __init__(self, status: int, title: str, detail: str, headers: Headers | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.title = title
        self.detail = detail
        self.headers = headers or []


class Gate:
    def __init__(self, inside: ASGIApp, app: App, keeper: Doorkeeper, terms: Terms) -> None:
        self._inside = inside
        self._app = app
        self._keeper = keeper
        self._terms = terms
        self._users = Buckets(terms.user_limit)
        self._addresses = Buckets(terms.address_limit)
        self._tries = Buckets(terms.try_limit)
        self._safe = [*SAFE, (b"strict-transport-security", b"max-age=31536000")] if terms.secure else SAFE

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self._inside(scope, receive, send)
        told: Headers = []
        try:
            caller, base = await self._examine(scope, told)
        except Refused as refused:
            return await refuse(refused, scope, self._adorn(send, told))
        scope["caller"], scope["base_url"] = caller, base
        if scope["type"] == "http" and scope["method"] not in ("GET", "HEAD"):
            return await self._measure(scope, receive, self._adorn(send, told))
        return await self._inside(scope, receive, self._adorn(send, told))

    async def _examine(self, scope: Scope, told: Headers) -> tuple[Caller, str]:
        given = read_headers(scope["headers"])
        host = given.get(b"host", "")
        if not self._terms.origins.knows_host(host):
            hint = "Set public_url or allowed_hosts to the name people use."
            raise Refused(421, "Misdirected request", f"Invalid Host header: this server is not known as that. {hint}")
        origin = given.get(b"origin", "")
        if origin and not self._terms.origins.allows(origin, host):
            raise Refused(403, "Forbidden", "Invalid Origin header: pages from there may not call this server.")
        path: str = scope["path"]
        method: str = scope.get("method", "GET")
        address: str = (scope.get("client") or ("",))[0]
        base = self._terms.origins.base(scope["scheme"].replace("ws", "http"), host)
        if path not in ("/livez", "/readyz"):
            self._count(method, path, address, told)
        length = given.get(b"content-length", "")
        if length.isdigit() and int(length) > self._terms.body_most:
            raise self._too_long()
        caller = await self._recognise(given, method, path, base, address)
        if caller.credential and (verdict := self._users.take(caller.user)) is not None:
            _tell(verdict, told)
        return caller, base

    def _count(self, method: str, path: str, address: str, told: Headers) -> None:
        if (verdict := self._addresses.take(address)) is not None:
            _tell(verdict, told)
        if is_try(method, path) and (verdict := self._tries.take(address)) is not None:
            _tell(verdict, told)

    async def _recognise(self, given: dict[bytes, str], method: str, path: str, base: str, address: str) -> Caller:
        """A credential that is shown counts, in either mode: nobody acts for another by an old token."""
        door = door_of(path)
        shown = bearer_of(given)
        public = is_public(method, path)
        try:
            if shown is not None:
                return await self._keeper.admit(shown, door, address=address, resource=resource_of(base, path))
            if not self._terms.sign_in_required:
                return greet_locally(door, address)
            if public:
                return unknown(door, address)
            raise Unauthenticated("This needs you to be signed in.", hint="Send Authorization: Bearer and a token.")
        except Unauthenticated as error:
            if public:
                return unknown(door, address)
            self._app.note(replace(unknown(door, address), tool=f"{method} {path}"[:200]), error.kind)
            raise Refused(401, "Unauthorized", str(error), [challenge(base, path, shown is not None)]) from None
        except Unavailable as error:
            raise Refused(503, "Unavailable", str(error), [(b"retry-after", b"5")]) from None

    async def _measure(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Stop a body that turns out longer than it may be: for those inside, its sender has gone away."""
        most, seen = self._terms.body_most, 0

        async def measured() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            return message if seen <= most else {"type": "http.disconnect"}

        async def answer(message: Message) -> None:
            if seen <= most:
                await send(message)

        try:
            await self._inside(scope, measured, answer)
        except Exception:
            if seen <= most:
                raise
        if seen > most:
            await refuse(self._too_long(), scope, send)

    def _adorn(self, send: Send, told: Headers) -> Send:
        safe = self._safe

        async def adorned(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers: Headers = list(message.get("headers", ()))
                message["headers"] = headers
                have = {name for name, _ in headers}
                headers += [each for each in safe if each[0] not in have]
                headers += told
            await send(message)

        return adorned

    def _too_long(self) -> Refused:
        return Refused(413, "Too long", f"The request is longer than {self._terms.body_most} bytes.")


@lru_cache(maxsize=1024)
def greet_locally(door: str, address: str) -> Caller:
    return replace(local(door), address=address)


def read_headers(raw: Iterable[tuple[bytes, bytes]]) -> dict[bytes, str]:
    """The few that matter here. One that comes twice counts as none: it is not clear which is meant."""
    found: dict[bytes, str] = {}
    for name, value in raw:
        if name in WANTED:
            found[name] = "\0" if name in found else value.decode("latin-1").strip()
    return found


WANTED = frozenset({b"host", b"origin", b"authorization", b"content-length", b"sec-websocket-protocol"})


def bearer_of(given: dict[bytes, str]) -> str | None:
    """The token that is shown; None if none is, and "" for credentials of another kind."""
    shown = given.get(b"authorization")
    if shown is not None:
        scheme, _, token = shown.partition(" ")
        return token.strip() if scheme.lower() == "bearer" else ""
    for protocol in given.get(b"sec-websocket-protocol", "").split(","):
        if protocol.strip().startswith(PROTOCOL):
            return protocol.strip().removeprefix(PROTOCOL)
    return None


def door_of(path: str) -> str:
    if path.startswith("/mcp"):
        return path[5:] or DEFAULT_DOOR
    if path.startswith("/api/"):
        return "rest"
    return BARE_DOOR if path == "/" else "web"


def resource_of(base: str, path: str) -> str:
    """What an OAuth token must have been asked for to be good here."""
    return base + path if path.startswith("/mcp") else base


def challenge(base: str, path: str, shown: bool) -> tuple[bytes, bytes]:
    where = path if path.startswith("/mcp") else ""
    error = 'error="invalid_token", ' if shown else ""
    told = f'Bearer realm="taskpilot", {error}resource_metadata="{base}/.well-known/oauth-protected-resource{where}"'
    return b"www-authenticate", told.encode("latin-1", "replace")


def _tell(verdict: Verdict, told: Headers) -> None:
    told[:] = verdict.headers
    if verdict.wait:
        hint = f"Try again in {verdict.wait} second{'s' if verdict.wait > 1 else ''}."
        raise Refused(
            429, "Too many requests", f"That was too often. {hint}", [(b"retry-after", str(verdict.wait).encode())]
        )


async def refuse(refused: Refused, scope: Scope, send: Send) -> None:
    """The same shape whoever is asked: a problem, as RFC 9457 has it."""
    problem: dict[str, Any] = {
        "type": "about:blank",
        "title": refused.title,
        "status": refused.status,
        "detail": refused.detail,
        "error": refused.title.lower().replace(" ", "_"),
        "message": refused.detail,
    }
    body = json.dumps(problem).encode()
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
