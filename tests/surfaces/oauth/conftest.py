"""A server that requires signing in, somebody who can, and a program that has registered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from taskpilot import contracts
from taskpilot.access.passwords import hash_password
from taskpilot.app import App
from taskpilot.domain.user import User
from taskpilot.ops import users
from taskpilot.server import build
from taskpilot.settings import Settings
from taskpilot.store.vault import Vault
from tests.surfaces.oauth.flow import BASE, EMAIL, PASSWORD, register

HASHED = hash_password(PASSWORD)


@pytest.fixture
def place(tmp_path: Path) -> str:
    """What the surface makes of an answer is the same on every store: SQLite will do."""
    return str(tmp_path / "taskpilot.db")


@pytest.fixture(autouse=True)
def vault(app: App, tmp_path: Path) -> None:
    app.vault = Vault(tmp_path / "secret.key")


@pytest.fixture
def open_server(app: App, tmp_path: Path) -> Iterator[Callable[..., TestClient]]:
    with ExitStack() as stack:

        def open_server(base: str = BASE, **settings: Any) -> TestClient:
            offered = [contracts.load("native"), contracts.load("simple")]
            web = build(Settings(data_dir=tmp_path / "data", **settings), app, offered)
            return stack.enter_context(TestClient(web, base_url=base))

        yield open_server


@pytest.fixture
def http(open_server) -> TestClient:
    """A browser, or a program, at a server that requires signing in."""
    return open_server(auth="required", sign_in_limit=0)


@pytest.fixture
def ann(do) -> User:
    return do(users.add, EMAIL, HASHED)


@pytest.fixture
def client_id(http, ann) -> str:
    """Of a public client."""
    return register(http).json()["client_id"]
