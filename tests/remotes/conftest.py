"""An office with a telephone: errands that reach services on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from taskpilot.app import App, Errand
from taskpilot.domain.remote import Reach
from taskpilot.ops import workspaces
from taskpilot.remotes import sync
from taskpilot.remotes.connection import prepare, reached, store
from taskpilot.store.vault import Vault
from tests.remotes import services
from tests.remotes.services import TOKEN

CONFIGS = {
    "github": lambda url: {"url": url, "repository": "acme/site", "token": TOKEN},
    "custom": lambda url: {"url": f"{url}/tasks", "token": TOKEN},
    "jira": lambda url: {"url": url, "project": "ENG", "email": "me@example.com", "token": TOKEN},
    "linear": lambda url: {"url": f"{url}/graphql", "team": "ENG", "token": TOKEN},
    "asana": lambda url: {"url": url, "project": "1200", "token": TOKEN},
    "trello": lambda url: {"url": f"{url}/1", "board": "b1", "key": "key-77", "token": TOKEN},
}
SERVICES = {
    "github": services.GitHub,
    "custom": services.Custom,
    "jira": services.Jira,
    "linear": services.Linear,
    "asana": services.Asana,
    "trello": services.Trello,
}


@pytest.fixture
def office(app: App, tmp_path: Path) -> App:
    """The application with a vault, free to call loopback, and impatient."""
    app.vault = Vault(tmp_path / "secret.key")
    app.reach = Reach(hosts=("127.0.0.1",), timeout=1)
    return app


@pytest.fixture
def errand(office: App, me) -> Errand:
    return Errand(office, me)


@pytest.fixture
def folder(do, tmp_path: Path) -> str:
    """A workspace."""
    path = tmp_path / "site"
    path.mkdir()
    do(workspaces.open_folder, str(path))
    return str(path)


@pytest.fixture
def github(clock) -> Iterator[services.GitHub]:
    with services.GitHub(clock).running() as service:
        yield service


@pytest.fixture
def sync_with(errand: Errand, folder: str):
    """Sync the workspace with a service, as the tools do."""

    def run(system: str, url: str, **more: str):
        setup = prepare(errand, folder, system, CONFIGS[system](url) | more)
        with reached(errand, setup) as adapter:
            return sync.run(errand, adapter, store(errand, setup))

    return run


@pytest.fixture
def sync_github(sync_with, github):
    return lambda: sync_with("github", github.url)
