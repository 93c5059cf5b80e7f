"""A small contract that fails in every way there is, and real processes of the product."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client
from pydantic import BaseModel

from taskpilot.app import App
from taskpilot.domain import errors
from taskpilot.domain.operation import reads, writes
from taskpilot.store.work import Work
from taskpilot.surfaces.mcp.server import serve
from taskpilot.toolkit import Args, Contract, Reply, tool
from tests.surfaces.mcp import everything

FAILURES = {each.kind: each for each in errors.TaskPilotError.__subclasses__()}
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "tests", "version": "1"}},
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
PATIENCE = 20.0


class Answer(BaseModel):
    said: str


@reads(quick=True)
def look(work: Work) -> None: ...


@writes
def change(work: Work) -> None: ...


class WordArgs(Args):
    word: str


class NoArgs(Args):
    pass


@tool(look, title="Echo", output=Answer)
def echo(_: Work, args: WordArgs) -> Reply:
    """Say the word again."""
    return Reply(args.word, {"said": args.word})


@tool(look, title="Who", output=Answer)
def who(work: Work, args: NoArgs) -> Reply:
    """Say who asks."""
    return Reply("you", {"said": f"{work.caller.user} {work.caller.actor} {work.caller.door}"})


@tool(change, title="Fail", output=Answer, destructive=True)
def fail(_: Work, args: WordArgs) -> Reply:
    """Fail in the way the word names."""
    if args.word in FAILURES:
        raise FAILURES[args.word]("It failed.", hint="Do better.")
    raise RuntimeError(f"secret {args.word}")


@pytest.fixture
def place(tmp_path: Path) -> str:
    """What a surface does with an answer is the same on every store: SQLite will do."""
    return str(tmp_path / "taskpilot.db")


@pytest.fixture
def contract() -> Contract:
    return Contract("small", "Small", "Use it.", (echo, who, fail))


class Process:
    """A child that speaks lines, as an assistant would hold it."""

    def __init__(self, *command: str, **options: Any) -> None:
        self.raw = subprocess.Popen(
            command,
            **{"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "bufsize": 0} | options,
        )

    def send(self, *messages: Any) -> None:
        for message in messages:
            line = message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n"
            assert self.raw.stdin is not None
            self.raw.stdin.write(line)

    def receive(self) -> Any:
        assert self.raw.stdout is not None
        line = self.raw.stdout.readline()
        assert line.endswith(b"\n"), (line, self.raw.stderr.read() if self.raw.stderr else "")
        return json.loads(line)

    def ask(self, request: int | str, method: str, **params: Any) -> Any:
        self.send({"jsonrpc": "2.0", "id": request, "method": method, "params": params})
        return self.receive()

    def greet(self) -> Any:
        self.send(INITIALIZE)
        reply = self.receive()
        self.send(INITIALIZED)
        return reply

    def leave(self) -> tuple[int, bytes]:
        """Close standard input; the exit code and what was on stderr."""
        assert self.raw.stdin is not None
        self.raw.stdin.close()
        code = self.raw.wait(PATIENCE)
        return code, self.raw.stderr.read() if self.raw.stderr else b""

    def kill(self, number: int = signal.SIGKILL) -> int:
        with suppress(ProcessLookupError):
            self.raw.send_signal(signal.SIGCONT)
            self.raw.send_signal(number)
        return self.raw.wait(PATIENCE)

    def close(self) -> None:
        if self.raw.poll() is None:
            self.kill()
        for stream in (self.raw.stdin, self.raw.stdout, self.raw.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()


@pytest.fixture
def start() -> Iterator[Callable[..., Process]]:
    """Start processes that do not outlive the test."""
    started: list[Process] = []

    def begin(*command: str, **options: Any) -> Process:
        started.append(Process(*command, **options))
        return started[-1]

    yield begin
    for process in started:
        process.close()


@pytest.fixture
def start_mcp(start: Callable[..., Process], tmp_path: Path) -> Callable[..., Process]:
    """`taskpilot mcp` on the test's data folder."""

    def begin(*flags: str, **options: Any) -> Process:
        folder = options.pop("data_dir", tmp_path)
        return start(sys.executable, "-m", "taskpilot", "mcp", "--data-dir", str(folder), *flags, **options)

    return begin


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[Callable[..., tuple[Process, str]]]:
    """The HTTP server on the test's data folder, and its address."""
    started: list[Process] = []

    def begin(data_dir: Path = tmp_path) -> tuple[Process, str]:
        process, url = serve_on(data_dir)
        started.append(process)
        return process, url

    yield begin
    for process in started:
        process.close()


@pytest.fixture
def connect_to_everything(app: App):
    """An in-memory client of the official SDK, of the contract that has every part."""

    def connect(mode: str, caller_of: Any = None, **options: Any) -> Client:
        return Client(serve(app, everything.CONTRACT, caller_of), mode=mode, **options)

    return connect


@pytest.fixture
def start_everything(start: Callable[..., Process], tmp_path: Path) -> Callable[..., tuple[Process, str]]:
    """The same contract in a process of its own: over HTTP, at this address."""

    def begin(database_url: str = "", data_dir: Path = tmp_path) -> tuple[Process, str]:
        process = start(
            sys.executable, everything.__file__, "http", str(data_dir), database_url, stdin=None, stdout=None
        )
        return process, await_address(process)

    return begin


def serve_on(data_dir: Path) -> tuple[Process, str]:
    flags = ("--data-dir", str(data_dir), "--port", "0")
    process = Process(sys.executable, "-m", "taskpilot", "serve", *flags, stdin=None, stdout=None)
    return process, await_address(process)


def await_address(process: Process) -> str:
    """Where a server that has just been started answers."""
    assert process.raw.stderr is not None
    seen = b""
    while line := process.raw.stderr.readline():
        seen += line
        if b'"url"' in line:
            return json.loads(line)["url"]
    process.close()
    raise AssertionError(f"the server did not start: {seen.decode()}")


def resident_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
