from __future__ import annotations

import gc
import os
import shutil
import sqlite3
import threading
from contextlib import suppress
from datetime import UTC, datetime

import pytest

from taskpilot.domain.errors import DiskFull, InDoubt, Invalid, Unavailable
from taskpilot.store import open_database, sqlite
from taskpilot.store.database import TimeUp
from taskpilot.store.users import Users

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ENDLESS = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


@pytest.fixture
def database(tmp_path):
    database = open_database(tmp_path / "taskpilot.db")
    database.migrate()
    yield database
    database.close()


def add_user(database, handle):
    with database.writing() as db:
        return Users(db).add(handle, NOW)


def handles(database):
    with database.reading() as db:
        return [row["handle"] for row in db.all("SELECT handle FROM user_account ORDER BY id")]


def test_writes_are_on_the_disk_before_they_are_acknowledged(database):
    with database.writing() as db:
        assert db.one("PRAGMA synchronous") == {"synchronous": 2}
        assert db.one("PRAGMA journal_mode") == {"journal_mode": "wal"}
        assert db.one("PRAGMA foreign_keys") == {"foreign_keys": 1}


def test_a_read_connection_cannot_write_and_says_so_as_a_bug(database):
    with database.reading() as db, pytest.raises(sqlite3.OperationalError, match="readonly"):
        db.run("DELETE FROM user_account")
    assert handles(database) == ["dev-user"]


def test_a_reader_sees_one_moment(database):
    with database.reading() as db:
        before = db.all("SELECT handle FROM user_account")
        thread = threading.Thread(target=add_user, args=(database, "ada"))
        thread.start()
        thread.join()
        assert db.all("SELECT handle FROM user_account") == before
    assert handles(database) == ["dev-user", "ada"]


def test_connections_of_threads_that_ended_are_closed(database):
    for _ in range(20):
        thread = threading.Thread(target=handles, args=(database,))
        thread.start()
        thread.join()
    gc.collect()
    mine = f"{database.path}"
    descriptors = [os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd") if _is_link(fd)]
    assert descriptors.count(mine) <= 3


def _is_link(fd):
    return os.path.islink(f"/proc/self/fd/{fd}")


def test_closing_from_another_thread_ends_every_connection(database):
    handles(database)
    thread = threading.Thread(target=database.close)
    thread.start()
    thread.join()
    with pytest.raises(Unavailable, match="stopping"):
        handles(database)


def test_a_file_deleted_under_us_is_noticed_and_not_made_anew(database):
    handles(database)
    for end in ("", "-wal", "-shm"):
        os.unlink(f"{database.path}{end}")
    with pytest.raises(Unavailable, match="There is no database"):
        handles(database)
    with pytest.raises(Unavailable, match="There is no database"):
        add_user(database, "lost")
    assert not database.path.exists()


def test_a_file_replaced_under_us_is_the_one_used(database, tmp_path):
    other = open_database(tmp_path / "other.db")
    other.migrate()
    add_user(other, "ada")
    other.close()
    handles(database)
    for end in ("-wal", "-shm"):
        os.unlink(f"{database.path}{end}")
    os.replace(tmp_path / "other.db", database.path)
    assert handles(database) == ["dev-user", "ada"]
    add_user(database, "grace")
    assert handles(database) == ["dev-user", "ada", "grace"]


def test_what_fails_in_a_savepoint_leaves_the_rest(database):
    with database.writing() as db:
        Users(db).add("ada", NOW)
        with suppress(ZeroDivisionError), db.savepoint():
            Users(db).add("half", NOW)
            raise ZeroDivisionError
        Users(db).add("grace", NOW)
    assert handles(database) == ["dev-user", "ada", "grace"]


def test_a_savepoint_without_a_transaction_around_it_fails_as_a_whole(database):
    """As after a full disk, when SQLite has ended the transaction by itself."""

    def fail():
        with database.writing() as db, db.savepoint():
            db.raw.execute("ROLLBACK")
            raise ZeroDivisionError

    with pytest.raises(Unavailable, match="nothing was changed"):
        fail()
    assert handles(database) == ["dev-user"]


def test_a_time_box_stops_what_takes_longer(database):
    with database.reading() as db:
        with pytest.raises(TimeUp), db.within(0.02):
            db.one(ENDLESS)
        assert db.one("SELECT 1 AS one") == {"one": 1}


def test_a_list_may_be_empty_or_very_long(database):
    with database.reading() as db:
        assert db.all("SELECT id FROM user_account WHERE id IN :ids", ids=[]) == []
        assert db.all("SELECT id FROM user_account WHERE id IN :ids", ids=list(range(100_000))) == [{"id": 1}]
        assert db.all("SELECT id FROM user_account WHERE handle IN :names", names=("dev-user", "it's")) == [{"id": 1}]


@pytest.mark.parametrize("value", [2**70, "\udcff"])
def test_a_value_no_database_stores_is_the_callers_mistake(database, value):
    with database.reading() as db, pytest.raises(Invalid):
        db.one("SELECT 1 FROM user_account WHERE id = :value OR handle = :value", value=value)


def test_a_locked_database_is_busy(database, monkeypatch):
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.1)
    other = open_database(database.path)
    lock = sqlite3.connect(database.path, isolation_level=None)
    lock.execute("BEGIN EXCLUSIVE")
    with pytest.raises(Unavailable, match="busy"):
        add_user(other, "ada")
    lock.execute("ROLLBACK")
    add_user(other, "ada")
    assert handles(database) == ["dev-user", "ada"]
    lock.close()
    other.close()


