"""Many processes on one store."""

from __future__ import annotations

from contextlib import closing

import pytest

from taskpilot.store import open_database
from taskpilot.store.check import inspect

pytestmark = pytest.mark.slow


def test_eight_processes_with_fifty_creates_each_all_succeed(start, place):
    with closing(open_database(place)) as database:
        database.migrate()
        children = [start("create", place, 50) for _ in range(8)]
        for child in children:
            child.stdin.write("go\n")
            child.stdin.flush()
        said = [int(line) for child in children for line in child.communicate(timeout=120)[0].split()]
        assert [child.returncode for child in children] == [0] * 8
        with database.reading() as db:
            made = [row["id"] for row in db.all("SELECT id FROM task ORDER BY id")]
        assert len(made) == 400
        assert sorted(said) == made
        assert inspect(database) == []
