"""What all the counters share: the application, the keeper of the door, and what there is to ask for."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from functools import cached_property

from starlette.requests import Request

from taskpilot.access.doorkeeper import Doorkeeper
from taskpilot.app import App
from taskpilot.domain.caller import Caller, unknown
from taskpilot.domain.oauth import Client, Refused, is_document
from taskpilot.ops import oauth
from taskpilot.remotes.documents import fetch_client

DOOR = "oauth"
FETCHES_AT_ONCE = 2
"""Strangers choose what is fetched: slow hosts of theirs must not take every errand's thread."""


@dataclass(frozen=True)
class Office:
    app: App
    keeper: Doorkeeper
    paths: frozenset[str]
    """Where MCP is spoken, besides the whole server."""
    _fetches: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(FETCHES_AT_ONCE))

    @cached_property
    def form_key(self) -> bytes:
        return self.app.vault.derive("consent forms")

    def meet(self, request: Request) -> Caller:
        """Whoever asks here has not said who they are: what they show is for us to judge, not for the gate."""
        caller: Caller = request.scope["caller"]
        return replace(unknown(DOOR, caller.address), tool=f"{request.method} {request.url.path}")

    def choose_resource(self, base: str, given: str | None) -> str | None:
        """A resource of ours in its one spelling; None if none was named."""
        if given is None:
            return None
        named = given.rstrip("/")
        if named != base and not (named.startswith(f"{base}/") and named.removeprefix(base) in self.paths):
            raise Refused("invalid_target", "There is no such resource here.")
        return named

    async def find_client(self, caller: Caller, client_id: str | None) -> Client:
        """As it was last described."""
        client = await self.app.call(caller, oauth.find_client, client_id) if client_id else None
        if client is None:
            raise Refused("invalid_client", "This program is not known here.", hint="Let it register again.")
        return client

    async def meet_client(self, caller: Caller, client_id: str | None) -> Client:
        """As it describes itself now, if its id says where."""
        if not client_id or not is_document(client_id):
            return await self.find_client(caller, client_id)
        known = await self.app.call(caller, oauth.find_client, client_id)
        if known is not None and self.app.now() < known.expires_at:
            return known
        async with self._fetches:
            return await self.app.send(caller, fetch_client, client_id)


def base_of(request: Request) -> str:
    """The address of this server as the caller knows it."""
    return request.scope["base_url"]
