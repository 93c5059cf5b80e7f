"""What a model has to read: the tools, and a list."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from bench.report import show
from taskpilot.app import App
from taskpilot.contracts.native import CONTRACT
from taskpilot.domain.caller import local
from taskpilot.ops import tasks
from taskpilot.store import open_database

TOOLS_BYTES = 6_400
TASK_BYTES = 60


def run() -> None:
    told = [
        {"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema}
        for tool in CONTRACT.tools
    ]
    size = len(json.dumps(told, separators=(",", ":"), ensure_ascii=False).encode())
    show(f"tools/list of native, bytes ({len(told)} tools)", size, f"≤ {TOOLS_BYTES}", size <= TOOLS_BYTES)
    with tempfile.TemporaryDirectory() as folder:
        database = open_database(Path(folder) / "taskpilot.db")
        database.migrate()
        app, me = App(database), local("native")
        titles = [{"title": f"Review the draft of chapter {n} with the editor and reply"} for n in range(500)]
        app.run(me, tasks.create, titles)
        tool = CONTRACT.by_name["task_list"]
        reply = app.run(me, tool, tool.parse({"limit": 50}))
        app.close()
    each = len("\n".join(reply.text.splitlines()[:50]).encode()) / 50
    show("task_list, bytes of text a task", each, f"≤ {TASK_BYTES}", each <= TASK_BYTES)
