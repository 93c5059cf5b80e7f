"""The gate in front of something small, asked in ways that no well-behaved client would."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from taskpilot.access.doorkeeper import Doorkeeper
from taskpilot.access.secrets import hash_secret, make_secret
from taskpilot.app import App
from taskpilot.domain.caller import Caller, local
from taskpilot.domain.scopes import USUAL
from taskpilot.domain.token import write_token
from taskpilot.ops import tokens
from taskpilot.server import set_terms
from taskpilot.settings import Settings
from taskpilot.store.vault import Vault
from taskpilot.surfaces.web.gate import Gate


@dataclass
class Answered:
    """All that came back."""

    messages: list[dict[str, Any]] = field(default_factory=list)

    @property
    def status(self) -> int:
        return self.messages[0]["status"]

    @property
    def headers(self) -> dict[str, str]:
        return {name.decode(): value.decode("latin-1") for name, value in self.messages[0]["headers"]}

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.messages[1:])

    def json(self) -> Any:
        return json.loads(self.body)


class Inside:
    """Stands where the application is: says whom the gate let in, after reading what they sent."""

    def __init__(self) -> None:
        self.callers: list[Caller] = []
        self.bases: list[str] = []
        self.bodies: list[bytes] = []
        self.fails = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.callers.append(scope["caller"])
        self.bases.append(scope["base_url"])
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
            return
        body, more = b"", scope["method"] not in ("GET", "HEAD")
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise RuntimeError("the client has gone away")
            body += message.get("body", b"")
            more = message.get("more_body", False)
        self.bodies.append(body)
        if self.fails:
            raise RuntimeError("secret")
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
        await send({"type": "http.response.body", "body": b"inside"})


def ask_gate(gate: Any, path: str = "/api/tasks", method: str = "GET", **options: Any) -> Answered:
    return asyncio.run(knock(gate, path, method, **options))


async def knock(
    gate: Callable[..., Awaitable[None]],
    path: str = "/api/tasks",
    method: str = "GET",
    *,
    headers: list[tuple[str, str]] | None = None,
    host: str | None = "localhost:8000",
    token: str | None = None,
    origin: str | None = None,
    address: str = "203.0.113.9",
    scheme: str = "http",
    kind: str = "http",
    chunks: list[bytes] | None = None,
    extensions: dict[str, Any] | None = None,
) -> Answered:
    """One request, exactly as it is written here."""
    given = [("host", host), ("origin", origin), ("authorization", f"Bearer {token}" if token is not None else None)]
    written = [(name, value) for name, value in [*given, *(headers or [])] if value is not None]
    scope: dict[str, Any] = {
        "type": kind,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "scheme": scheme,
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in written],
        "client": (address, 50_000),
        "server": ("127.0.0.1", 8000),
        "extensions": extensions or {},
        "http_version": "1.1",
    }
    if kind == "http":
        scope["method"] = method
    left = list(chunks or [b""])
    answered = Answered()

    async def receive() -> dict[str, Any]:
        if not left:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

    async def send(message: dict[str, Any]) -> None:
        answered.messages.append(message)

    await gate(scope, receive, send)
    return answered


@pytest.fixture
def place(tmp_path) -> str:
    """What a surface does with an answer is the same on every store: SQLite will do."""
    return str(tmp_path / "taskpilot.db")


@pytest.fixture
def inside() -> Inside:
    return Inside()


@pytest.fixture
def keeper(app: App, tmp_path) -> Iterator[Doorkeeper]:
    app.vault = Vault(tmp_path / "secret.key")
    keeper = Doorkeeper(app)
    yield keeper
    keeper.close()


@pytest.fixture
def open_gate(app: App, keeper: Doorkeeper, inside: Inside, tmp_path) -> Callable[..., Gate]:
    def open_gate(**settings: Any) -> Gate:
        return Gate(inside, app, keeper, set_terms(Settings(data_dir=tmp_path, **settings)))

    return open_gate


@pytest.fixture
def gate(open_gate) -> Gate:
    """Where signing in is required."""
    return open_gate(auth="required")


@pytest.fixture
def token(app: App) -> str:
    """A token of the local user."""
    secret = make_secret()
    made = app.run(local("cli"), tokens.create, "tests", hash_secret(secret), USUAL)
    return write_token(made.id, secret)
