"""Real processes to measure: servers that answer before they are used and are gone afterwards."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

TASKPILOT = [str(Path(sys.executable).with_name("taskpilot"))]
ECHO = [sys.executable, "-P", str(Path(__file__).with_name("echo.py"))]  # -P: our http.py is not the library's
START_SECONDS = 30


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def http_server(*argv: str) -> Iterator[int]:
    """A server on a free port (`{port}` in its arguments), up when it answers anything at all."""
    port = free_port()
    process = subprocess.Popen(
        [part.replace("{port}", str(port)) for part in argv], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _wait(port)
        yield port
    finally:
        process.terminate()
        process.wait()


def _wait(port: int) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/livez", timeout=1).close()
            return
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.02)
    raise TimeoutError("the server did not start")


class Stdio:
    """One MCP client on a process's pipes, as plain as can be."""

    def __init__(self, *argv: str) -> None:
        self.process = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._in, self._out = self.process.stdin, self.process.stdout
        self._buffer = b""
        self._id = 0

    def open(self) -> None:
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        self.ask("initialize", hello)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        result = self.ask("tools/call", {"name": name, "arguments": arguments})["result"]
        assert not result.get("isError"), result
        return result

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._id += 1
        self.send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        return json.loads(self._line())

    def send(self, message: dict[str, Any]) -> None:
        self._in.write(json.dumps(message).encode() + b"\n")

    def close(self) -> None:
        self._in.close()
        self._out.close()
        self.process.wait()

    def _line(self) -> bytes:
        while b"\n" not in self._buffer:
            piece = self._out.read(65536)
            if not piece:
                raise EOFError("the server went away")
            self._buffer += piece
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line
