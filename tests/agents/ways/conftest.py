"""A place with all scripted agents, somebody who listens to them, and a server for them to call."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psutil
import pytest

from taskpilot.agents import kinds, ways
from taskpilot.agents.talk import Asked, McpServer, Outcome, Said, Turn, Way
from taskpilot.domain.run import Agent, Kind
from tests.agents.scripted.scripted import install

AGENTS = (Agent.CLAUDECODE, Agent.CODEX, Agent.GEMINI, Agent.OPENCODE)
PAIRS = [(agent, way) for agent in AGENTS for way in ("acp", "cli_json")]
TOKEN = "tp_secret_of_this_run"


@dataclass
class Ears:
    """Keeps all it hears; answers as it was told."""

    answer: str = "allow_once"
    prompts: list[str] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    sessions: list[str] = field(default_factory=list)
    breaks_at: Kind | None = None
    stirred: asyncio.Event = field(default_factory=asyncio.Event)

    async def hear(self, said: Said) -> None:
        if said.kind is self.breaks_at:
            raise RuntimeError("nobody listens any more")
        self.said.append(said)
        self.stirred.set()

    async def remember(self, session: str) -> None:
        self.sessions.append(session)
        self.stirred.set()

    async def permit(self, asked: Asked) -> str:
        self.asked.append(asked)
        self.stirred.set()
        return self.answer

    async def next_prompt(self) -> str | None:
        return self.prompts.pop(0) if self.prompts else None

    async def wait_until(self, it: Callable[[Ears], object], seconds: float = 20) -> None:
        async with asyncio.timeout(seconds):
            while not it(self):
                self.stirred.clear()
                await self.stirred.wait()

    def texts(self, kind: Kind = Kind.MESSAGE) -> list[str]:
        return [said.text for said in self.said if said.kind is kind]

    def told(self, kind: Kind) -> list[dict[str, Any]]:
        return [dict(said.data or {}) for said in self.said if said.kind is kind]

    def sum(self, name: str) -> int:
        return sum(used[name] for used in self.told(Kind.USAGE))


@dataclass
class Stage:
    """Where agents are run."""

    cwd: Path
    env: dict[str, str]
    ears: Ears = field(default_factory=Ears)

    def open(self, agent: Agent, way: str) -> Way:
        return ways.choose(kinds.find(agent), self.env, way)

    async def play(self, agent: Agent, way: str, prompt: str, ears: Ears | None = None, **turn: Any) -> Outcome:
        told = Turn(prompt=prompt, cwd=self.cwd, env=self.env, **turn)
        return await self.open(agent, way).converse(told, ears or self.ears)


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("agents") / "bin")


@pytest.fixture
def stage(programs: Path, tmp_path: Path) -> Stage:
    for name in ("work", "home"):
        (tmp_path / name).mkdir()
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    env = {"PATH": path, "HOME": str(tmp_path / "home"), "LANG": "C.UTF-8", "GEMINI_API_KEY": "scripted"}
    return Stage(tmp_path / "work", env)


@dataclass
class Desk:
    """A little MCP server, as an agent is to reach it, and what it was called with."""

    server: McpServer
    calls: list[dict[str, Any]]


@pytest.fixture
def desk() -> Iterator[Desk]:
    calls: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.headers.get("Authorization") != f"Bearer {TOKEN}":
                self.reply(401, None)
            elif "id" not in message:
                self.reply(202, None)
            else:
                self.reply(200, {"jsonrpc": "2.0", "id": message["id"], "result": self.answer(message)})

        def answer(self, message: dict[str, Any]) -> dict[str, Any]:
            if message["method"] == "initialize":
                info = {"name": "desk", "version": "0"}
                return {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info}
            calls.append(message["params"])
            return {"content": [{"type": "text", "text": f"noted {message['params']['arguments']['note']}"}]}

        def reply(self, status: int, body: Any) -> None:
            data = json.dumps(body).encode() if body else b""
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            """Tests are quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield Desk(McpServer("taskpilot", f"http://127.0.0.1:{server.server_address[1]}/mcp", TOKEN), calls)
        server.shutdown()
        thread.join()


def find_left(stage: Stage) -> list[str]:
    """The programs that still run in this place."""
    found: list[str] = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("HOME") == stage.env["HOME"] and process.status() != psutil.STATUS_ZOMBIE:
                found.append(" ".join(process.cmdline()))
        except psutil.Error:
            continue
    return found
