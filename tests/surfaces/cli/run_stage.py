"""A worker's part on the command line's own store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from taskpilot.app import App
from taskpilot.store import open_database


@contextmanager
def open_store(home: Path) -> Iterator[App]:
    database = open_database(home / ".local" / "taskpilot" / "taskpilot.db")
    database.migrate()
    app = App(database)
    try:
        yield app
    finally:
        app.close()
