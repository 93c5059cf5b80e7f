from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters

from taskpilot import address, settings
from taskpilot.surfaces.mcp import place
from tests.surfaces.mcp import everything
from tests.surfaces.mcp.conftest import INITIALIZE, PATIENCE, resident_mb

HEAVY = {"mcp", "mcp_types", "pydantic", "typer", "rich", "asyncio", "sqlite3", "taskpilot.settings", "logging"}

# `taskpilot mcp`, for a contract that only the tests have.
RELAY = f"""
import sys
from taskpilot import __version__, address
from taskpilot.surfaces.mcp import relay
left = relay.run(sys.argv[1], address.introduce(__version__, "everything", ""))
if left is not None:
    import runpy
    take_over = runpy.run_path({everything.__file__!r})["take_over"]
    take_over(sys.argv[1], left)
"""


def is_relay(process) -> bool:
    """A relay is small; a server is not."""
    return resident_mb(process.raw.pid) < 30


def test_beside_a_server_it_relays(start_mcp, start_server):
    start_server()
    process = start_mcp()
    assert process.greet()["result"]["serverInfo"]["name"] == "taskpilot"
    assert process.ask(1, "tools/list")["result"]["tools"]
    assert is_relay(process)
    assert resident_mb(process.raw.pid) < 20
    assert process.leave() == (0, b"")


@pytest.mark.anyio
@pytest.mark.parametrize(("mode", "revision"), [("legacy", "2025-11-25"), ("auto", "2026-07-28")])
async def test_the_official_client_does_not_notice_it(start_server, tmp_path, mode, revision):
    start_server()
    relay = StdioServerParameters(command=sys.executable, args=["-m", "taskpilot", "mcp", "--data-dir", str(tmp_path)])
    async with Client(relay, mode=mode) as client:
        assert client.protocol_version == revision
        assert (await client.list_tools()).tools
        made = await client.call_tool("task_create", {"tasks": [{"title": "Walls"}]})
        assert not made.is_error


def test_without_a_server_it_is_the_server(start_mcp):
    process = start_mcp()
    process.greet()
    assert not is_relay(process)
    assert process.leave() == (0, b"")


def test_nonsense_reaches_the_server_and_is_answered(start_mcp, start_server):
    start_server()
    process = start_mcp()
    process.greet()
    for nonsense, code in ((b"garbage\n", -32700), (b'"\xff"\n', -32700), (b'{"id": 5, "method": "ping"}\n', -32600)):
        process.send(nonsense)
        assert process.receive()["error"]["code"] == code
    assert process.ask(1, "ping", _meta={"padding": "x" * 10_000_000})["result"] == {}
    process.send(b'{"jsonrpc": "2.0", "id": 1, "meth')
    assert process.leave() == (0, b"")


def test_what_was_asked_before_leaving_is_answered(start_mcp, start_server):
    start_server()
    process = start_mcp()
    process.greet()
    process.send(*({"jsonrpc": "2.0", "id": number, "method": "tools/list"} for number in range(1, 101)))
    process.raw.stdin.close()
    answers = [json.loads(line) for line in process.raw.stdout.read().splitlines()]
    assert [answer["id"] for answer in answers] == list(range(1, 101))
    assert process.raw.wait(PATIENCE) == 0


