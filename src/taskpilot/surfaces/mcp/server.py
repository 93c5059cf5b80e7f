"""A contract, spoken as MCP."""

from __future__ import annotations

from typing import Any

from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.lowlevel import Server
from mcp_types import (
    CallToolRequestParams,
    CompleteRequestParams,
    GetPromptRequestParams,
    NotificationParams,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ServerCapabilities,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    UnsubscribeRequestParams,
)

from taskpilot.app import App
from taskpilot.surfaces.mcp.callers import CallerOf, trust_locally
from taskpilot.surfaces.mcp.promises import contents_change, introduce, lists_change, promise
from taskpilot.surfaces.mcp.prompts import Prompts
from taskpilot.surfaces.mcp.resources import Resources
from taskpilot.surfaces.mcp.tools import Tools
from taskpilot.surfaces.mcp.watchers import Watchers
from taskpilot.toolkit import Contract, Library

LISTING_LIFETIME_MS = 60_000
UNCHANGING: tuple[CacheableMethod, ...] = ("prompts/list", "resources/templates/list")
CHANGING: tuple[CacheableMethod, ...] = ("resources/list", "resources/read")
HINTS: dict[CacheableMethod, CacheHint] = {
    "tools/list": CacheHint(ttl_ms=LISTING_LIFETIME_MS, scope="private"),
    **dict.fromkeys(UNCHANGING, CacheHint(ttl_ms=LISTING_LIFETIME_MS, scope="public")),
    **dict.fromkeys(CHANGING, CacheHint(ttl_ms=0, scope="private")),
}


def serve(app: App, contract: Contract, caller_of: CallerOf | None = None) -> Server[Any]:
    """The MCP server of one contract; it can hold any number of connections at once.

    `caller_of` says who asks; left out, it is this machine's user, acting through the client's name.
    """
    caller_of = caller_of or trust_locally(contract.name)
    tools = Tools(app, contract, caller_of)
    server = ContractServer(contract, tools)
    server.add_request_handler("tools/list", PaginatedRequestParams, tools.list)
    server.add_request_handler("tools/call", CallToolRequestParams, tools.call)
    if contract.library is not None:
        open_library(server, app, contract.library, caller_of)
    prompts = Prompts(app, contract, caller_of)
    if contract.prompts:
        server.add_request_handler("prompts/list", PaginatedRequestParams, prompts.list)
        server.add_request_handler("prompts/get", GetPromptRequestParams, prompts.get)
    if contract.complete is not None:
        server.add_request_handler("completion/complete", CompleteRequestParams, prompts.complete)
    return server


def open_library(server: Server[Any], app: App, library: Library, caller_of: CallerOf) -> None:
    """Serve resources, and tell of their changes where they change."""
    watchers = Watchers(app, library, caller_of)
    resources = Resources(app, library, caller_of, watchers)
    server.add_request_handler("resources/list", PaginatedRequestParams, resources.list)
    server.add_request_handler("resources/templates/list", PaginatedRequestParams, resources.list_templates)
    server.add_request_handler("resources/read", ReadResourceRequestParams, resources.read)
    if contents_change(library):
        server.add_request_handler("resources/subscribe", SubscribeRequestParams, resources.subscribe)
        server.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, resources.unsubscribe)
    if lists_change(library):
        server.add_notification_handler("notifications/initialized", NotificationParams, watchers.announce_lists)
    if contents_change(library) or lists_change(library):
        server.add_request_handler("subscriptions/listen", SubscriptionsListenRequestParams, watchers.listen)


class ContractServer(Server[Any]):
    """The SDK's server, except that it promises what the contract keeps, in every revision."""

    def __init__(self, contract: Contract, tools: Tools) -> None:
        said = introduce(contract)
        super().__init__(
            said["name"],
            title=said.get("title"),
            version=said["version"],
            instructions=contract.instructions or None,
            cache_hints=HINTS,
            get_tool_input_schema=tools.find_schema,
        )
        self.middleware.clear()  # OpenTelemetry spans that nobody collects cost 5–11 % of every call
        self._promises = ServerCapabilities.model_validate(promise(contract))

    def get_capabilities(self, *_: Any, **__: Any) -> ServerCapabilities:
        return self._promises
