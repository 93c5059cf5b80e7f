"""The same operation through each contract: a contract renames, and that should cost next to nothing."""

from __future__ import annotations

import tempfile
from typing import Any

from bench.load import NEW, measure
from bench.processes import TASKPILOT, Stdio, http_server
from bench.report import at_least

ROUNDS = 5
SECONDS = 1.5
CONNECTIONS = 16
GOAL = 0.85

# What stands for the same operation in each contract. Only `taskpilot` also lays its answer out on the disk when it
# writes, and only `coder` keeps runs: what they do beyond the others is not measured here.
GET: dict[str, tuple[str, dict[str, Any]]] = {
    "native": ("task_get", {"task_id": 1}),
    "manager": ("task_get", {"task_id": 1}),
    "todo": ("get_task", {"task_id": 1}),
}
CREATE: dict[str, tuple[str, dict[str, Any]]] = {
    "native": ("task_create", {"title": "Write the report {n}"}),
    "manager": ("task_create", {"title": "Write the report {n}"}),
    "simple": ("add_task", {"user_id": "1", "title": "Write the report {n}"}),
    "todo": ("create_task", {"title": "Write the report {n}"}),
}
FOCUS: dict[str, tuple[str, dict[str, Any]]] = {
    "native": ("workspace", {"path": "{folder}", "action": "focus", "task_id": 1}),
    "taskpilot": ("taskpilot_focus", {"workspace_path": "{folder}", "task_id": "TP-000001"}),
}


def run() -> None:
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as project:
        first = Stdio(*TASKPILOT, "mcp", "--data-dir", folder)
        first.open()
        first.call("task_create", {"title": "Write the quarterly report"})
        first.call("workspace", {"path": project, "action": "init"})
        first.close()
        focus = {
            name: (tool, {key: project if value == "{folder}" else value for key, value in arguments.items()})
            for name, (tool, arguments) in FOCUS.items()
        }
        with http_server(*TASKPILOT, "serve", "--port", "{port}", "--data-dir", folder) as port:
            for operation, calls in (("get", GET), ("create", CREATE), ("focus", focus)):
                _compare(operation, calls, port)


def _compare(operation: str, calls: dict[str, tuple[str, dict[str, Any]]], port: int) -> None:
    rates: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(ROUNDS):
        for name, (tool, arguments) in calls.items():
            rates[name].append(
                measure(
                    port,
                    tool,
                    arguments,
                    era=NEW,
                    connections=CONNECTIONS,
                    seconds=SECONDS,
                    path=f"/mcp/{name}",
                )
            )
    for name in calls:
        if name != "native":
            at_least(f"{operation} through {name}, of native", rates[name], rates["native"], GOAL)
