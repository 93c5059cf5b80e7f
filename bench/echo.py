"""The yardstick: one echo tool on the bare SDK. `echo.py stdio` or `echo.py http PORT`."""

from __future__ import annotations

import sys
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server

TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


async def list_tools(_: Any, __: Any) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[types.Tool(name="echo", description="Echo", input_schema=TEXT)])


async def call_tool(_: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    text = (params.arguments or {})["text"]
    return types.CallToolResult(content=[types.TextContent(text=text)], structured_content={"text": text})


def make() -> Server[Any]:
    return Server("echo", on_list_tools=list_tools, on_call_tool=call_tool, get_tool_input_schema=lambda _: TEXT)


def serve_stdio() -> None:
    """As the SDK's own documentation does it."""
    import anyio
    from mcp.server.stdio import stdio_server

    async def main() -> None:
        server = make()
        async with stdio_server() as (reader, writer):
            await server.run(reader, writer, server.create_initialization_options())

    anyio.run(main)


def serve_http(port: int) -> None:
    """With every advantage our own server takes: uvloop, httptools, no tracing, a frozen heap."""
    import gc

    import uvicorn

    server = make()
    server.middleware.clear()
    app = server.streamable_http_app()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)
    uvicorn.run(app, port=port, loop="uvloop", http="httptools", log_level="error", access_log=False)


if __name__ == "__main__":
    serve_stdio() if sys.argv[1] == "stdio" else serve_http(int(sys.argv[2]))
