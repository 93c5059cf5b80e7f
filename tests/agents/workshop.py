"""A repository, a store and real workers, for whole runs of scripted agents."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from taskpilot.app import App
from taskpilot.domain.caller import Caller, local
from taskpilot.domain.operation import reads
from taskpilot.domain.question import Question
from taskpilot.domain.run import Agent, Entry, Kind, Run, State
from taskpilot.domain.task import Task
from taskpilot.ops import policies, questions, run_log, run_orders, tasks, users
from taskpilot.store import open_database
from taskpilot.store.runs import Diff
from taskpilot.store.work import Work
from tests.agents.scripted import scripted

ME = local("cli")
SRC = Path(__file__).parents[2] / "src"
PATIENCE = 60.0


def script(*steps: dict[str, Any], said: str = "Do as the script says.") -> str:
    return scripted.write(*steps, before=said)


class Workshop:
    """Runs are queued through operations and carried out by `taskpilot worker`, as anybody would."""

    def __init__(self, folder: Path, url: str = "") -> None:
        self.folder = folder
        self.url = url
        self.data = folder / "data"
        self.home = folder / "home"
        self.bin = scripted.install(folder / "bin")
        for place in (self.data, self.home):
            place.mkdir()
        self.repository = self.found("shop")
        database = open_database(url or self.data / "taskpilot.db")
        database.migrate()
        self.app = App(database)
        self.me = ME
        self.workers: list[subprocess.Popen[bytes]] = []

    def found(self, name: str) -> Path:
        """A new repository, where all that follows takes place."""
        self.repository = self.folder / "repositories" / name
        self.repository.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.email", "me@example.com")
        self.git("config", "user.name", "Me")
        (self.repository / "README").write_text("A shop.\n")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "Begin")
        return self.repository

    def close(self) -> None:
        for worker in self.workers:
            if worker.poll() is None:
                worker.send_signal(signal.SIGTERM)
        for worker in self.workers:
            try:
                worker.wait(20)
            except subprocess.TimeoutExpired:
                worker.kill()
                worker.wait()
        self.app.close()

    # Workers

    @property
    def env(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("LANG", "TMPDIR", "VIRTUAL_ENV") if name in os.environ}
        ours = {"TASKPILOT_DATABASE_URL": self.url} if self.url else {}
        return {
            **kept,
            **ours,
            "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(self.home),
            "PYTHONPATH": str(SRC),
            "TASKPILOT_WORKERS": "off",
            "TASKPILOT_CONFIG": str(self.folder / "none.toml"),
            "TASKPILOT_LOG_FORMAT": "text",
        }

    def hire(
        self, *options: str, data: Path | None = None, env: dict[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """A worker, as soon as it is ready or has gone."""
        place = data or self.data
        place.mkdir(exist_ok=True)
        said = self.folder / f"worker-{len(self.workers)}.log"
        argv = [sys.executable, "-m", "taskpilot", "worker", "--data-dir", str(place), *options]
        with said.open("wb") as file:
            worker = subprocess.Popen(argv, env={**self.env, **(env or {})}, stderr=file, stdin=subprocess.DEVNULL)
        self.workers.append(worker)
        wait(lambda: b"is ready" in said.read_bytes() or worker.poll() is not None, "the worker to be ready")
        return worker

    def read_logs(self) -> str:
        return "\n".join(path.read_text() for path in sorted(self.folder.glob("worker-*.log")))

    # Runs

    def do(self, op: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return self.app.run(self.me, op, *args, **kwargs)

    @contextmanager
    def as_another(self) -> Generator[None]:
        """All that follows is somebody else's, who is not this machine's own user."""
        user = self.do(users.ensure, 77)
        self.me = Caller(user.id, user.handle, "rest")
        try:
            yield
        finally:
            self.me = ME

    def add(self, title: str = "Paint the walls", **fields: Any) -> Task:
        return self.do(tasks.create, [{"title": title, "workspace": str(self.repository), **fields}]).tasks[0]

    def govern(self, **policy: Any) -> None:
        """Without walls, unless a test wants them: scripted agents keep their sessions in the home folder."""
        workspace = self.add("For its workspace").workspace
        self.do(policies.change, workspace, {"sandbox": "off", **policy})

    def start(
        self, instructions: str = "", agent: Agent = Agent.CLAUDECODE, task: Task | None = None, **how: Any
    ) -> Run:
        on = task or self.add()
        return self.do(run_orders.start, on.id, agent=agent, instructions=instructions, **how).run

    def start_command(self, *argv: str, task: Task | None = None, **caps: int) -> Run:
        config = {"command": list(argv), **({"caps": caps} if caps else {})}
        return self.start("Go", Agent.COMMAND, task, config=config)

    def get(self, run: Run | int) -> Run:
        return self.do(_find, run if isinstance(run, int) else run.id)

    def diff(self, run: Run) -> Diff:
        return self.do(_read_diff, run.id)

    def task(self, run: Run) -> Task:
        return self.do(tasks.get, run.task)

    def wait_for(self, run: Run, *states: State, seconds: float = PATIENCE) -> Run:
        try:
            return wait(lambda: found if (found := self.get(run)).state in states else None, f"run {run.id}", seconds)
        except AssertionError as error:
            told = "\n".join(f"{each.kind}: {each.text}" for each in self.log(run))
            raise AssertionError(f"{error}: it is {self.get(run).state}\n{told}\n{self.read_logs()}") from None

    def finish(self, run: Run, seconds: float = PATIENCE) -> Run:
        ends = (State.WAITING, State.COMPLETED, State.FAILED, State.CANCELLED)
        return self.wait_for(run, *ends, seconds=seconds)

    def wait_until_said(self, run: Run, words: str, seconds: float = PATIENCE) -> Entry:
        return wait(lambda: next((e for e in self.log(run) if words in e.text), None), f"{words!r}", seconds)

    def wait_for_question(self, run: Run, seconds: float = PATIENCE) -> Question:
        def find() -> Question | None:
            return next((each for each in self.do(questions.list_of_run, run.id) if each.open), None)

        return wait(find, "a question", seconds)

    def log(self, run: Run, kind: Kind | None = None) -> list[Entry]:
        found = self.do(run_log.read_run, run.id, limit=10_000)
        assert [entry.number for entry in found] == list(range(1, len(found) + 1))
        return [entry for entry in found if kind is None or entry.kind is kind]

    def said(self, run: Run) -> list[str]:
        return [entry.text for entry in self.log(run, Kind.MESSAGE)]

    # What is there

    def git(self, *args: str, cwd: Path | None = None) -> str:
        argv = ["git", "-c", "commit.gpgSign=false", *args]
        done = subprocess.run(argv, cwd=cwd or self.repository, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def commits(self, run: Run) -> list[str]:
        """Subjects of the commits that the run's branch has and main has not, oldest first."""
        return self.git("log", "--reverse", "--format=%s", f"main..{self.get(run).branch}").splitlines()

    def show(self, run: Run, path: str) -> str:
        return self.git("show", f"{self.get(run).branch}:{path}")

    def find_left(self) -> list[str]:
        """Programs that have a worktree as their home."""
        found: list[str] = []
        for process in psutil.process_iter():
            try:
                if str(self.folder) in process.cwd() and process.pid not in {w.pid for w in self.workers}:
                    found.append(" ".join(process.cmdline()))
            except psutil.Error:
                continue
        return found


@reads
def _find(work: Work, run_id: int) -> Run:
    return work.runs.get(run_id)


@reads
def _read_diff(work: Work, run_id: int) -> Diff | None:
    return work.runs.diff(run_id)


def wait(found: Callable[[], Any], what: str, seconds: float = PATIENCE) -> Any:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if outcome := found():
            return outcome
        time.sleep(0.03)
    raise AssertionError(f"waited {seconds:g} s for {what}")
