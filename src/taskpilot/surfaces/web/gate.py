"""The one way in: every request passes here before anything else sees it.

Host and origin, then how often, then who. What comes through carries `scope["caller"]`, and
`scope["base_url"]`, the address of this server as the caller knows it.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from ipaddress import IPv6Address, ip_address
from uuid import uuid4

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from taskpilot.access.doorkeeper import Doorkeeper
from taskpilot.app import App
from taskpilot.domain.caller import Caller, local, unknown
from taskpilot.domain.errors import Unauthenticated, Unavailable
from taskpilot.domain.text import clean_line, shorten
from taskpilot.surfaces.web import refusals
from taskpilot.surfaces.web.cors import Cors
from taskpilot.surfaces.web.credentials import bearer_of, body_length, door_of, endpoint_of, read_headers
from taskpilot.surfaces.web.limits import Buckets, Verdict
from taskpilot.surfaces.web.origins import Origins
from taskpilot.surfaces.web.public import is_public, is_try
from taskpilot.surfaces.web.refusals import Headers, Refused, refuse
from taskpilot.surfaces.web.streams import attend

SAFE: Headers = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
]
"""On every answer that does not say otherwise itself."""
STRICT = (b"strict-transport-security", b"max-age=31536000")
MONITORS = ("/livez", "/readyz")
"""Never counted: whatever watches the server must not take it for dead."""
ROUTE_MOST = 200

log = logging.getLogger(__name__)


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


@dataclass(slots=True)
class Visit:
    """One request, and what has been found out about it so far."""

    given: dict[bytes, str]
    method: str
    path: str
    address: str
    base: str
    shown: str | None
    told: Headers
    """Headers that its answer will carry."""
    verdict: Verdict | None = None

    def heed(self, verdict: Verdict | None) -> None:
        """The last verdict is the one that is told."""
        if verdict is not None:
            self.verdict = verdict
            if verdict.wait:
                raise refusals.too_often(verdict.wait)


class Gate:
    def __init__(self, inside: ASGIApp, app: App, keeper: Doorkeeper, terms: Terms) -> None:
        self.inside = inside
        self.keeper = keeper
        self._app = app
        self._terms = terms
        self._cors = Cors(terms.origins.configured)
        self._users = Buckets(terms.user_limit)
        self._addresses = Buckets(terms.address_limit)
        self._tries = Buckets(terms.try_limit)
        self._safe = [*SAFE, STRICT] if terms.secure else SAFE

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self.inside(scope, receive, send)
        visit = self._receive(scope)
        answer = Answer(send, self._safe, visit)
        try:
            await self._serve(scope, receive, answer, visit)
        except Refused as refused:
            await refuse(refused, scope, answer)
        except Exception as error:
            if answer.begun:
                raise
            incident = uuid4().hex[:12]
            log.error("bug %s in %s", incident, visit.path, exc_info=error, extra={"incident": incident})
            await refuse(refusals.broken(incident), scope, answer)

    async def _serve(self, scope: Scope, receive: Receive, answer: Answer, visit: Visit) -> None:
        if not self._check(scope, visit):
            return await answer.allow(self._cors.allow(scope))
        caller = await self._recognise(visit)
        if caller.credential:
            visit.heed(self._users.take(caller.user))
        scope["caller"], scope["base_url"] = caller, visit.base
        return await self._let_in(scope, receive, answer, visit, caller)

    def _receive(self, scope: Scope) -> Visit:
        given = read_headers(scope["headers"])
        client = scope.get("client")
        return Visit(
            given,
            scope.get("method", "GET"),
            scope["path"],
            client[0] if client else "",
            self._terms.origins.base(scope["scheme"].replace("ws", "http"), given.get(b"host", "")),
            bearer_of(given, websocket=scope["type"] == "websocket"),
            self._cors.answer(given.get(b"origin", "")),
        )

    def _check(self, scope: Scope, visit: Visit) -> bool:
        """Refuse what may not come at all, whoever sends it. False: it only asks whether it may ask."""
        host, origin = visit.given.get(b"host", ""), visit.given.get(b"origin")
        if not self._terms.origins.knows_host(host):
            raise refusals.misdirected()
        if origin is not None and not self._terms.origins.allows(origin, host):
            raise refusals.foreign()
        if self._terms.sign_in_required and visit.path not in MONITORS:
            self._count(visit)
        if (body_length(visit.given) or 0) > self._terms.body_most:
            raise refusals.too_long(self._terms.body_most)
        return origin is None or not self._cors.is_preflight(scope, visit.given)

    def _count(self, visit: Visit) -> None:
        whence = network_of(visit.address)
        visit.heed(self._addresses.take(whence))
        if is_try(visit.method, visit.path):
            visit.heed(self._tries.take(whence))

    async def _recognise(self, visit: Visit) -> Caller:
        """A credential that is shown counts, in either mode: nobody acts for another by an old token."""
        door = door_of(visit.path)
        try:
            if visit.shown is not None:
                return await self._admit(visit, door)
            if not self._terms.sign_in_required:
                return greet_locally(door, visit.address)
            raise Unauthenticated("This needs you to be signed in.", hint="Send Authorization: Bearer and a token.")
        except Unauthenticated as error:
            stranger = unknown(door, visit.address)
            if is_public(visit.method, visit.path):
                return stranger
            asked = shorten(clean_line(f"{visit.method} {visit.path}"), ROUTE_MOST)
            self._app.note(replace(stranger, tool=asked), error.kind)
            shown = visit.shown is not None
            raise refusals.unauthorized(str(error), endpoint_of(visit.path), visit.base, shown=shown) from None
        except Unavailable as error:
            raise refusals.unavailable(str(error)) from None

    async def _admit(self, visit: Visit, door: str) -> Caller:
        resource = visit.base + endpoint_of(visit.path)
        return await self.keeper.admit(visit.shown or "", door, address=visit.address, resource=resource)

    async def _let_in(self, scope: Scope, receive: Receive, answer: Answer, visit: Visit, caller: Caller) -> None:
        inside = self.inside
        if caller.credential:
            inside = partial(attend, inside, partial(self._admit, visit, caller.door))
        if scope["type"] == "http" and visit.method not in ("GET", "HEAD") and body_length(visit.given) is None:
            return await self._measure(inside, scope, receive, answer)
        return await inside(scope, receive, answer)

    async def _measure(self, inside: ASGIApp, scope: Scope, receive: Receive, answer: Answer) -> None:
        """Stop a body that turns out longer than it may be: for those inside, its sender has gone away."""
        most, seen = self._terms.body_most, 0

        async def measured() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            return message if seen <= most else {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if seen <= most or answer.begun:
                await answer(message)

        try:
            await inside(scope, measured, send)
        except Exception:
            if seen <= most:
                raise
        if seen > most and not answer.begun:
            await refuse(refusals.too_long(most), scope, answer)


class Answer:
    """The way out: adds what every answer carries, and knows whether one has begun."""

    __slots__ = ("_safe", "_send", "_visit", "begun")

    def __init__(self, send: Send, safe: Headers, visit: Visit) -> None:
        self._send = send
        self._safe = safe
        self._visit = visit
        self.begun = False

    async def __call__(self, message: Message) -> None:
        if not self.begun:
            self.begun = True
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers: Headers = list(message.get("headers", ()))
                have = {name for name, _ in headers}
                headers += [each for each in self._safe if each[0] not in have]
                headers += self._visit.told
                if self._visit.verdict is not None:
                    headers += self._visit.verdict.headers
                message["headers"] = headers
        await self._send(message)

    async def allow(self, headers: Headers) -> None:
        await self({"type": "http.response.start", "status": 204, "headers": headers})
        await self({"type": "http.response.body"})


@lru_cache(maxsize=1024)
def greet_locally(door: str, address: str) -> Caller:
    return replace(local(door), address=address)


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """What counts as one address: of IPv6, the /64 that one household has to itself."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return address
    return str(found.ipv4_mapped) if found.ipv4_mapped else str(IPv6Address(int(found) >> 64 << 64))
