from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest
from mcp.client import Client

from tests.surfaces.mcp.conftest import INITIALIZE, PATIENCE, await_address, serve_on

ACCEPT = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


@pytest.fixture(scope="module")
def address(tmp_path_factory) -> Iterator[str]:
    """One running server for all that only ask."""
    server, url = serve_on(tmp_path_factory.mktemp("data"))
    yield url
    server.close()


def request(address, path, message=None, **headers):
    """Status, headers and body of one request; a message is posted."""
    connection = HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)
    try:
        body = None if message is None else json.dumps(message)
        connection.request("POST" if body else "GET", path, body, {**(ACCEPT if body else {}), **headers})
        response = connection.getresponse()
        return response.status, response.headers, response.read().decode()
    finally:
        connection.close()


@pytest.mark.anyio
@pytest.mark.parametrize(("mode", "revision"), [("legacy", "2025-11-25"), ("auto", "2026-07-28")])
@pytest.mark.parametrize("path", ["/mcp", "/mcp/native"])
async def test_the_official_client_is_served(address, mode, revision, path):
    async with Client(address + path, mode=mode) as client:
        assert client.protocol_version == revision
        assert (await client.list_tools()).tools


def test_a_client_of_2025_06_18_is_served(address):
    status, headers, body = request(address, "/mcp", INITIALIZE)
    assert status == 200
    assert '"protocolVersion":"2025-06-18"' in body
    session = {"Mcp-Session-Id": headers["mcp-session-id"], "MCP-Protocol-Version": "2025-06-18"}
    assert request(address, "/mcp", {"jsonrpc": "2.0", "method": "notifications/initialized"}, **session)[0] == 202
    status, _, body = request(address, "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, **session)
    assert status == 200
    assert '"tools":[' in body


def test_blanks_behind_a_header_do_not_belong_to_it(address):
    status, _, body = request(address, "/mcp", INITIALIZE, **{"MCP-Protocol-Version": "2025-06-18 \t"})
    assert status == 200
    assert '"protocolVersion":"2025-06-18"' in body


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1.evil.example:80"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://localhost:5173"}, 200),
        ({"Host": "localhost:1"}, 200),
        ({"Host": "[::1]:1"}, 200),
    ],
)
def test_a_web_page_elsewhere_cannot_reach_the_tasks(address, headers, status):
    assert request(address, "/mcp", INITIALIZE, **headers)[0] == status


def test_the_page_needs_nothing_from_elsewhere(address):
    status, headers, page = request(address, "/")
    assert status == 200
    named = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert named
    assert all(found.startswith("/") for found in named)
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


def test_monitors_get_their_answers(address):
    assert request(address, "/livez")[0] == 200
    assert request(address, "/readyz")[0] == 200
    assert request(address, "/nowhere")[0] == 404


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_open_stream_does_not_delay_the_stop(start_server, number):
    server, address = start_server()
    _, headers, _ = request(address, "/mcp", INITIALIZE)
    host, port = urlsplit(address).hostname, urlsplit(address).port
    with socket.create_connection((host, port), PATIENCE) as stream:
        lines = ("GET /mcp HTTP/1.1", f"Host: {host}:{port}", "Accept: text/event-stream", "Connection: keep-alive")
        stream.sendall("\r\n".join((*lines, f"Mcp-Session-Id: {headers['mcp-session-id']}", "", "")).encode())
        assert b"200" in stream.recv(100)
        began = time.monotonic()
        server.raw.send_signal(number)
        assert server.raw.wait(PATIENCE) == 0
    assert time.monotonic() - began < 5
    assert b"Traceback" not in server.raw.stderr.read()


def test_a_log_elsewhere_than_on_a_terminal_is_json_and_holds_no_session(start_server):
    server, address = start_server()
    _, headers, _ = request(address, "/mcp", INITIALIZE)
    server.kill(signal.SIGTERM)
    log = server.raw.stderr.read().decode()
    assert headers["mcp-session-id"] not in log
    assert all(json.loads(line) for line in log.splitlines())


@pytest.mark.parametrize("flags", [["--auth", "required"], ["--host", "0.0.0.0"]])
def test_where_signing_in_is_required_nobody_else_is_served(start, tmp_path, flags):
    command = (sys.executable, "-m", "taskpilot", "serve", "--data-dir", str(tmp_path), "--port", "0", *flags)
    address = await_address(start(*command, stdin=None, stdout=None)).replace("0.0.0.0", "127.0.0.1")
    status, headers, _ = request(address, "/mcp", INITIALIZE)
    assert status == 401
    assert f"{address}/.well-known/oauth-protected-resource/mcp" in headers["www-authenticate"]
    assert request(address, "/mcp", INITIALIZE, Authorization="Bearer tp_1_" + "x" * 43)[0] == 401
    assert request(address, "/livez")[0] == 200
    assert request(address, "/")[0] == 200


def test_an_address_that_is_not_ours_is_told_without_a_traceback(tmp_path):
    run = run_serve(tmp_path, "--host", "192.0.2.1", "--port", "0")
    assert run.returncode == 4
    assert "192.0.2.1" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_port_in_use_is_told_without_a_traceback(tmp_path, address):
    run = run_serve(tmp_path, "--port", str(urlsplit(address).port))
    assert run.returncode == 7
    assert "is in use" in run.stderr
    assert "Traceback" not in run.stderr


def run_serve(folder, *flags):
    command = [sys.executable, "-m", "taskpilot", "serve", "--data-dir", str(folder), *flags]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
