"""What changed among 1,000,000 tasks, told in a few lines: beside reading one task."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from bench.processes import TASKPILOT, Stdio
from bench.report import at_most
from bench.seed import fill
from taskpilot.app import App
from taskpilot.domain.caller import local
from taskpilot.ops import changes, tasks
from taskpilot.store import open_database

MANY = 1_000_000
CHANGES = 10
ROUNDS = 9
CALLS = 200
GOAL = 2.0
ME = local("native")


def run() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "taskpilot.db"
        fill(path, MANY)
        known = _change(path)
        _compare_calls(folder, known)
        _compare_operations(path, known)


def _change(path: Path) -> int:
    """The revision before ten tasks were changed."""
    app = App(open_database(path))
    try:
        known = app.run(ME, changes.find_last)
        for number in range(CHANGES):
            app.run(ME, tasks.update, 1 + number * 99_999, {"priority": "critical", "notes": f"Changed {number}"})
        assert len(app.run(ME, changes.sum_up, known).changes) == CHANGES
        return known
    finally:
        app.close()


def _compare_calls(folder: str, known: int) -> None:
    """As a client has it, over stdio: this is what the goal is about."""
    client = Stdio(*TASKPILOT, "mcp", "--data-dir", folder)
    client.open()
    since, get = _take_turns(
        lambda _: client.call("task_list", {"since": known}), lambda n: client.call("task_get", {"task_id": _pick(n)})
    )
    client.close()
    at_most("stdio: 10 changes since a revision, of task_get", since, get, GOAL)


def _compare_operations(path: Path, known: int) -> None:
    """Without the protocol, which costs both the same: what is left is ten changes told against one task read."""
    app = App(open_database(path))
    try:
        since, get = _take_turns(
            lambda _: app.run(ME, changes.sum_up, known), lambda n: app.run(ME, tasks.get, _pick(n))
        )
    finally:
        app.close()
    mine, other = median(since), median(get)
    what = "the same without the protocol: operations alone"
    print(f"       {what:<52} {mine / other:6.2f}  (no goal)  {mine:.3f} ms against {other:.3f} ms", flush=True)


def _take_turns(*ways: Callable[[int], Any]) -> list[list[float]]:
    """The median call of each round, in milliseconds, for each way."""
    return [list(each) for each in zip(*([_measure(way, turn) for way in ways] for turn in range(ROUNDS)), strict=True)]


def _measure(way: Callable[[int], Any], turn: int) -> float:
    took: list[float] = []
    for number in range(turn * CALLS, (turn + 1) * CALLS):
        start = time.perf_counter()
        way(number)
        took.append(1000 * (time.perf_counter() - start))
    return median(took)


def _pick(number: int) -> int:
    """Any task, and not the same again."""
    return 1 + number * 104_729 % MANY
