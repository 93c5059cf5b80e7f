"""Everybody who listens hears every change, once and in order, however often the line breaks."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import anyio
import httpx2
import pytest
from anyio.abc import TaskStatus
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from taskpilot.access.secrets import hash_secret, make_secret
from taskpilot.app import App
from taskpilot.domain.caller import local
from taskpilot.domain.scopes import USUAL
from taskpilot.domain.token import write_token
from taskpilot.ops import changes, tasks, tokens
from taskpilot.store import open_database
from tests.surfaces.mcp.conftest import PATIENCE, Process, await_address

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

ME = local("cli")
CLIENTS = 50
SOCKETS = 5
"""So many of them are WebSockets."""
BY_REST, BY_MCP, BY_OPS, BY_COMMAND = 300, 300, 1_390, 10
TOTAL = BY_REST + BY_MCP + BY_OPS + BY_COMMAND
TASKPILOT = str(Path(sys.executable).with_name("taskpilot"))


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request) -> str:
    return "" if request.param == "sqlite" else request.getfixturevalue("postgres_url")


@pytest.fixture
def flags(tmp_path, database_url) -> list[str]:
    return ["--data-dir", str(tmp_path), *(["--database-url", database_url] if database_url else [])]


@pytest.fixture
def server(flags, monkeypatch) -> Iterator[tuple[Process, str]]:
    """A server that lets nobody in without a token, and does not count how often they come."""
    monkeypatch.setenv("TASKPILOT_RATE_LIMIT", "0")
    monkeypatch.setenv("TASKPILOT_ADDRESS_RATE_LIMIT", "0")
    command = (TASKPILOT, "serve", "--port", "0", "--auth", "required", *flags)
    process = Process(*command, stdin=None, stdout=None)
    yield process, await_address(process)
    process.close()


@pytest.fixture
def app(server, tmp_path, database_url) -> Iterator[App]:
    """This process's own way to the same database."""
    app = App(open_database(database_url or str(tmp_path / "taskpilot.db")))
    yield app
    app.close()


@pytest.fixture
def token(app: App) -> str:
    secret = make_secret()
    return write_token(app.run(ME, tokens.create, "listener", hash_secret(secret), USUAL).id, secret)


class Ear:
    """One client: all that it has heard, whatever connection it came through."""

    def __init__(self, address: str, token: str, last: int, seed: int = 0) -> None:
        self.url, self.token, self.last = urlsplit(address), token, last
        self.heard: list[int] = []
        self.connections = 0
        self._chance = random.Random(seed)

    def note(self, number: int, event: str) -> None:
        assert event != "reset"
        if event not in ("ready", "heartbeat"):
            self.heard.append(number)
            self.last = number

    async def listen(self, follow: Callable[[Ear], AsyncGenerator[None]], total: int) -> None:
        """Until all is heard; now and then the line is cut, without a word, in the middle of whatever it was."""
        while len(self.heard) < total:
            self.connections += 1
            patience = self._chance.choice([0.05, 0.5, 2.0, 5.0])
            enough = min(total, len(self.heard) + self._chance.randint(1, 500))
            with anyio.move_on_after(patience):
                async with aclosing(follow(self)) as line:
                    while len(self.heard) < enough:
                        await anext(line)
            await asyncio.sleep(self._chance.uniform(0, 0.2))


@asynccontextmanager
async def request_stream(ear: Ear, query: str = ""):
    """Server-sent events as they come over the wire; leaving cuts the line."""
    reader, writer = await asyncio.open_connection(ear.url.hostname, ear.url.port)
    try:
        lines = (
            f"GET /api/events{query} HTTP/1.0",
            f"Host: {ear.url.netloc}",
            f"Authorization: Bearer {ear.token}",
            f"Last-Event-ID: {ear.last}",
        )
        writer.write("\r\n".join((*lines, "", "")).encode())
        yield reader
    finally:
        writer.transport.abort()


async def follow_stream(ear: Ear) -> AsyncGenerator[None]:
    """As an EventSource reads it: what has no blank line behind it never came."""
    async with request_stream(ear) as reader:
        assert b" 200 " in await reader.readline()
        event: dict[str, str] = {}
        while line := await reader.readline():
            if line == b"\n" and "id" in event:
                assert json.loads(event["data"])["id"] == int(event["id"])
                ear.note(int(event["id"]), event["event"])
                event = {}
                yield
            elif line.startswith((b"id: ", b"event: ", b"data: ")) and line.endswith(b"\n"):
                name, _, value = line.decode().rstrip("\n").partition(": ")
                event[name] = value


async def follow_socket(ear: Ear) -> AsyncGenerator[None]:
    uri = f"ws://{ear.url.netloc}/api/events/ws?last_event_id={ear.last}"
    async with connect(uri, subprotocols=["taskpilot", f"bearer.{ear.token}"]) as socket:
        try:
            while True:
                message = json.loads(await socket.recv())
                ear.note(message["id"], message["event"])
                yield
        finally:
            socket.transport.abort()


def open_client(address: str, token: str) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(base_url=address, headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE)


