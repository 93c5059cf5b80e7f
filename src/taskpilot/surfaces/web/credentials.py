"""What a request says about itself before anything is believed: its headers, its token, its door."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

WANTED = frozenset(
    {
        b"host",
        b"origin",
        b"authorization",
        b"content-length",
        b"transfer-encoding",
        b"sec-websocket-protocol",
        b"access-control-request-method",
    }
)
PROTOCOL = "bearer."
"""A browser's WebSocket cannot set headers: it offers its token as a subprotocol with this before it."""
UNCLEAR = "\0"
BARE_DOOR = "manager"
DEFAULT_DOOR = "native"

_ENDPOINT = re.compile(r"/mcp(?:/([a-z][a-z0-9_-]{0,39}))?")


def read_headers(raw: Iterable[tuple[bytes, bytes]]) -> dict[bytes, str]:
    """The few that matter here. One that comes twice is worth nothing: it is not clear which is meant."""
    found: dict[bytes, str] = {}
    for name, value in raw:
        if name in WANTED:
            found[name] = UNCLEAR if name in found else value.decode("latin-1").strip()
    return found


def bearer_of(given: dict[bytes, str], *, websocket: bool = False) -> str | None:
    """The token that is shown; None if none is, and "" for credentials of another kind."""
    shown = given.get(b"authorization")
    if shown is not None:
        scheme, _, token = shown.partition(" ")
        return token.strip() if scheme.lower() == "bearer" else ""
    if websocket:
        for protocol in given.get(b"sec-websocket-protocol", "").split(","):
            if protocol.strip().startswith(PROTOCOL):
                return protocol.strip().removeprefix(PROTOCOL)
    return None


def body_length(given: dict[bytes, str]) -> int | None:
    """How long the body will be; None where only its end will tell."""
    length = given.get(b"content-length", "")
    if b"transfer-encoding" in given or not (length.isascii() and length.isdigit() and len(length) < 19):
        return None
    return int(length)


@lru_cache(maxsize=1024)
def door_of(path: str) -> str:
    """Through which door a request comes. Only names that a contract can have: this is kept in the audit."""
    if path == "/":
        return BARE_DOOR
    if path.startswith("/api/"):
        return "rest"
    endpoint = _ENDPOINT.fullmatch(path)
    return (endpoint[1] or DEFAULT_DOOR) if endpoint else "web"


@lru_cache(maxsize=1024)
def endpoint_of(path: str) -> str:
    """The path, if it can be that of an MCP endpoint; else nothing. OAuth tokens are made out to one of these."""
    return path if _ENDPOINT.fullmatch(path) else ""
