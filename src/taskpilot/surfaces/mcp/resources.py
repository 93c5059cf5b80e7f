"""The resources of a contract: what there is, what it says, and who wants to hear when it changes."""

from __future__ import annotations

from collections.abc import Sequence

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    SubscribeRequestParams,
    UnsubscribeRequestParams,
)

from taskpilot.app import App
from taskpilot.domain.errors import NotFound
from taskpilot.surfaces.mcp.callers import CallerOf, Context
from taskpilot.surfaces.mcp.content import Wire, describe_resource, show_contents
from taskpilot.surfaces.mcp.errors import translating
from taskpilot.surfaces.mcp.pages import only, turn
from taskpilot.surfaces.mcp.questions import is_modern
from taskpilot.surfaces.mcp.watchers import WATCHER, Watchers, connection_of
from taskpilot.toolkit import Document, Library

RESOURCE_NOT_FOUND = -32002
"""Until 2025-11-25; from 2026-07-28 on it is an invalid parameter like any other."""


class Resources:
    """Handlers for one contract's library."""

    def __init__(self, app: App, library: Library, caller_of: CallerOf, watchers: Watchers) -> None:
        self._app = app
        self._library = library
        self._caller_of = caller_of
        self._watchers = watchers

    async def list(self, context: Context, params: PaginatedRequestParams) -> Wire:
        with translating("resources/list"):
            shelf = await self._app.call(await self._caller_of(context), self._library.shelve)
        page, following = turn(shelf, lambda entry: entry.uri, params.cursor)
        listed: Wire = {"resources": [describe_resource(entry) for entry in page], "resultType": "complete"}
        return listed if following is None else {**listed, "nextCursor": following}

    async def list_templates(self, _: Context, params: PaginatedRequestParams) -> Wire:
        templates = only(self._library.templates, params.cursor)
        return {"resourceTemplates": [describe_resource(entry) for entry in templates], "resultType": "complete"}

    async def read(self, context: Context, params: ReadResourceRequestParams) -> Wire:
        documents = await self._read(context, params.uri)
        return {"contents": [show_contents(document) for document in documents], "resultType": "complete"}

    async def subscribe(self, context: Context, params: SubscribeRequestParams) -> Wire:
        """A URI that leads nowhere is refused: its subscriber would wait in vain."""
        await self._read(context, params.uri)
        watcher = await self._watchers.follow_connection(context)
        watcher.want(params.uri)
        return {}

    async def unsubscribe(self, context: Context, params: UnsubscribeRequestParams) -> Wire:
        watcher = connection_of(context).state.get(WATCHER)
        if watcher is not None:
            watcher.unwant(params.uri)
        return {}

    async def _read(self, context: Context, uri: str) -> Sequence[Document]:
        with translating("resources/read"):
            try:
                return await self._app.call(await self._caller_of(context), self._library.read, uri)
            except NotFound:
                code = INVALID_PARAMS if is_modern(context) else RESOURCE_NOT_FOUND
                raise MCPError(code, f"Resource not found: {uri}", {"uri": uri}) from None
