from __future__ import annotations

import asyncio
import json

import pytest

from taskpilot.app import App
from taskpilot.surfaces.mcp import session
from taskpilot.surfaces.mcp.server import serve
from taskpilot.toolkit import Contract
from tests.surfaces.mcp.conftest import INITIALIZE, INITIALIZED

pytestmark = pytest.mark.anyio


def call(request, word="hello", tool="echo"):
    params = {"name": tool, "arguments": {"word": word}}
    return {"jsonrpc": "2.0", "id": request, "method": "tools/call", "params": params}


@pytest.fixture
def talk(app: App, contract: Contract):
    """Send lines, hang up, and return the answers by id."""

    async def talk(*messages, **options):
        lines = [each if isinstance(each, bytes) else json.dumps(each).encode() + b"\n" for each in messages]
        answers = []

        async def read() -> bytes:
            return lines.pop(0) if lines else b""

        async def write(data: bytes) -> None:
            answers.append(json.loads(data))

        await session.hold(serve(app, contract), read, write, **options)
        return answers

    return talk


async def test_requests_read_before_the_client_left_are_answered(talk):
    answers = await talk(INITIALIZE, INITIALIZED, *(call(number) for number in range(1, 601)))
    assert [answer["id"] for answer in answers] == list(range(601))
    assert answers[600]["result"]["structuredContent"] == {"said": "hello"}


async def test_a_line_that_is_not_json_is_answered(talk):
    for garbage in (
        b"garbage\n",
        b'{"jsonrpc": "2.0", "id": 1\n',
        b'"\xff\xfe"\n',
        b"\x00\x01\n",
        b'{"a": "\\ud800"}\n',
    ):
        (answer,) = await talk(garbage)
        assert answer["error"]["code"] == -32700
        assert answer["id"] is None


async def test_json_that_is_not_json_rpc_is_answered_under_its_id_if_it_has_one(talk):
    for message, request in (
        ({"id": 7, "method": "ping"}, 7),
        ({"id": "a", "method": "ping", "jsonrpc": "1.0"}, "a"),
        ({"method": "ping"}, None),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, None),
        ({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}, None),
        ({"jsonrpc": "2.0", "id": True, "method": "ping"}, None),
        ([INITIALIZE], None),
        (3, None),
    ):
        (answer,) = await talk(message)
        assert answer["error"]["code"] == -32600, message
        assert answer["id"] == request


async def test_empty_lines_are_nothing(talk):
    assert await talk(b"\n", b"  \r\n") == []


async def test_garbage_does_not_end_the_conversation(talk):
    answers = await talk(INITIALIZE, INITIALIZED, b"?\n", call(1))
    assert {answer["id"] for answer in answers} == {0, None, 1}


async def test_a_line_that_is_too_long_is_answered(talk, monkeypatch):
    monkeypatch.setattr(session.split_lines, "__defaults__", (1000,))
    answers = await talk(INITIALIZE, INITIALIZED, call(1, "x" * 2000), call(2))
    assert [(answer["id"], "error" in answer) for answer in answers] == [(0, False), (None, True), (2, False)]


async def test_a_muted_answer_is_not_sent(talk):
    answers = await talk(INITIALIZE, INITIALIZED, call(1), muted=frozenset([0]))
    assert [answer["id"] for answer in answers] == [1]


async def test_a_cancelled_request_does_not_hold_up_the_end(talk):
    for request in (1, [], None):
        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": request}}
        answers = await asyncio.wait_for(talk(INITIALIZE, INITIALIZED, call(1), cancel), 4)
        assert answers[0]["id"] == 0


async def test_a_client_that_reads_no_more_ends_the_conversation(app: App, contract: Contract):
    async def read() -> bytes:
        if first:
            return json.dumps(first.pop()).encode() + b"\n"
        return await asyncio.Event().wait()  # the client stays silent, and keeps its end open

    async def write(_: bytes) -> None:
        raise BrokenPipeError

    first = [INITIALIZE]
    await asyncio.wait_for(session.hold(serve(app, contract), read, write), 4)


async def test_a_client_that_does_not_read_is_not_read_from(app: App, contract: Contract):
    sent = 0
    stuck = asyncio.Event()

    async def read() -> bytes:
        nonlocal sent
        sent += 1
        return json.dumps(INITIALIZE if sent == 1 else call(sent)).encode() + b"\n"

    async def write(_: bytes) -> None:
        if sent > 1:
            await stuck.wait()

    talking = asyncio.create_task(session.hold(serve(app, contract), read, write))
    await asyncio.sleep(0.5)
    assert sent <= session.MOST_OPEN + 10
    talking.cancel()
    await asyncio.gather(talking, return_exceptions=True)
