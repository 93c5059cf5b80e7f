"""Where signing in is required, nothing but the public list answers without it."""

from __future__ import annotations

import json
import sys
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest
from starlette.websockets import WebSocketDisconnect

from taskpilot import contracts
from taskpilot.surfaces.web.public import PUBLIC, is_public
from tests.security.calls import fill_path, list_all, list_closed, list_doors
from tests.surfaces.mcp.conftest import PATIENCE, Process, await_address


def test_every_route_needs_credentials_but_those_on_the_list(world):
    closed = list_closed(world)
    assert len(closed) > 50
    for method, path in closed:
        if method == "WS":
            with pytest.raises(WebSocketDisconnect), world.client.websocket_connect(path):
                pass
            continue
        response = world.client.request(method, path)
        assert response.status_code == 401, (method, path)
        assert response.headers["www-authenticate"].startswith('Bearer realm="taskpilot", resource_metadata="http')
        assert method == "HEAD" or response.json()["error"] == "unauthorized"
    assert world.dump() == world.before


def test_every_operation_with_a_good_request_needs_credentials(world):
    """Values that would be accepted change nothing about it."""
    for call in list_all(world):
        path = call.name.partition(" ")[2]
        if path.startswith("/api/") and is_public(call.name.partition(" ")[0], fill_path(path)):
            continue
        arguments = call.examples(world.ann).build(call.schema)
        for token in ("", "nonsense", "tp_1_" + "x" * 43):
            said = call.send(world, token, arguments)
            assert said.status == 401, (call.name, said)
    assert world.dump() == world.before


def test_the_root_takes_no_message_from_strangers(world):
    tool = {"method": "tools/call", "params": {"name": "task_create", "arguments": {"title": "Milk"}}}
    assert world.client.post("/", json=tool).status_code == 401
    assert world.client.get("/").status_code == 200
    assert world.client.head("/").status_code == 200
    assert world.dump() == world.before


def test_what_is_public_is_reached_without_credentials_and_with_bad_ones(world):
    """It may refuse for reasons of its own, but never sends anybody to the door."""
    reached = 0
    for method, path in list_doors(world):
        where = fill_path(path)
        if method == "WS" or not is_public(method, where):
            continue
        for headers in ({}, {"Authorization": "Bearer nonsense"}):
            response = world.client.request(method, where, headers=headers, follow_redirects=False)
            assert "resource_metadata" not in response.headers.get("www-authenticate", ""), (method, path)
            assert response.status_code < 500, (method, path)
        reached += 1
    assert reached > 10


def test_everything_on_the_public_list_exists(world):
    """A line that fits nothing would wait there for a route that should not be public."""
    doors = {(method, fill_path(path)) for method, path in list_doors(world)}
    missing = []
    for methods, pattern in PUBLIC:
        found = [(method, path) for method, path in doors if method in methods and _fits(pattern, path)]
        if not found and pattern not in ("/assets/{file}",):
            missing.append(pattern)
    assert missing == []


def _fits(pattern: str, path: str) -> bool:
    start = pattern.partition("{")[0]
    return path.startswith(start) if "{" in pattern else path == pattern


@pytest.mark.parametrize("name", contracts.names())
def test_no_contract_speaks_with_strangers(world, name):
    for method in ("initialize", "tools/list", "resources/list", "prompts/list", "ping", "server/discover"):
        assert world.speak("", name, method).status == 401
    for verb in ("GET", "DELETE", "OPTIONS", "PUT"):
        assert world.client.request(verb, f"/mcp/{name}").status_code == 401


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/api/nothing",
        "/api",
        "/api/",
        "/mcp/nothing",
        "/mcp/",
        "/admin",
        "/.env",
        "/API/tasks",
        "//api/tasks",
    ],
)
def test_strangers_do_not_learn_what_there_is(world, path):
    assert world.ask("", "GET", path).status == 401
    assert world.ask(world.bob.session, "GET", path).status == 404


def test_a_real_server_keeps_its_door_shut(tmp_path):
    flags = ("--data-dir", str(tmp_path), "--port", "0", "--auth", "required")
    process = Process(sys.executable, "-m", "taskpilot", "serve", *flags, stdin=None, stdout=None)
    try:
        netloc = urlsplit(await_address(process)).netloc
        requests = [("GET", "/api/tasks", 401), ("POST", "/mcp", 401), ("POST", "/", 401), ("GET", "/nothing", 401)]
        requests += [("GET", "/livez", 200), ("GET", "/", 200), ("HEAD", "/", 200), ("OPTIONS", "*", 401)]
        requests += [("GET", f"http://{netloc}/api/tasks", 401), ("GET", f"http://{netloc}/livez", 200)]
        requests += [("GET", "/livez/%2e%2e/api/tasks", 401), ("GET", "/mcp%0d%0aSet-Cookie:%20a=b", 401)]
        for method, path, status in requests:
            connection = HTTPConnection(netloc, timeout=PATIENCE)
            try:
                body = json.dumps({"method": "ping"}) if method == "POST" else None
                connection.request(method, path, body, {"Content-Type": "application/json"})
                response = connection.getresponse()
                assert (response.status, response.headers["Set-Cookie"]) == (status, None), (method, path)
                assert response.headers["X-Content-Type-Options"] == "nosniff"
                response.read()
            finally:
                connection.close()
    finally:
        process.close()
