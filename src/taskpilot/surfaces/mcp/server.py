"""A contract, spoken as MCP."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.inbound import X_MCP_HEADER_KEY
from mcp_types import CallToolRequestParams, PaginatedRequestParams

from taskpilot import __version__
from taskpilot.app import App
from taskpilot.domain.caller import LOCAL_HANDLE, Caller, local
from taskpilot.domain.errors import TaskPilotError
from taskpilot.surfaces.mcp.errors import refuse, reject, report_bug
from taskpilot.toolkit import Contract, Reply, Tool

Context = ServerRequestContext[Any, Any]
Wire = dict[str, Any]

LONGEST_ACTOR = 80
LISTING_LIFETIME_MS = 60_000


def serve(app: App, contract: Contract, caller_of: Callable[[Context], Caller] | None = None) -> Server[Any]:
    """The MCP server of one contract; it can hold any number of connections at once.

    `caller_of` says who asks; left out, it is this machine's user, acting through the client's name.
    """
    caller_of = caller_of or trust_locally(contract.name)
    tools = contract.by_name

    @cache
    def describe_all() -> Wire:  # when first asked for: the schemas take longer than all the rest of the greeting
        return {"tools": [describe(tool) for tool in contract.tools], "resultType": "complete"}

    async def list_tools(_: Context, params: PaginatedRequestParams) -> Wire:
        if params.cursor is not None:
            raise reject(f"Unknown cursor: {params.cursor}. All tools are on the first page.")
        return describe_all()

    async def call_tool(context: Context, params: CallToolRequestParams) -> Wire:
        tool = tools.get(params.name)
        if tool is None:
            raise reject(f"Unknown tool: {params.name}")
        try:
            return answer(await app.call(caller_of(context), tool, tool.parse(params.arguments or {})))
        except TaskPilotError as error:
            return refuse(error)
        except Exception as error:
            raise report_bug(error, f"{contract.name}.{tool.name}") from None

    def find_input_schema(name: str) -> Wire | None:
        return find_header_schema(tools[name]) if name in tools else None

    server: Server[Any] = Server(
        "taskpilot",
        title=contract.title,
        version=__version__,
        instructions=contract.instructions,
        cache_hints={"tools/list": CacheHint(ttl_ms=LISTING_LIFETIME_MS, scope="public")},
        get_tool_input_schema=find_input_schema,
    )
    server.middleware.clear()  # OpenTelemetry spans that nobody collects cost 5–11 % of every call
    server.add_request_handler("tools/list", PaginatedRequestParams, list_tools)
    server.add_request_handler("tools/call", CallToolRequestParams, call_tool)
    return server


def describe(tool: Tool) -> Wire:
    """A tool as `tools/list` shows it."""
    read_only = tool.access.read_only
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema,
        "outputSchema": tool.output_schema,
        "annotations": {
            "readOnlyHint": read_only,
            "destructiveHint": tool.destructive,
            "idempotentHint": tool.idempotent or read_only,
            "openWorldHint": False,
        },
    }


@cache
def find_header_schema(tool: Tool) -> Wire | None:
    """The input schema if an argument of it must be repeated in an HTTP header; else there is nothing to check."""
    return tool.input_schema if f'"{X_MCP_HEADER_KEY}"' in json.dumps(tool.input_schema) else None


def answer(reply: Reply) -> Wire:
    """A plain mapping: the SDK checks and dumps results anyway, a model here would do it twice.

    `resultType` belongs to 2026-07-28; for older clients the SDK drops it.
    """
    return {
        "content": [{"type": "text", "text": reply.text}],
        "structuredContent": reply.data,
        "isError": False,
        "resultType": "complete",
    }


def trust_locally(door: str) -> Callable[[Context], Caller]:
    """Take every connection for this machine's user, and the client's name for the one who acts."""

    @lru_cache(maxsize=256)
    def introduce(client: str) -> Caller:
        printable = "".join(character for character in client if character.isprintable()).strip()
        return local(door, printable[:LONGEST_ACTOR] or LOCAL_HANDLE)

    def identify(context: Context) -> Caller:
        client = context.session.client_params
        return introduce(client.client_info.name if client else "")

    return identify
