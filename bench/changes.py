"""What changed among 1,000,000 tasks, told in a few lines: beside reading one task."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

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
ME = local("native")


def run() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "taskpilot.db"
        fill(path, MANY)
        app = App(open_database(path))
        try:
            known = app.run(ME, changes.find_last)
            for number in range(CHANGES):
                app.run(ME, tasks.update, 1 + number * 99_999, {"priority": "critical", "notes": f"Changed {number}"})
            ways: dict[str, Callable[[int], Any]] = {
                "since": lambda _: app.run(ME, changes.sum_up, known),
                "get": lambda n: app.run(ME, tasks.get, 1 + n * 104_729 % MANY),
            }
            assert len(app.run(ME, changes.sum_up, known).changes) == CHANGES
            times: dict[str, list[float]] = {name: [] for name in ways}
            for turn in range(ROUNDS):
                for name, way in ways.items():
                    times[name].append(_measure(way, turn))
            at_most("10 changes since a revision, of one task read", times["since"], times["get"], 2.0)
        finally:
            app.close()


def _measure(way: Callable[[int], Any], turn: int) -> float:
    """The median call, in milliseconds."""
    took: list[float] = []
    for number in range(CALLS):
        start = time.perf_counter()
        way(turn * CALLS + number)
        took.append(1000 * (time.perf_counter() - start))
    return median(took)
