"""Calls a tool of an MCP server by streamable HTTP, with nothing but Python's own library."""

import json
import urllib.error
import urllib.request

VERSION = "2025-06-18"


def call(server: dict | None, tool: str, arguments: dict) -> str:
    """The text of the answer, or what went wrong."""
    if server is None:
        return "no MCP server was given"
    hello = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "scripted", "version": "0"}}
    headers = dict(server["headers"])
    try:
        _, session = post(server["url"], headers, {"id": 1, "method": "initialize", "params": hello})
        headers["MCP-Protocol-Version"] = VERSION
        if session:
            headers["Mcp-Session-Id"] = session
        post(server["url"], headers, {"method": "notifications/initialized"})
        wanted = {"name": tool, "arguments": arguments}
        answer, _ = post(server["url"], headers, {"id": 2, "method": "tools/call", "params": wanted})
    except urllib.error.HTTPError as error:
        with error:
            return f"HTTP {error.code}"
    except OSError as error:
        return f"not reached: {error}"
    if "error" in answer:
        return f"error: {answer['error']['message']}"
    return "\n".join(part.get("text", "") for part in answer["result"]["content"])


def post(url: str, headers: dict, message: dict) -> tuple[dict, str]:
    accept = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(urllib.request.Request(url, body, {**accept, **headers}), timeout=30) as response:
        session = response.headers.get("Mcp-Session-Id") or ""
        text = response.read().decode()
    lines = [line[5:] for line in text.splitlines() if line.startswith("data:")] or [text]
    answers = [json.loads(line) for line in lines if line.strip()]
    return next((answer for answer in answers if answer.get("id") == message.get("id")), {}), session
