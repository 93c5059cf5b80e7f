"""Everything a server offers, asked for by people who have no right to it. The lists come from the application."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from taskpilot import contracts
from taskpilot.app import App
from taskpilot.server import build
from taskpilot.settings import Settings
from taskpilot.store import open_database
from taskpilot.store.vault import Vault
from tests.conftest import Clock
from tests.security.people import MARK, welcome
from tests.security.world import World, spread

BASE = "http://localhost:8000"
ANN, BOB = 700_001, 800_002


def found_world(place: str, folder: Path) -> Iterator[World]:
    app = App(_open(place), clock=Clock(), vault=Vault(folder / "secret.key"))
    settings = Settings(
        data_dir=folder / "data",
        auth="required",
        rate_limit=0,
        address_rate_limit=0,
        sign_in_limit=0,
    )
    try:
        gate: Any = build(settings, app, map(contracts.load, contracts.names()))
        spread(app)
        with TestClient(gate, base_url=BASE, raise_server_exceptions=False) as client:
            ann = welcome(app, gate.keeper, ANN, MARK)
            bob = welcome(app, gate.keeper, BOB, "bob")
            yield World(app, gate, client, ann, bob)
    finally:
        app.close()


def _open(place: str) -> Any:
    database = open_database(place)
    database.migrate()
    return database


@pytest.fixture(scope="module")
def world(tmp_path_factory) -> Iterator[World]:
    """On SQLite, for all tests of a module."""
    folder = tmp_path_factory.mktemp("world")
    yield from found_world(str(folder / "taskpilot.db"), folder)