def test_a_path_under_a_file_is_refused(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(Unavailable, match=r"cannot be made.*--data-dir"):
        open_database(tmp_path / "file" / "taskpilot.db").migrate()


def test_a_folder_in_place_of_the_file_is_refused(tmp_path):
    (tmp_path / "taskpilot.db").mkdir()
    with pytest.raises(Unavailable, match="cannot be opened"):
        open_database(tmp_path / "taskpilot.db").migrate()


@pytest.mark.skipif(not shutil.which("chattr"), reason="needs chattr to make a folder read-only even for root")
def test_a_read_only_folder_is_refused(tmp_path):
    folder = tmp_path / "fixed"
    folder.mkdir()
    if os.getuid() == 0:
        if os.system(f"chattr +i {folder} 2>/dev/null") != 0:
            pytest.skip("this file system cannot make a folder read-only for root")
    else:
        folder.chmod(0o500)
    try:
        with pytest.raises(Unavailable, match="cannot be opened"):
            open_database(folder / "taskpilot.db").migrate()
    finally:
        os.system(f"chattr -i {folder} 2>/dev/null")
        folder.chmod(0o700)


def overwrite(path, at, size):
    with open(path, "r+b") as file:
        file.seek(at)
        file.write(os.urandom(size))


def test_a_damaged_header_is_named(database):
    database.close()
    overwrite(database.path, 0, 100)
    for use in (handles, lambda it: it.migrate()):
        again = open_database(database.path)
        with pytest.raises(Unavailable, match=r"damaged.*restore a backup"):
            use(again)
        again.close()


def test_a_damaged_middle_is_named(database):
    with database.writing() as db:
        for number in range(2_000):
            Users(db).add(f"user {number}", NOW)
    database.close()
    overwrite(database.path, 8 * 4096, database.path.stat().st_size - 9 * 4096)
    again = open_database(database.path)
    with pytest.raises(Unavailable, match="damaged"):
        handles(again)
    with pytest.raises(Unavailable, match="damaged"), again.writing() as db:
        db.run("UPDATE user_account SET handle = handle || '!'")
    again.close()


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (sqlite3.SQLITE_FULL, DiskFull),
        (sqlite3.SQLITE_IOERR_FSYNC, InDoubt),
        (sqlite3.SQLITE_IOERR_WRITE, Unavailable),
        (sqlite3.SQLITE_READONLY, Unavailable),
        (sqlite3.SQLITE_LOCKED, Unavailable),
        (sqlite3.SQLITE_CANTOPEN, Unavailable),
        (sqlite3.SQLITE_ERROR, sqlite3.OperationalError),
    ],
)
def test_each_way_a_disk_can_fail_has_its_words(code, kind):
    error = sqlite3.OperationalError()
    error.sqlite_errorcode = code
    assert type(sqlite.translate(error)) is kind
