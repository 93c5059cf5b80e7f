"""The REST API as its clients meet it: the whole web application, behind its gate, on both databases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from starlette.testclient import TestClient

from taskpilot.app import App
from taskpilot.server import build
from taskpilot.settings import Settings
from taskpilot.store.vault import Vault

BASE = "http://localhost:8000"


@pytest.fixture(autouse=True)
def vault(app: App, tmp_path) -> None:
    app.vault = Vault(tmp_path / "secret.key")


@pytest.fixture
def open_client(app: App, tmp_path) -> Iterator[Callable[..., TestClient]]:
    """A client of a server with these settings; one server for the same settings."""
    with ExitStack() as stack:

        def open_client(token: str = "", **settings: Any) -> TestClient:
            web = build(Settings(data_dir=tmp_path / "data", **settings), app, [])
            client = stack.enter_context(TestClient(web, base_url=BASE, raise_server_exceptions=False))
            if token:
                client.headers["Authorization"] = f"Bearer {token}"
            return client

        yield open_client


@pytest.fixture
def client(open_client) -> TestClient:
    """Without sign-in: everything belongs to the local user."""
    return open_client()
