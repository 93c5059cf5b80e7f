"""REST over HTTP, 16 connections, signed in with a token, against bare FastAPI routes on the same server settings.

`python -m bench.rest` is the client, in a process of its own: a job as JSON on standard input.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from bench.processes import TASKPILOT, http_server
from bench.report import at_least
from bench.seed import fill
from taskpilot.access.secrets import hash_secret, make_secret
from taskpilot.app import App
from taskpilot.domain.caller import local
from taskpilot.domain.scopes import Scope
from taskpilot.domain.token import write_token
from taskpilot.ops import tokens
from taskpilot.store import open_database

MANY = 100_000
ROUNDS = 5
SECONDS = 2.0
CONNECTIONS = 16
TASK = "/api/tasks/42"
PAGE = "/api/tasks?limit=50&completed=true"
BARE = [sys.executable, "-P", str(Path(__file__).with_name("bare.py"))]
LIMITS = {"TASKPILOT_RATE_LIMIT": "1000000", "TASKPILOT_ADDRESS_RATE_LIMIT": "1000000"}
"""Counted as ever, and never reached."""


def run() -> None:
    os.environ.update(LIMITS)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        fill(data / "taskpilot.db", MANY)
        token = make_token(data / "taskpilot.db")
        ours = (*TASKPILOT, "serve", "--auth", "required", "--port", "{port}", "--data-dir", folder)
        with http_server(*ours) as taskpilot:
            (data / "task.json").write_bytes(fetch(taskpilot, TASK, token))
            with http_server(*BARE, "{port}", str(data / "task.json"), str(data / "taskpilot.db")) as bare:
                _compare("GET one task, of a bare route", (taskpilot, TASK, token), (bare, "/task/42", ""), 0.6)
                page = (taskpilot, PAGE, token)
                _compare("GET 50 of 100,000, of raw SQL that counts too", page, (bare, "/tasks", ""), 0.5)
                # The total is remembered until something changes: the rows alone are the harder yardstick.
                _compare("GET 50 of 100,000, of raw SQL, rows only", page, (bare, "/tasks?count=false", ""), 0.5)


def make_token(path: Path) -> str:
    app = App(open_database(path))
    secret = make_secret()
    token = app.run(local("cli"), tokens.create, "bench", hash_secret(secret), frozenset({Scope.READ}))
    app.close()
    return write_token(token.id, secret)


def fetch(port: int, path: str, token: str) -> bytes:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    with urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)) as answer:
        return answer.read()


def _compare(what: str, ours: tuple[int, str, str], theirs: tuple[int, str, str], goal: float) -> None:
    rates: list[list[float]] = [[], []]
    sizes = [len(fetch(*each)) for each in (ours, theirs)]
    for _ in range(ROUNDS):
        for each, found in zip((ours, theirs), rates, strict=True):
            found.append(measure(*each))
    at_least(what, *rates, goal)
    print(f"       {sizes[0]:,} bytes against {sizes[1]:,}")


def measure(port: int, path: str, token: str) -> float:
    """Requests a second."""
    job = {"port": port, "path": path, "token": token}
    done = subprocess.run(
        [sys.executable, "-m", "bench.rest"], input=json.dumps(job), capture_output=True, text=True, check=True
    )
    return float(done.stdout)


async def drive(port: int, path: str, token: str) -> float:
    credentials = f"authorization: Bearer {token}\r\n" if token else ""
    request = f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n{credentials}\r\n".encode()
    lanes = [await asyncio.open_connection("127.0.0.1", port) for _ in range(CONNECTIONS)]
    start = time.perf_counter()
    counts = await asyncio.gather(*(repeat(request, *lane, start + SECONDS) for lane in lanes))
    return sum(counts) / (time.perf_counter() - start)


async def repeat(request: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, end: float) -> int:
    """One connection with one request in flight."""
    count = 0
    while time.perf_counter() < end:
        writer.write(request)
        headers = (await reader.readuntil(b"\r\n\r\n")).lower()
        body = await reader.readexactly(int(headers.partition(b"content-length: ")[2].partition(b"\r\n")[0]))
        if b" 200 " not in headers[:20]:
            raise RuntimeError(body.decode())
        count += 1
    return count


if __name__ == "__main__":
    import uvloop

    print(uvloop.run(drive(**json.load(sys.stdin))))
