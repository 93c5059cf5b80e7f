from __future__ import annotations

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from taskpilot.surfaces.web.process import configure


async def tell_address(scope, receive, send):
    request = Request(scope)
    await PlainTextResponse(f"{request.client.host} {request.url.scheme}")(scope, receive, send)


FORWARDED = {"X-Forwarded-For": "198.51.100.1, 203.0.113.5", "X-Forwarded-Proto": "https"}


@pytest.mark.parametrize(
    ("proxies", "sender", "seen"),
    [
        ([], "127.0.0.1", "127.0.0.1 http"),
        ([], "10.0.0.1", "10.0.0.1 http"),
        (["10.0.0.1"], "10.0.0.1", "203.0.113.5 https"),
        (["10.0.0.0/8"], "10.0.0.9", "203.0.113.5 https"),
        (["10.0.0.1"], "127.0.0.1", "127.0.0.1 http"),
        (["10.0.0.1"], "10.0.0.2", "10.0.0.2 http"),
    ],
)
def test_only_a_trusted_proxy_is_believed_for_whom_it_asks(proxies, sender, seen, monkeypatch):
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    config = configure(tell_address, proxies)
    config.load()
    client = TestClient(config.loaded_app, client=(sender, 50_000))
    assert client.get("/", headers=FORWARDED).text == seen
