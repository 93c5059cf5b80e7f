from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters

from tests.surfaces.mcp.conftest import INITIALIZE, INITIALIZED, PATIENCE

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}

PRINTING_SERVER = """
import asyncio, os, sys
from mcp.server.lowlevel import Server
from taskpilot.surfaces.mcp.stdio import serve_standard_streams

async def ping(context, params):
    print("stray", flush=True)
    os.system("echo stray child; cat")
    return {}

server = Server("printing")
from mcp_types import RequestParams
server.add_request_handler("ping", RequestParams, ping)
asyncio.run(serve_standard_streams(server))
print("restored")
"""


@pytest.mark.anyio
@pytest.mark.parametrize(("mode", "revision"), [("legacy", "2025-11-25"), ("auto", "2026-07-28")])
async def test_the_official_client_is_served(tmp_path, mode, revision):
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "taskpilot", "mcp", "--data-dir", str(tmp_path / "new" / "folder")]
    )
    async with Client(server, mode=mode) as client:
        assert client.protocol_version == revision
        assert (await client.list_tools()).tools


def test_a_revision_of_2025_06_18_is_spoken_and_leaving_is_no_error(start_mcp):
    process = start_mcp()
    assert process.greet()["result"]["protocolVersion"] == "2025-06-18"
    assert process.ask(1, "tools/list")["result"]["tools"]
    assert process.leave() == (0, b"")


def test_nonsense_is_answered_and_served_around(start_mcp):
    process = start_mcp()
    process.greet()
    for nonsense, code in ((b"garbage\n", -32700), (b'"\xff"\n', -32700), (b'{"id": 5, "method": "ping"}\n', -32600)):
        process.send(nonsense)
        assert process.receive()["error"]["code"] == code
    assert process.ask(6, "ping")["result"] == {}
    assert process.leave() == (0, b"")


def test_a_line_of_ten_megabytes_is_read(start_mcp):
    process = start_mcp()
    process.greet()
    assert process.ask(1, "ping", _meta={"padding": "x" * 10_000_000})["result"] == {}
    process.send(b"x" * 20_000_000 + b"\n")
    assert process.receive()["error"]["code"] == -32600
    assert process.ask(2, "ping")["result"] == {}
    assert process.leave() == (0, b"")


def test_an_end_in_the_middle_of_a_line_is_still_an_end(start_mcp):
    process = start_mcp()
    process.greet()
    process.send(b'{"jsonrpc": "2.0", "id": 1, "meth')
    assert process.leave() == (0, b"")


def test_a_client_that_closed_its_end_is_no_error(start_mcp):
    process = start_mcp()
    process.greet()
    process.raw.stdout.close()
    process.send(PING)
    assert process.raw.wait(PATIENCE) == 0
    assert process.raw.stderr.read() == b""


@pytest.mark.parametrize("closed", ["<&-", ">&-", "</dev/null", ">/dev/null </dev/null"])
def test_missing_streams_are_an_end_not_a_crash(tmp_path, closed):
    command = f'"{sys.executable}" -m taskpilot mcp --data-dir "{tmp_path}" {closed}'
    run = subprocess.run(command, shell=True, capture_output=True, timeout=PATIENCE, stdin=subprocess.DEVNULL)
    assert (run.returncode, run.stderr) == (0, b"")


def test_files_serve_as_streams(tmp_path, start_mcp):
    asked, answered = tmp_path / "asked", tmp_path / "answered"
    asked.write_text("\n".join(map(json.dumps, (INITIALIZE, INITIALIZED, PING))))
    with asked.open("rb") as stdin, answered.open("wb") as stdout:
        assert start_mcp(stdin=stdin, stdout=stdout).raw.wait(PATIENCE) == 0
    assert [json.loads(line)["id"] for line in answered.read_text().splitlines()] == [0, 1]


def test_stray_output_and_children_stay_off_the_wire(start):
    process = start(sys.executable, "-c", PRINTING_SERVER)
    process.greet()
    assert process.ask(1, "ping")["result"] == {}
    process.raw.stdin.close()
    assert process.raw.stdout.read() == b"restored\n"
    assert process.raw.stderr.read() == b"stray\nstray child\n"


def test_a_client_that_writes_much_before_it_reads_is_not_deadlocked(start_mcp):
    process = start_mcp()
    process.greet()
    read_end, write_end = process.raw.stdout.fileno(), process.raw.stdin.fileno()
    ask = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode() + b"\n"
    os.set_blocking(write_end, False)
    sent = 0
    while sent < 200:  # many times what the pipe back to us holds
        try:
            sent += bool(os.write(write_end, ask))
        except BlockingIOError:
            break
    received = 0
    while received < sent:
        received += os.read(read_end, 1 << 20).count(b"\n")
    assert received == sent


def test_another_contract_must_exist(start_mcp):
    process = start_mcp("--contract", "nonesuch")
    assert process.raw.wait(PATIENCE) == 4
    assert b"nonesuch" in process.raw.stderr.read()
