"""A full disk: said clearly, nothing acknowledged is lost, and when there is space again, work goes on."""

from __future__ import annotations

import json
import subprocess
from contextlib import closing

import pytest

from taskpilot.app import App
from taskpilot.domain.caller import local
from taskpilot.domain.errors import DiskFull
from taskpilot.ops import tasks
from taskpilot.store import backup, open_database
from taskpilot.store.check import inspect

pytestmark = pytest.mark.slow
ME = local("cli")


@pytest.fixture
def small_disk(tmp_path):
    """A file system of four megabytes."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder], capture_output=True, text=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"mounting a small file system is not permitted here: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", folder], check=True)


def create(app):
    return app.run(ME, tasks.create, [{"title": "Fill", "notes": "x" * 20_000}]).tasks[0].id


def fill(app):
    acknowledged = []
    with pytest.raises(DiskFull, match=r"disk is full; nothing was changed\. Free some space"):
        acknowledged.extend(create(app) for _ in range(1_000))
    return acknowledged


def test_a_full_disk_loses_nothing_and_the_same_app_goes_on_when_there_is_space(small_disk):
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"x" * 1_500_000)
    database = open_database(small_disk / "taskpilot.db")
    database.migrate()
    with closing(App(database)) as app:
        acknowledged = fill(app)
        for _ in range(3):
            with pytest.raises(DiskFull):
                create(app)
        assert app.run(ME, tasks.get, acknowledged[0]).title == "Fill"
        ballast.unlink()
        acknowledged.append(create(app))
        with database.reading() as db:
            assert [row["id"] for row in db.all("SELECT id FROM task ORDER BY id")] == acknowledged
        assert inspect(database) == []


def test_a_backup_onto_a_full_disk_leaves_no_file(small_disk, tmp_path):
    database = open_database(tmp_path / "taskpilot.db")
    database.migrate()
    with closing(App(database)) as app:
        for _ in range(300):
            create(app)
        with pytest.raises(DiskFull):
            backup.write(database, small_disk / "a.bak")
        assert list(small_disk.iterdir()) == []


def test_a_restore_onto_a_full_disk_changes_nothing(small_disk, tmp_path):
    source = open_database(tmp_path / "taskpilot.db")
    source.migrate()
    with closing(App(source)) as app:
        for _ in range(300):
            create(app)
        backup.write(source, tmp_path / "a.bak")
    database = open_database(small_disk / "taskpilot.db")
    database.migrate()
    with closing(App(database)) as app:
        kept = app.run(ME, tasks.create, [{"title": "Kept"}]).tasks[0]
        with pytest.raises(DiskFull):
            backup.restore(database, tmp_path / "a.bak")
        assert app.run(ME, tasks.get, kept.id) == kept
        assert inspect(database) == []
        assert app.run(ME, tasks.create, [{"title": "More"}]).tasks[0].id > kept.id


def test_files_that_may_not_grow_lose_nothing(start, tmp_path):
    """Needs no root: the process is not allowed files beyond a size."""
    child = start("fill", tmp_path / "taskpilot.db", 3_000_000, wait=False)
    said = json.loads(child.communicate(timeout=60)[0])
    assert len(said["acknowledged"]) > 20
    assert set(said["failures"]) <= {"DiskFull", "Unavailable"}
    assert len(said["failures"]) == 3
    assert said["readable"] == "Fill"
    with closing(open_database(tmp_path / "taskpilot.db")) as database:
        with database.reading() as db:
            found = [row["id"] for row in db.all("SELECT id FROM task ORDER BY id")]
        assert found == [*said["acknowledged"], said["after"]]
        assert inspect(database) == []
