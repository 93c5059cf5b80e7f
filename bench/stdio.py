"""Tool calls over stdio, one in flight, against an echo tool on the SDK's own stdio."""

from __future__ import annotations

import tempfile
import time
from typing import Any

from bench.processes import ECHO, TASKPILOT, Stdio
from bench.report import at_least

ROUNDS = 7
CALLS = 1_500


def run() -> None:
    with tempfile.TemporaryDirectory() as folder:
        echo, ours = Stdio(*ECHO, "stdio"), Stdio(*TASKPILOT, "mcp", "--data-dir", folder)
        echo.open()
        ours.open()
        ours.call("task_create", {"title": "Write the quarterly report"})
        rates: dict[str, list[float]] = {"echo": [], "get": [], "create": []}
        for _ in range(ROUNDS):
            rates["echo"].append(_rate(echo, "echo", {"text": "Write the quarterly report"}))
            rates["get"].append(_rate(ours, "task_get", {"task_id": 1}))
            rates["create"].append(_rate(ours, "task_create", {"title": "Write the quarterly report"}))
        echo.close()
        ours.close()
    at_least("stdio task_get, of echo on the SDK's stdio", rates["get"], rates["echo"], 1.5)
    at_least("stdio task_create (durable), of the same", rates["create"], rates["echo"], 0.0)


def _rate(client: Stdio, tool: str, arguments: dict[str, Any]) -> float:
    start = time.perf_counter()
    for _ in range(CALLS):
        client.call(tool, arguments)
    return CALLS / (time.perf_counter() - start)
