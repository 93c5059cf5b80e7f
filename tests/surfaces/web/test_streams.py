from __future__ import annotations

import asyncio

import pytest

from taskpilot.domain.caller import local
from taskpilot.ops import tokens
from taskpilot.surfaces.web import streams
from tests.surfaces.web.conftest import Answered, knock


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_a_stream_ends_when_its_token_is_revoked(app, open_gate, token, monkeypatch, kind):
    monkeypatch.setattr(streams, "LOOK_EVERY", 0.02)
    cancelled = []

    async def stream(scope, receive, send):
        start = {"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]}
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(send(start if kind == "http" else {"type": "websocket.accept"}))
                group.create_task(asyncio.sleep(60))
        except asyncio.CancelledError:
            cancelled.append(True)
            raise

    gate = open_gate(auth="required")
    gate.inside = stream

    async def listen() -> Answered:
        listening = asyncio.create_task(knock(gate, "/api/events", token=token, kind=kind))
        await asyncio.sleep(0.1)
        assert not listening.done()
        await asyncio.to_thread(app.run, local("cli"), tokens.revoke, 1)
        return await asyncio.wait_for(listening, 10)

    answered = asyncio.run(listen())
    assert cancelled == [True]
    assert answered.messages[-1]["type"] == ("http.response.body" if kind == "http" else "websocket.close")
    assert not answered.messages[-1].get("more_body")


def test_a_stream_that_somebody_else_stops_is_not_taken_for_revoked(open_gate, token):
    async def stream(scope, receive, send):
        headers = [(b"content-type", b"text/event-stream")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await asyncio.sleep(60)

    gate = open_gate(auth="required")
    gate.inside = stream

    async def stop() -> None:
        listening = asyncio.create_task(knock(gate, "/api/events", token=token))
        await asyncio.sleep(0.1)
        listening.cancel()
        await listening

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(stop())
