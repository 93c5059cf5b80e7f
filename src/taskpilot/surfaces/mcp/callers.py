"""Who asks."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

from mcp.server.context import ServerRequestContext

from taskpilot.domain.caller import Caller, local

Context = ServerRequestContext[Any, Any]
CallerOf = Callable[[Context], Awaitable[Caller]]

LONGEST_ACTOR = 80


def trust_locally(door: str) -> CallerOf:
    """Take every connection for this machine's user, and the client's name for the one who acts."""
    owner = local(door)

    async def identify(context: Context) -> Caller:
        return name_actor(owner, client_of(context), origin_of(context))

    return identify


def trust_gate(door: str) -> CallerOf:
    """Take each request for whom the gate in front of this server found out. One that went round it is a bug."""

    async def identify(context: Context) -> Caller:
        found: Caller = context.request.scope["caller"]  # pyright: ignore[reportOptionalMemberAccess]
        assert found.door == door
        return name_actor(found, client_of(context), origin_of(context))

    return identify


def trust_token(admit: Callable[[], Awaitable[Caller]]) -> CallerOf:
    """One connection, one credential, looked at again for every request: it may be revoked meanwhile."""

    async def identify(context: Context) -> Caller:
        return name_actor(await admit(), client_of(context), origin_of(context))

    return identify


def client_of(context: Context) -> str:
    client = context.session.client_params
    return client.client_info.name if client else ""


_origins: WeakKeyDictionary[Any, str] = WeakKeyDictionary()


def origin_of(context: Context) -> str:
    """A name for the connection, the same for as long as it lasts; empty for a request that stands alone.

    Not the HTTP session's id: whoever knows that one could speak in the session.
    """
    connection = context.session._connection  # pyright: ignore[reportPrivateUsage]
    if not connection.has_standalone_channel:
        return ""
    found = _origins.get(connection.outbound)
    if found is None:
        found = _origins[connection.outbound] = f"mcp:{secrets.token_hex(6)}"
    return found


@lru_cache(maxsize=1024)
def name_actor(caller: Caller, client: str, origin: str = "") -> Caller:
    """History says which assistant it was; without a name, whose. The agent of a run has its name from that."""
    if caller.run is not None:
        return caller
    printable = "".join(character for character in client if character.isprintable()).strip()
    return replace(caller, actor=printable[:LONGEST_ACTOR] or caller.actor, origin=origin)


@lru_cache(maxsize=4096)
def name_tool(caller: Caller, tool: str) -> Caller:
    return replace(caller, tool=tool)
