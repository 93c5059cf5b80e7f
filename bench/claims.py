"""Sixty-four agents on one SQLite store: how fast they claim, and whether each task is done exactly once."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.report import at_least, show
from taskpilot.app import App
from taskpilot.domain.caller import local
from taskpilot.domain.errors import Conflict
from taskpilot.domain.selection import Selection
from taskpilot.ops import claims, tasks
from taskpilot.ops.queue import Wish
from taskpilot.store import open_database

AGENTS = 64
TASKS = 2_000
ROUNDS = 3
LEASE = 5
KILLED = -(-AGENTS // 10)
DIES_WITHIN = 3
ME = local("cli")
FORK = multiprocessing.get_context("fork")
Agent = Callable[[App, int, bool], None]
"""Works through the store under its number; the flag says whether to die on the way."""


def run() -> None:
    for where, compete in (("a process each", _compete), ("one server", _share)):
        times: dict[str, list[float]] = {"update": [], "claim": []}
        for _ in range(ROUNDS):
            for what, agent in (("update", _update), ("claim", _claim)):
                with tempfile.TemporaryDirectory() as folder:
                    times[what].append(TASKS / compete(_fill(folder), agent)[0])
        at_least(f"{AGENTS} agents, {where}: claims of updates", times["claim"], times["update"], 0.5)
    for dying in (0, KILLED):
        with tempfile.TemporaryDirectory() as folder:
            path = _fill(folder)
            _account(path, *_compete(path, _finish, dying))


def _fill(folder: str) -> Path:
    path = Path(folder) / "taskpilot.db"
    database = open_database(path)
    database.migrate()
    with closing(App(database)) as app:
        for first in range(0, TASKS, 500):
            drafts: list[Any] = [{"title": f"Task {first + n}", "priority": 1 + n % 5} for n in range(500)]
            app.run(ME, tasks.create, drafts)
    return path


def _compete(path: Path, agent: Agent, dying: int = 0) -> tuple[float, int]:
    """A process for each: seconds from the moment all are there to the end of the last, and how many were killed."""
    ready, go = FORK.Barrier(AGENTS + 1), FORK.Event()

    def work(number: int) -> None:
        with closing(App(open_database(path))) as app:
            app.ping()
            ready.wait()
            go.wait()
            agent(app, number, number < dying)

    agents = [FORK.Process(target=work, args=(number,)) for number in range(AGENTS)]
    for each in agents:
        each.start()
    ready.wait()
    start = time.perf_counter()
    go.set()
    for each in agents:
        each.join()
    return time.perf_counter() - start, sum(each.exitcode == -signal.SIGKILL for each in agents)


def _share(path: Path, agent: Agent) -> tuple[float, int]:
    """All of them through one process, as a server has them."""
    with closing(App(open_database(path))) as app:
        threads = [threading.Thread(target=agent, args=(app, number, False)) for number in range(AGENTS)]
        start = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return time.perf_counter() - start, 0


def _update(app: App, number: int, _: bool) -> None:
    me = replace(ME, actor=f"agent{number}")
    for task in range(1 + number, TASKS + 1, AGENTS):
        app.run(me, tasks.update, task, {"progress": 5})


def _claim(app: App, number: int, _: bool) -> None:
    me = replace(ME, actor=f"agent{number}")
    while app.run(me, claims.take_next, Wish()).task is not None:
        pass


def _finish(app: App, number: int, dies: bool) -> None:
    """Take and complete until all is done; or be killed while holding one."""
    me, left = replace(ME, actor=f"agent{number}"), random.randint(1, DIES_WITHIN)
    while True:
        taken = app.run(me, claims.take_next, Wish(), lease=LEASE)
        if taken.task is None or taken.claim is None:
            if not app.run(me, tasks.list_page, Selection(), limit=1).items:
                return
            time.sleep(0.1)
            continue
        left -= 1
        if dies and not left:
            os.kill(os.getpid(), signal.SIGKILL)
        with suppress(Conflict):  # its lease ran out while it waited for its turn: somebody else has the task now
            app.run(me, tasks.complete, taken.task.id, claim=taken.claim.id)


def _account(path: Path, took: float, killed: int) -> None:
    with closing(open_database(path)) as database, database.reading() as db:
        events = db.all("SELECT subject_id FROM event WHERE kind = 'task.completed'")
        done = db.all("SELECT count(*) AS number FROM task WHERE status = 'done'")[0]["number"]
        returned = db.all("SELECT count(*) AS number FROM claim WHERE ending = 'expired'")[0]["number"]
    completed = Counter(row["subject_id"] for row in events)
    doubles = sum(number - 1 for number in completed.values())
    right = not doubles and done == TASKS and len(completed) == TASKS
    what = f"{AGENTS} agents finish {TASKS:,} tasks" + (f", {killed} killed" if killed else "")
    show(
        what, done, f"= {TASKS}", right, f"{doubles} done twice, {TASKS - done} lost, {returned} returned, {took:.1f} s"
    )
