"""HTTP load from a process of its own: `python -m bench.load`, a job as JSON on standard input.

Raw sockets and ready-made requests, so that the server is what is measured.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from typing import Any

NEW = "2026-07-28"
OLD = "2025-06-18"
CLIENT = {"name": "bench", "version": "1"}


def measure(
    port: int, tool: str, arguments: dict[str, Any], *, era: str, connections: int, seconds: float, path: str = "/mcp"
) -> float:
    """Calls a second. `{n}` in an argument's text is a running number."""
    job = {
        "port": port,
        "tool": tool,
        "arguments": arguments,
        "era": era,
        "connections": connections,
        "seconds": seconds,
        "path": path,
    }
    done = subprocess.run(
        [sys.executable, "-m", "bench.load"], input=json.dumps(job), capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def main() -> None:
    job = json.load(sys.stdin)
    import uvloop

    print(uvloop.run(drive(**job)))


async def drive(
    port: int, tool: str, arguments: dict[str, Any], era: str, connections: int, seconds: float, path: str
) -> float:
    lanes = [await Lane.open(port, era, path) for _ in range(connections)]
    await asyncio.gather(*(lane.call(tool, arguments) for lane in lanes))  # warm
    start = time.perf_counter()
    counts = await asyncio.gather(*(lane.repeat(tool, arguments, start + seconds) for lane in lanes))
    return sum(counts) / (time.perf_counter() - start)


class Lane:
    """One connection with one call in flight."""

    def __init__(
        self, port: int, era: str, path: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.port, self.era, self.path, self.reader, self.writer = port, era, path, reader, writer
        self.session = ""
        self.number = 0

    @classmethod
    async def open(cls, port: int, era: str, path: str) -> Lane:
        lane = cls(port, era, path, *await asyncio.open_connection("127.0.0.1", port))
        if era == OLD:
            hello = {"protocolVersion": OLD, "capabilities": {}, "clientInfo": CLIENT}
            headers, _ = await lane.post({"method": "initialize", "params": hello, "id": 0})
            lane.session = next(
                line.split(": ", 1)[1] for line in headers.split("\r\n") if line.lower().startswith("mcp-session-id")
            )
            await lane.post({"method": "notifications/initialized"})
        return lane

    async def repeat(self, tool: str, arguments: dict[str, Any], end: float) -> int:
        count = 0
        while time.perf_counter() < end:
            await self.call(tool, arguments)
            count += 1
        return count

    async def call(self, tool: str, arguments: dict[str, Any]) -> None:
        self.number += 1
        filled = {
            name: value.replace("{n}", str(self.number)) if isinstance(value, str) else value
            for name, value in arguments.items()
        }
        params: dict[str, Any] = {"name": tool, "arguments": filled}
        if self.era == NEW:
            params["_meta"] = {
                "io.modelcontextprotocol/protocolVersion": NEW,
                "io.modelcontextprotocol/clientInfo": CLIENT,
                "io.modelcontextprotocol/clientCapabilities": {},
            }
        headers, body = await self.post({"method": "tools/call", "params": params, "id": self.number}, tool)
        if '"isError":true' in body or '"error"' in body or " 200 " not in headers[:20]:
            raise RuntimeError(headers + body)

    async def post(self, message: dict[str, Any], tool: str = "") -> tuple[str, str]:
        body = json.dumps({"jsonrpc": "2.0", **message})
        extra = f"mcp-session-id: {self.session}\r\n" if self.session else ""
        if self.era == NEW:
            extra += f"mcp-method: {message['method']}\r\nmcp-name: {tool}\r\n"
        self.writer.write(
            (
                f"POST {self.path} HTTP/1.1\r\nhost: 127.0.0.1:{self.port}\r\ncontent-type: application/json\r\n"
                f"accept: application/json, text/event-stream\r\nmcp-protocol-version: {self.era}\r\n{extra}"
                f"content-length: {len(body)}\r\n\r\n{body}"
            ).encode()
        )
        headers = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        return headers, await self._body(headers.lower())

    async def _body(self, headers: str) -> str:
        if "transfer-encoding: chunked" in headers:
            parts: list[bytes] = []
            while size := int(await self.reader.readline(), 16):
                parts.append((await self.reader.readexactly(size + 2))[:-2])
            await self.reader.readline()
            return b"".join(parts).decode()
        length = headers.partition("content-length: ")[2].partition("\r\n")[0]
        return (await self.reader.readexactly(int(length))).decode() if length else ""


if __name__ == "__main__":
    main()
