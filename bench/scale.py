"""The same calls on 10,000 and on 1,000,000 tasks, in turn."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from bench.report import at_most, show
from bench.seed import fill
from taskpilot.app import App
from taskpilot.contracts.native import CONTRACT
from taskpilot.domain.caller import local
from taskpilot.store import open_database

SMALL, LARGE = 10_000, 1_000_000
ROUNDS = 9
CALLS = 60
ROUND_SECONDS = 2.0
COMMON_BOX_MS = 600
"""The two time boxes of a search for very common words, with room for the answer."""


def run() -> None:
    with tempfile.TemporaryDirectory() as folder:
        apps = {many: _open(Path(folder) / f"{many}.db", many) for many in (SMALL, LARGE)}
        try:
            for name, tool, arguments, goal in (
                ("create", "task_create", lambda n: {"title": f"A new task {n}"}, 1.5),
                ("get", "task_get", lambda n: {"task_id": 1 + (n * 7919) % SMALL}, 1.5),
                ("list page", "task_list", lambda _: {}, 1.5),
                ("list page of 50, newest first", "task_list", lambda _: {"limit": 50, "sort": "newest"}, 1.5),
                ("search (100 matches)", "task_search", lambda n: {"query": f"needle{n % 90}x"}, 1.5),
            ):
                _compare(name, tool, arguments, goal, apps)
            _common(apps[LARGE])
            _sizes(apps)
        finally:
            for app in apps.values():
                app.close()


def _open(path: Path, many: int) -> App:
    start = time.perf_counter()
    fill(path, many)
    print(f"  filled a store with {many:,} tasks in {time.perf_counter() - start:.0f} s", flush=True)
    return App(open_database(path))


def _compare(
    name: str, tool: str, arguments: Callable[[int], dict[str, Any]], goal: float, apps: dict[int, App]
) -> None:
    times: dict[int, list[float]] = {many: [] for many in apps}
    for app in apps.values():
        _measure(app, tool, arguments, 0)
    for turn in range(ROUNDS):
        for many, app in apps.items():
            times[many].append(_measure(app, tool, arguments, turn))
    at_most(f"{name}, at 1,000,000 of at 10,000", times[LARGE], times[SMALL], goal)


def _measure(app: App, name: str, arguments: Callable[[int], dict[str, Any]], turn: int) -> float:
    """The median call of a round, in milliseconds: a checkpoint in one of them is not what is asked about."""
    tool, me, took = CONTRACT.by_name[name], local("native"), list[float]()
    end = time.perf_counter() + ROUND_SECONDS
    for number in range(CALLS):
        if time.perf_counter() > end:
            break
        given = tool.parse(arguments(turn * CALLS + number))
        start = time.perf_counter()
        app.run(me, tool, given)
        took.append(1000 * (time.perf_counter() - start))
    return median(took)


def _common(app: App) -> None:
    tool, me = CONTRACT.by_name["task_search"], local("native")
    start = time.perf_counter()
    reply = app.run(me, tool, tool.parse({"query": "task"}))
    took = 1000 * (time.perf_counter() - start)
    found = len(reply.data["tasks"])
    show("search for a word in every task, ms", took, f"≤ {COMMON_BOX_MS}", took <= COMMON_BOX_MS, f"{found} found")


def _sizes(apps: dict[int, App]) -> None:
    tool, me = CONTRACT.by_name["task_list"], local("native")
    small, large = (len(app.run(me, tool, tool.parse({})).text.encode()) for app in apps.values())
    show(
        "bytes of task_list, at 1,000,000 of at 10,000", large / small, "≤ 1.1", large / small <= 1.1, f"{large} bytes"
    )
