from __future__ import annotations

import json

import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from taskpilot import contracts
from taskpilot.surfaces.mcp.greeting import VERSIONS, answer
from taskpilot.surfaces.mcp.server import serve
from tests.surfaces.mcp.conftest import INITIALIZE, INITIALIZED


def test_the_revisions_are_the_sdks():
    assert tuple(sorted(HANDSHAKE_PROTOCOL_VERSIONS)) == VERSIONS


def ask(version: str, **params):
    return {**INITIALIZE, "params": {**INITIALIZE["params"], "protocolVersion": version, **params}}


@pytest.mark.parametrize("name", contracts.names())
@pytest.mark.parametrize("version", [*VERSIONS, "1999-01-01"])
def test_the_answer_is_the_one_the_sdk_would_give(app, name, version, through_the_sdk):
    contract = contracts.load(name)
    assert answer(contract, ask(version)) == through_the_sdk(serve(app, contract), ask(version))


@pytest.fixture
def through_the_sdk():
    """The SDK's own answer to one request."""
    import anyio

    from taskpilot.surfaces.mcp.session import hold

    def talk(server, request):
        said, lines = [], [json.dumps(request).encode() + b"\n", b""]

        async def read():
            if len(lines) == 1:
                await anyio.sleep(0.2)
            return lines.pop(0)

        async def write(line):
            said.append(line)

        async def main():
            await hold(server, read, write)

        anyio.run(main)
        return json.loads(said[0])

    return talk


def test_the_session_goes_on_where_the_greeting_ended(start_mcp):
    process = start_mcp()
    assert process.greet()["result"]["serverInfo"]["name"] == "taskpilot"
    assert process.ask(1, "tools/call", name="task_create", arguments={"title": "A"})["id"] == 1
    assert process.leave()[0] == 0


@pytest.mark.parametrize(
    "first",
    [
        {"jsonrpc": "2.0", "id": 7, "method": "initialize"},
        ask("2025-06-18", capabilities=[]),
        ask("2025-06-18", clientInfo={"name": 5, "version": "1"}),
        {"jsonrpc": "2.0", "id": True, "method": "initialize", "params": INITIALIZE["params"]},
        {"jsonrpc": "2.0", "id": 7, "method": "tools/list"},
    ],
)
def test_whatever_else_comes_first_is_answered_by_the_sdk(start_mcp, first):
    process = start_mcp()
    process.send(first)
    assert "error" in process.receive()
    process.leave()


def test_all_in_one_piece_is_read_to_the_end(start_mcp):
    process = start_mcp()
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    process.send(b"".join(json.dumps(each).encode() + b"\n" for each in (INITIALIZE, INITIALIZED, listing)))
    assert [process.receive()["id"], process.receive()["id"]] == [0, 2]
    assert process.leave()[0] == 0
