"""Who asks."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from mcp.server.context import ServerRequestContext

from taskpilot.domain.caller import LOCAL_HANDLE, Caller, local

Context = ServerRequestContext[Any, Any]
CallerOf = Callable[[Context], Caller]

LONGEST_ACTOR = 80


def trust_locally(door: str) -> CallerOf:
    """Take every connection for this machine's user, and the client's name for the one who acts."""

    @lru_cache(maxsize=256)
    def introduce(client: str) -> Caller:
        printable = "".join(character for character in client if character.isprintable()).strip()
        return local(door, printable[:LONGEST_ACTOR] or LOCAL_HANDLE)

    def identify(context: Context) -> Caller:
        client = context.session.client_params
        return introduce(client.client_info.name if client else "")

    return identify