def test_a_client_that_closed_its_end_is_no_error(start_mcp, start_server):
    start_server()
    process = start_mcp()
    process.greet()
    process.raw.stdout.close()
    process.send({"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert process.raw.wait(PATIENCE) == 0
    assert process.raw.stderr.read() == b""


@pytest.mark.slow
def test_a_killed_server_is_reported_and_its_successor_is_greeted(start_mcp, start_server):
    server, _ = start_server()
    process = start_mcp()
    process.greet()
    server.raw.send_signal(signal.SIGSTOP)
    process.send({"jsonrpc": "2.0", "id": 5, "method": "tools/list"})
    time.sleep(0.2)
    server.kill()
    lost = process.receive()
    assert lost["id"] == 5
    assert "repeat" in lost["error"]["message"]
    start_server()
    assert process.ask(6, "tools/list")["result"]["tools"]
    assert is_relay(process)
    assert process.leave() == (0, b"")


def test_an_answer_that_was_on_its_way_when_the_server_died_is_delivered(start_mcp, tmp_path):
    with socket.socket(socket.AF_UNIX) as waiting:
        waiting.bind(str(tmp_path / "taskpilot.sock"))
        waiting.listen()
        process = start_mcp()
        server, _ = waiting.accept()
        with server, server.makefile("rwb", buffering=0) as wire:
            wire.readline()
            wire.write(address.write_line({"relay": "welcome"}))
            process.send(*({"jsonrpc": "2.0", "id": request, "method": "ping"} for request in (1, 2)))
            wire.readline()
            wire.write(b'{"jsonrpc":"2.0","id":1,"result":{}}\n{"jsonrpc":"2.0","id":2,"res')
    assert process.receive() == {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert "error" in process.receive()


@pytest.mark.slow
def test_when_no_server_returns_it_carries_on_alone(start_mcp, start_server):
    server, _ = start_server()
    process = start_mcp()
    process.greet()
    server.kill()
    answer = process.ask(7, "tools/list")  # the handshake is replayed: no answer to it is seen again
    assert answer["id"] == 7
    assert answer["result"]["tools"]
    assert not is_relay(process)
    assert process.ask(8, "ping")["result"] == {}
    assert process.leave() == (0, b"")


@pytest.mark.slow
def test_a_handshake_that_was_never_answered_is_asked_again(start_mcp, start_server):
    server, _ = start_server()
    process = start_mcp()
    assert process.ask("first", "ping")["result"] == {}
    server.raw.send_signal(signal.SIGSTOP)
    process.send(INITIALIZE)
    time.sleep(0.2)
    server.kill()
    assert process.receive()["result"]["serverInfo"]["name"] == "taskpilot"
    assert process.leave()[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("returns", [True, False])
def test_subscriptions_outlive_the_server(start, start_everything, tmp_path, returns):
    server, _ = start_everything()
    process = start(sys.executable, "-c", RELAY, str(tmp_path))
    process.greet()
    process.send(call(1, "add", title="Walls"))
    await_answer(process, 1)
    for number, (method, uri) in enumerate(
        [("subscribe", "tasks://1"), ("subscribe", "tasks://all"), ("unsubscribe", "tasks://all")], 2
    ):
        process.send({"jsonrpc": "2.0", "id": number, "method": f"resources/{method}", "params": {"uri": uri}})
        await_answer(process, number)
    server.kill()
    if returns:
        start_everything()
    # What was missed in between nobody knows: look again.
    assert next(each for each in iter(process.receive, None) if each != LIST_CHANGED) == updated("tasks://1")
    assert is_relay(process) == returns
    process.send(call(5, "rename", id=1, title="Higher walls"))
    heard = [process.receive(), process.receive()]
    assert updated("tasks://1") in heard
    assert 5 in [message.get("id") for message in heard]
    assert process.leave()[0] == 0


LIST_CHANGED = {"jsonrpc": "2.0", "method": "notifications/resources/list_changed"}


def await_answer(process, request):
    while process.receive().get("id") != request:
        pass  # what is told besides


def updated(uri):
    return {"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": uri}}


def call(request, tool, **arguments):
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": request, "method": "tools/call", "params": params}


def test_a_server_that_stops_takes_its_socket_along(start_server, tmp_path):
    server, _ = start_server()
    path = tmp_path / "taskpilot.sock"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert server.kill(signal.SIGTERM) == 0
    assert not path.exists()


def test_the_socket_of_a_killed_server_is_replaced(start_mcp, start_server, tmp_path):
    server, _ = start_server()
    server.kill()
    assert (tmp_path / "taskpilot.sock").exists()
    start_server()
    process = start_mcp()
    process.greet()
    assert is_relay(process)


def test_a_living_servers_socket_is_not_stolen(start_mcp, start_server, tmp_path):
    first, _ = start_server()
    socket_before = (tmp_path / "taskpilot.sock").stat().st_ino
    second, _ = start_server()
    assert (tmp_path / "taskpilot.sock").stat().st_ino == socket_before
    assert second.kill(signal.SIGTERM) == 0
    process = start_mcp()
    process.greet()
    assert is_relay(process)
    assert first.kill(signal.SIGTERM) == 0


def test_a_folder_whose_path_is_too_long_for_a_socket_works_too(start_mcp, start_server, tmp_path):
    folder = tmp_path / ("deep" * 30)
    server, _ = start_server(folder)
    path = address.locate_socket(folder)
    assert len(path) < 108
    assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700
    process = start_mcp(data_dir=folder)
    process.greet()
    assert is_relay(process)
    assert process.leave()[0] == 0
    server.kill(signal.SIGTERM)
    os.rmdir(os.path.dirname(path))


@pytest.mark.parametrize(
    "change", [{"version": "9.9"}, {"contract": "nonesuch"}, {"database": "another"}, {"version": ""}]
)
def test_a_relay_for_something_else_is_sent_away(start_server, tmp_path, change):
    from taskpilot import __version__
    from taskpilot.surfaces.mcp.relay import Refused, connect

    start_server()
    hello = address.introduce(__version__, "native", "")
    path = address.locate_socket(tmp_path)
    connect(path, hello).close()
    with pytest.raises(Refused):
        connect(path, hello | change)


def test_a_server_that_does_not_answer_is_no_server(start_mcp, tmp_path):
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(tmp_path / "taskpilot.sock"))
        silent.listen()
        process = start_mcp()
        assert process.greet()["result"]
        assert not is_relay(process)


def test_the_relay_loads_nothing_heavy():
    code = (
        "import sys; from taskpilot.__main__ import read_mcp_flags;"
        "from taskpilot.surfaces.mcp import place, relay; place.find({'data_dir': '/nowhere'});"
        "print(*sys.modules)"
    )
    environment = {**os.environ, "TASKPILOT_CONFIG": "/nowhere.toml"}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert not HEAVY & set(run.stdout.split())


@pytest.mark.parametrize(
    ("flags", "environment", "config"),
    [
        ({}, {}, None),
        ({"data_dir": "~/x"}, {"TASKPILOT_DATA_DIR": "/env"}, None),
        ({"data_dir": "relative/x"}, {}, None),
        ({}, {"TASKPILOT_DATA_DIR": "~/env"}, None),
        ({}, {"TASKPILOT_DATA_DIR": ""}, None),
        ({}, {"TASKPILOT_DATABASE_URL": "postgresql://h/x"}, None),
        ({"database_url": ""}, {"TASKPILOT_DATABASE_URL": "postgresql://h/x"}, None),
        ({"database_url": "postgres://flag/x"}, {"TASKPILOT_DATABASE_URL": "postgresql://h/x"}, None),
        ({}, {"TASKPILOT_TOKEN": "tp_1_x"}, None),
        ({}, {"TASKPILOT_TOKEN": ""}, 'token = "tp_2_x"'),
        ({}, {"TASKPILOT_TOKEN": "tp_1_x"}, 'token = "tp_2_x"'),
        ({}, {}, 'data_dir = "/from/file"'),
        ({}, {"TASKPILOT_DATA_DIR": "/env"}, 'data_dir = "/from/file"\ndatabase_url = "postgresql://file/x"'),
    ],
)
@pytest.mark.parametrize("xdg", [{}, {"XDG_DATA_HOME": "/xdg/data"}, {"XDG_DATA_HOME": "not/absolute"}])
def test_the_relay_finds_the_folder_that_the_settings_name(monkeypatch, tmp_path, flags, environment, config, xdg):
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "TASKPILOT_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": str(tmp_path), **environment, **xdg}.items():
        monkeypatch.setenv(name, value)
    if config is not None:
        (tmp_path / ".config" / "taskpilot").mkdir(parents=True)
        (tmp_path / ".config" / "taskpilot" / "config.toml").write_text(config)
    found, expected = place.find(flags), settings.load(flags)
    assert (found.data_dir, found.database_url) == (str(expected.data_dir), expected.database_url)
    assert found.token == expected.token.reveal()
