"""Two hundred short runs through one worker and through two, and what a run costs beside the bare program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from bench.report import at_least, show
from taskpilot.app import App
from taskpilot.domain.caller import local
from taskpilot.domain.operation import reads
from taskpilot.domain.run import Agent, Run, State
from taskpilot.ops import policies, run_orders, tasks
from taskpilot.store import open_database
from taskpilot.store.work import Work

RUNS = 200
ALONE = 20
ME = local("cli")
COMMAND = ["sh", "-c", "echo begun; echo $TASKPILOT_RUN > made"]
"""What a run does: says something, and changes a file."""
FAR = 600.0


@reads
def find_all(work: Work) -> list[Run]:
    return work.runs.recent(RUNS)


@reads
def tell_times(work: Work, run_id: int) -> tuple[float, float, float]:
    """Seconds from asking for a run to its program's first word, from its end to the end of the run, and in all."""
    run, log = work.runs.get(run_id), work.runs.log.of_run(run_id, 100)
    first, over = (next(entry.at for entry in log if entry.kind == kind) for kind in ("message", "end"))
    ended = run.ended_at or over
    return tuple(each.total_seconds() for each in (first - run.created_at, ended - over, ended - run.created_at))  # type: ignore[return-value]


def run() -> None:
    times: dict[int, float] = {}
    for number in (1, 2):
        with tempfile.TemporaryDirectory() as folder, workshop(Path(folder)) as (app, repository):
            with workers(Path(folder), number):
                took, ended = carry_out(app, repository, RUNS)
            times[number] = RUNS / took
            right = all(each.state is State.COMPLETED and each.head for each in ended)
            what = f"{RUNS} runs through {number} worker{'s' if number > 1 else ''}: ended well"
            show(what, len(ended), f"= {RUNS}", right and len(ended) == RUNS, f"{took:.1f} s, {RUNS / took:.1f}/s")
    at_least("two workers against one, on this machine", [times[2]], [times[1]], 0.8, unit=" runs/s")
    measure_alone()


def measure_alone() -> None:
    """One after another, in turn with the same program in a worktree made and committed by hand."""
    bare, ours = list[float](), list[tuple[float, float, float]]()
    with tempfile.TemporaryDirectory() as folder, workshop(Path(folder)) as (app, repository), workers(Path(folder), 1):
        for number in range(ALONE):
            bare.append(_take_time(lambda number=number: run_bare(Path(folder), repository, number)))
            _, (done,) = carry_out(app, repository, 1)
            ours.append(app.run(ME, tell_times, done.id))
    first, last, whole = (1000 * median(each) for each in zip(*ours, strict=True))
    by_hand = 1000 * median(bare)
    show("asked for → first word of the program", first, "ms, printed only", True)
    show("program over → committed, compared and ended", last, "ms, printed only", True)
    detail = f"{whole:.0f} ms against {by_hand:.0f} ms, worktree included"
    show("a whole run, of the same by hand", whole / by_hand, "printed only", True, detail)


def carry_out(app: App, repository: Path, number: int) -> tuple[float, list[Run]]:
    """Seconds until all are at rest, and the runs."""
    drafts: list[Any] = [{"title": f"Task {n}", "workspace": str(repository)} for n in range(number)]
    made = app.run(ME, tasks.create, drafts).tasks
    start = time.perf_counter()
    for task in made:
        app.run(ME, run_orders.start, task.id, agent=Agent.COMMAND, instructions="Go", config={"command": COMMAND})
    wanted = {task.id for task in made}
    while time.perf_counter() - start < FAR:
        found = [each for each in app.run(ME, find_all) if each.task in wanted]
        if all(each.state.over for each in found):
            return time.perf_counter() - start, found
        time.sleep(0.02 if number == 1 else 0.2)
    raise TimeoutError(f"{number} runs took longer than {FAR:g} s")


def run_bare(folder: Path, repository: Path, number: int) -> None:
    place = folder / "bare" / str(number)
    branch = f"bare-{number}"
    _git(repository, "worktree", "add", "-q", "-b", branch, str(place))
    subprocess.run(COMMAND, cwd=place, env={**os.environ, "TASKPILOT_RUN": "0"}, capture_output=True, check=True)
    _git(place, "add", "-A")
    _git(place, "commit", "-q", "-m", "By hand")
    _git(place, "diff", "HEAD~1")


@contextmanager
def workshop(folder: Path) -> Generator[tuple[App, Path]]:
    repository, data = folder / "shop", folder / "data"
    repository.mkdir()
    data.mkdir()
    _git(repository, "init", "-q", "-b", "main")
    (repository / "README").write_text("A shop.\n")
    _git(repository, "add", "-A")
    _git(repository, "commit", "-q", "-m", "Begin")
    database = open_database(data / "taskpilot.db")
    database.migrate()
    with closing(App(database)) as app:
        first = app.run(ME, tasks.create, [{"title": "First", "workspace": str(repository)}]).tasks[0]
        assert first.workspace is not None
        app.run(ME, policies.change, first.workspace, {"most_runs": 0, "sandbox": "off"})
        yield app, repository


@contextmanager
def workers(folder: Path, number: int) -> Generator[None]:
    """As many as that on one data folder, each with two runs at a time, all of them ready."""
    argv = [sys.executable, "-m", "taskpilot", "worker", "--data-dir", str(folder / "data")]
    env = {**os.environ, "TASKPILOT_RUNS_PER_USER": "0", "TASKPILOT_LOG_FORMAT": "json"}
    logs = [folder / f"worker-{n}.log" for n in range(number)]
    started: list[subprocess.Popen[bytes]] = []
    try:
        for n, said in enumerate(logs):
            with said.open("wb") as file:
                started.append(subprocess.Popen([*argv, "--name", f"w{n}"], env=env, stderr=file))
        while not all(b"is ready" in said.read_bytes() for said in logs):
            if any(each.poll() is not None for each in started):
                raise RuntimeError("\n".join(said.read_text() for said in logs))
            time.sleep(0.05)
        yield
    finally:
        for each in started:
            each.send_signal(signal.SIGTERM)
        for each in started:
            each.wait(30)


def _git(place: Path, *args: str) -> None:
    who = ("-c", "user.name=Bench", "-c", "user.email=bench@localhost", "-c", "commit.gpgSign=false")
    subprocess.run(["git", *who, *args], cwd=place, check=True, capture_output=True)


def _take_time(do: Callable[[], None]) -> float:
    start = time.perf_counter()
    do()
    return time.perf_counter() - start
