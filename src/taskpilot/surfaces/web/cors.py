"""Pages of other origins, where they were configured: nobody else is told anything that a browser would honour."""

from __future__ import annotations

from collections.abc import Collection

from starlette.types import Scope

Headers = list[tuple[bytes, bytes]]

METHODS = b"GET, POST, PUT, PATCH, DELETE"
EXPOSED = (
    b"ETag, Location, Retry-After, Mcp-Session-Id, WWW-Authenticate, Idempotency-Replayed,"
    b" RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset"
)
ASKED = b"access-control-request-headers"
MAX_AGE = b"600"


class Cors:
    def __init__(self, origins: Collection[str]) -> None:
        self._origins = frozenset(origins)

    def welcomes(self, origin: str) -> bool:
        return origin.lower() in self._origins

    def answer(self, origin: str) -> Headers:
        """What lets a page of that origin read an answer. Never credentials: there are no cookies to send."""
        if not self._origins:
            return []
        if not self.welcomes(origin):
            return [(b"vary", b"Origin")]
        return [
            (b"access-control-allow-origin", origin.encode("latin-1")),
            (b"access-control-expose-headers", EXPOSED),
            (b"vary", b"Origin"),
        ]

    def is_preflight(self, scope: Scope, given: dict[bytes, str]) -> bool:
        """A browser asking on behalf of a configured page whether it may ask."""
        return (
            scope.get("method") == "OPTIONS"
            and b"access-control-request-method" in given
            and self.welcomes(given.get(b"origin", ""))
        )

    def allow(self, scope: Scope) -> Headers:
        """The answer to a preflight: every header that is asked for, since none is trusted more than another."""
        asked = [value for name, value in scope["headers"] if name == ASKED]
        allowed: Headers = [(b"access-control-allow-methods", METHODS), (b"access-control-max-age", MAX_AGE)]
        return [*allowed, (b"access-control-allow-headers", asked[0])] if len(asked) == 1 else allowed