async def change_by_rest(address: str, token: str, count: int) -> None:
    async with open_client(address, token) as client:
        for number in range(count):
            answer = await client.post("/api/tasks", json={"title": f"By REST {number}"})
            assert answer.status_code == 201, answer.text


async def change_by_mcp(address: str, token: str, count: int) -> None:
    async with open_client(address, token) as client:
        for number in range(count):
            asked = {"name": "task_create", "arguments": {"title": f"By an assistant {number}"}}
            answer = await client.post("/", json={"method": "tools/call", "params": asked})
            assert "isError" not in answer.json(), answer.text


def change_by_ops(app: App, count: int) -> None:
    """Several in one transaction, as imports and bulk requests do it."""
    for number in range(0, count, 10):
        app.run(ME, tasks.create, [{"title": f"By ops {number + each}"} for each in range(10)])


def change_by_command(flags: list[str], count: int) -> None:
    for number in range(count):
        subprocess.run([TASKPILOT, "add", f"By command {number}", *flags], check=True, capture_output=True)


def read_log(app: App, last: int) -> list[int]:
    found: list[int] = []
    more = True
    while more:
        news = app.run(ME, changes.read_after, last)
        found += [event.id for event in news.events]
        last, more = news.last, news.more
    return found


async def test_fifty_listeners_miss_nothing_whatever_happens_to_their_connections(server, app, token, flags):
    address = server[1]
    start = app.run(ME, changes.find_last)
    ears = [Ear(address, token, start, seed) for seed in range(CLIENTS)]
    with anyio.fail_after(120):
        async with anyio.create_task_group() as group:
            for number, ear in enumerate(ears):
                group.start_soon(ear.listen, follow_socket if number < SOCKETS else follow_stream, TOTAL)
            group.start_soon(change_by_rest, address, token, BY_REST)
            group.start_soon(change_by_mcp, address, token, BY_MCP)
            group.start_soon(asyncio.to_thread, change_by_ops, app, BY_OPS)
            group.start_soon(asyncio.to_thread, change_by_command, flags, BY_COMMAND)
    expected = read_log(app, start)
    assert len(expected) == TOTAL
    for ear in ears:
        assert ear.heard == expected
    assert sum(ear.connections for ear in ears) > 2 * CLIENTS


async def test_a_change_arrives_within_a_second_from_wherever_it_was_made(server, app, token):
    ear = Ear(server[1], token, app.run(ME, changes.find_last))
    async with aclosing(follow_stream(ear)) as line:
        await anext(line)
        for number in range(5):
            app.run(ME, tasks.create, [{"title": f"Task {number}"}])
            changed = time.monotonic()
            with anyio.fail_after(5):
                await anext(line)
            assert time.monotonic() - changed < 1
    assert len(ear.heard) == 5


async def test_a_socket_is_told_goodbye_when_its_token_is_revoked(server, app, token):
    uri = server[1].replace("http", "ws") + "/api/events/ws"
    headers = {"Authorization": f"Bearer {token}"}
    async with connect(f"{uri}?last_event_id=0", additional_headers=headers) as socket:
        assert socket.subprotocol is None
        assert json.loads(await socket.recv())["event"] == "ready"
        app.run(ME, tokens.revoke, 1)
        with anyio.fail_after(5), pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008
    with pytest.raises(InvalidStatus) as refused:
        await connect(uri, additional_headers=headers)
    assert refused.value.response.status_code == 401


async def test_who_has_left_takes_no_place(server, app, token):
    """A user's streams are counted, so those whose clients are gone must be noticed."""
    ear = Ear(server[1], token, 0)

    async def status() -> bytes:
        async with request_stream(ear, "?wait=0") as reader:
            return (await reader.readline()).split()[1]

    async with anyio.create_task_group() as group:

        async def hold(task_status: TaskStatus[None]) -> None:
            async with request_stream(ear) as reader:
                assert b" 200 " in await reader.readline()
                task_status.started()
                await anyio.sleep_forever()

        for _ in range(100):
            await group.start(hold)
        assert await status() == b"429"
        group.cancel_scope.cancel()
    with anyio.fail_after(5):
        while await status() != b"200":  # noqa: ASYNC110  it is another process
            await asyncio.sleep(0.05)


async def test_a_server_that_stops_does_not_wait_for_its_listeners(server, app, token):
    process, address = server
    uri = address.replace("http", "ws") + "/api/events/ws?last_event_id=0"
    ear = Ear(address, token, 0)
    async with request_stream(ear) as reader, connect(uri, subprotocols=["taskpilot", f"bearer.{token}"]) as socket:
        await reader.readuntil(b"event: ready")
        await socket.recv()
        began = time.monotonic()
        process.raw.send_signal(signal.SIGTERM)
        await reader.read()  # to its end, and not cut off
        with suppress(ConnectionClosed):
            while True:
                await socket.recv()
        assert await asyncio.to_thread(process.raw.wait, PATIENCE) == 0
    assert time.monotonic() - began < 3
    log = process.raw.stderr.read().decode()
    assert "Cancel" not in log
    assert "Traceback" not in log
