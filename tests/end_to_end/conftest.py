"""A bench for each real agent, by each way it can be run. `make test-agents` comes here; nothing else does."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import pytest

from taskpilot.access.secrets import hash_secret, make_secret
from taskpilot.agents import kinds, ways
from taskpilot.agents.ground import SERVER
from taskpilot.agents.programs import environment
from taskpilot.agents.repository.worktrees import Worktree, Worktrees
from taskpilot.agents.talk import McpServer, Outcome, Turn
from taskpilot.app import App
from taskpilot.domain.caller import local, worker
from taskpilot.domain.run import Agent
from taskpilot.domain.token import write_token
from taskpilot.ops import dispatch, run_log, run_orders, run_tokens, tasks
from taskpilot.server import serve_desk
from taskpilot.store import open_database
from tests.agents import repo
from tests.agents.ways.conftest import Ears
from tests.end_to_end import clis, model

FOLDER = Path(__file__).parent
ME = local("cli")
SECONDS = 120.0
"""That a conversation may take, on a busy machine."""
FOUND = pytest.StashKey[dict[Agent, clis.Installed]]()


def pytest_ignore_collect(config: pytest.Config) -> bool | None:
    """Only for who asks for this folder by name: hundreds of megabytes are fetched for each agent."""
    return None if any(FOLDER.name in Path(argument).parts for argument in config.args) else True


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    found = config.stash.get(FOUND, {})
    if found:
        terminalreporter.section("agents")
    for agent, installed in found.items():
        told = f"NOT INSTALLED, NOT TESTED: {installed.problem}" if installed.problem else installed.versions
        terminalreporter.line(f"{agent.value}: {told}", red=bool(installed.problem), green=not installed.problem)


@pytest.fixture(params=clis.PACKAGES, ids=lambda agent: agent.value)
def agent(request: pytest.FixtureRequest) -> Agent:
    return request.param


@pytest.fixture(params=["acp", "cli_json"])
def way(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="session")
def scripted_model() -> Iterator[str]:
    with model.serve() as address:
        yield address


@pytest.fixture
def home() -> Iterator[Path]:
    """Not in /tmp: Codex does not keep its programs there."""
    homes = clis.ROOT / "homes"
    homes.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=homes))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def env(agent: Agent, home: Path, scripted_model: str, pytestconfig: pytest.Config) -> dict[str, str]:
    """Of a worker that has this agent, and no other model than ours."""
    installed = clis.install(agent)
    pytestconfig.stash.setdefault(FOUND, {})[agent] = installed
    if installed.problem:
        pytest.fail(f"{agent.value} cannot be installed: {installed.problem}", pytrace=False)
    path = os.pathsep.join((str(installed.bin), str(clis.NODE), os.environ["PATH"]))
    return {"PATH": path, "HOME": str(home), "LANG": "C.UTF-8", **clis.lead(agent, home, scripted_model)}


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    database = open_database(tmp_path / "taskpilot.db")
    database.migrate()
    app = App(database)
    yield app
    app.close()


@dataclass
class Desk:
    """The desk of a run, as its agent is to reach it."""

    app: App
    server: McpServer
    run: int
    task: int

    @property
    def progress(self) -> int | None:
        return self.app.run(ME, tasks.get, self.task).progress

    @property
    def log(self) -> list[str]:
        return [entry.text for entry in self.app.run(ME, run_log.read_run, self.run)]


@dataclass
class Bench:
    agent: Agent
    way: str
    env: dict[str, str]
    worktrees: Worktrees
    worktree: Worktree
    desk: Desk
    ears: Ears = field(default_factory=Ears)

    async def play(self, prompt: str, ears: Ears | None = None, **turn: Any) -> Outcome:
        kind = kinds.find(self.agent)
        given = environment.compose(self.env, kind.variables, {})
        told = Turn(prompt=prompt, cwd=self.worktree.path, env=given, **turn)
        async with asyncio.timeout(SECONDS):
            return await ways.choose(kind, given, self.way).converse(told, ears or self.ears)

    def read(self, name: str) -> str:
        return (self.worktree.path / name).read_text()

    def find_left(self) -> list[str]:
        """The programs that still run here."""
        found: list[str] = []
        for process in psutil.process_iter():
            try:
                if process.environ().get("HOME") == self.env["HOME"] and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(" ".join(process.cmdline()))
            except psutil.Error:
                continue
        return found


@pytest.fixture
def bench(agent: Agent, way: str, env: dict[str, str], app: App, tmp_path: Path) -> Iterator[Bench]:
    repository = repo.make(tmp_path / "shop")
    with serve_desk(app) as address:
        desk = _open_desk(app, agent, repository, f"{address}/mcp/desk")
        worktrees = Worktrees(tmp_path / "worktrees")
        worktree = worktrees.prepare(run=desk.run, repository=repository, branch="walls")
        yield Bench(agent, way, env, worktrees, worktree, desk)


def _open_desk(app: App, agent: Agent, repository: Path, address: str) -> Desk:
    """As a worker does that takes a run."""
    task = app.run(ME, tasks.create, [{"title": "Paint the walls", "workspace": str(repository)}]).tasks[0]
    run = app.run(ME, run_orders.start, task.id, agent=agent).run
    caller = worker(run.owner, agent.value, run.id)
    app.run(caller, dispatch.admit, run.id)
    order = app.run(caller, dispatch.take, run.id, "bench", lease=3_600)
    secret = make_secret()
    token = app.run(caller, run_tokens.issue, order.hold, hash_secret(secret))
    return Desk(app, McpServer(SERVER, address, write_token(token.id, secret)), run.id, task.id)
