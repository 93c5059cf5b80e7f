"""Tool calls over HTTP, 16 connections, against a bare echo tool on the same SDK and server settings."""

from __future__ import annotations

import tempfile

from bench.load import NEW, OLD, measure
from bench.processes import ECHO, TASKPILOT, Stdio, http_server
from bench.report import at_least

ROUNDS = 5
SECONDS = 2.0
CONNECTIONS = 16


def run() -> None:
    with tempfile.TemporaryDirectory() as folder:
        first = Stdio(*TASKPILOT, "mcp", "--data-dir", folder)
        first.open()
        first.call("task_create", {"title": "Write the quarterly report", "priority": "high", "tags": ["work"]})
        first.close()
        ours = (*TASKPILOT, "serve", "--port", "{port}", "--data-dir", folder)
        with http_server(*ECHO, "http", "{port}") as echo, http_server(*ours) as taskpilot:
            for era in (NEW, OLD):
                _compare(era, echo, taskpilot)


def _compare(era: str, echo: int, taskpilot: int) -> None:
    rates: dict[str, list[float]] = {"echo": [], "get": [], "create": []}
    for _ in range(ROUNDS):
        for name, port, tool, arguments in (
            ("echo", echo, "echo", {"text": "Write the quarterly report"}),
            ("get", taskpilot, "task_get", {"task_id": 1}),
            ("create", taskpilot, "task_create", {"title": "Write the quarterly report {n}"}),
        ):
            rates[name].append(measure(port, tool, arguments, era=era, connections=CONNECTIONS, seconds=SECONDS))
    at_least(f"{era}: task_get, of echo", rates["get"], rates["echo"], 0.75)
    at_least(f"{era}: task_create (durable), of echo", rates["create"], rates["echo"], 0.5)
