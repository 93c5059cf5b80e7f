"""An answer of the assistant without a model, beside the bare operation it performs, in turn and in one run."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Awaitable
from pathlib import Path
from statistics import median
from typing import Any

from bench.report import show
from taskpilot.agents.chat.assistant import Assistant
from taskpilot.app import App
from taskpilot.contracts.todo import CONTRACT
from taskpilot.domain.caller import local
from taskpilot.ops import tasks
from taskpilot.settings import Settings
from taskpilot.store import open_database

TASKS = 1_000
ROUNDS = 60
ME = local("cli")
SAYINGS = (
    ("add", "create_task", lambda number: f"add buy {number} stamps", lambda number: {"title": f"Buy {number} stamps"}),
    ("tell me about", "get_task", lambda number: f"tell me about task {number}", lambda number: {"task_id": number}),
    ("toggle", "toggle_complete", lambda number: f"toggle task {number}", lambda number: {"task_id": number}),
    ("show all", "list_tasks", lambda _: "show my tasks", lambda _: {}),
)


def run() -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = open_database(str(Path(folder) / "taskpilot.db"))
        database.migrate()
        app = App(database)
        try:
            for first in range(0, TASKS, 500):
                app.run(ME, tasks.create, [{"title": f"Task number {first + place}"} for place in range(500)])
            asyncio.run(measure(app, Settings(data_dir=Path(folder))))
        finally:
            app.close()


async def measure(app: App, settings: Settings) -> None:
    begun = time.perf_counter()
    assistant = Assistant(app, settings)
    show("loading the assistant, once a process", 1000 * (time.perf_counter() - begun), "ms, printed only", True)
    for what, tool_name, say, give in SAYINGS:
        tool = CONTRACT.by_name[tool_name]
        said, bare = list[float](), list[float]()
        for number in range(1, ROUNDS + 1):
            bare.append(await clock(app.call(ME, tool, tool.parse(give(number)))))
            said.append(await clock(hear(assistant, say(number))))
        ours, theirs = 1000 * median(said), 1000 * median(bare)
        detail = f"p50 {ours:.2f} ms against {theirs:.2f} ms; {ours - theirs:.2f} ms on top"
        show(f"offline answer, of its bare operation: {what}", ours / theirs, "printed only", True, detail)


async def hear(assistant: Assistant, said: str) -> None:
    kinds = [piece.kind async for piece in assistant.reply(ME, said)]
    assert "result" in kinds, said


async def clock(action: Awaitable[Any]) -> float:
    begun = time.perf_counter()
    await action
    return time.perf_counter() - begun
