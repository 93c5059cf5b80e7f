from __future__ import annotations

import os
import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from taskpilot.app import App
from taskpilot.domain.caller import Caller, local
from taskpilot.domain.errors import Conflict, Invalid, NotFound, Unavailable
from taskpilot.ops import history, search, tasks, users, workspaces
from taskpilot.store import backup, open_database, schema, tables
from taskpilot.store.check import inspect
from taskpilot.store.events import RESTORED
from taskpilot.store.sqlite import SqliteDatabase

ME = local("cli")


def contents(database) -> dict[str, list[dict]]:
    """Every row of every table, computed columns left out, and the log of restores."""
    with database.reading() as db:
        return {
            table: sorted(
                (
                    dict(zip(columns, row, strict=True))
                    for row in db.stream(f"SELECT {', '.join(columns)} FROM {table}")
                ),
                key=repr,
            )
            for table, columns in TABLES.items()
        }


def without_restores(rows: dict[str, list[dict]]) -> dict[str, list[dict]]:
    return rows | {"event": [row for row in rows["event"] if row["kind"] != RESTORED]}


@pytest.fixture(scope="module", autouse=True)
def _tables(tmp_path_factory):
    global TABLES, ROWS
    database = SqliteDatabase(tmp_path_factory.mktemp("schema") / "a.db")
    database.migrate()
    with database.reading() as db:
        TABLES = tables.list_all(db)
        ROWS = {
            table: {
                row["name"]: 1 if row["type"] in ("INTEGER", "REAL") else "2026-01-01T00:00:00.000000Z"
                for row in db.all(f"PRAGMA table_xinfo({table})")
                if row["hidden"] == 0
            }
            for table in TABLES
        }
    database.close()


def plant(database, table):
    """Put a row into a table this file has never heard of: what comes later is backed up too."""
    values = ROWS[table]
    with database.writing() as db:
        db.run(
            f"INSERT INTO {table} ({', '.join(values)}) VALUES ({', '.join(f':{name}' for name in values)})", **values
        )


@pytest.fixture
def furnished(app, do, add):
    """A store with a row in every table, links in both directions, and a second user."""
    folder = do(workspaces.open_folder, "/srv/here")
    first = add("Wände 🎨", project="House", tags=["a", "b"], workspace=folder.id, recurrence="FREQ=DAILY")
    do(tasks.create, [{"title": "With a key", "due_date": "2026-02-03"}], key="k")
    last = add("Later parent", notes="It's %s :name \\ \t tab\nand line")
    do(tasks.update, first.id, {"parent": last.id, "blocked_by": [last.id]})  # refers to a higher id
    do(tasks.complete, first.id)
    do(history.undo)
    user = do(users.ensure, 77)
    app.run(Caller(user.id, user.handle, "cli"), tasks.create, [{"title": "Theirs", "tags": ["a"]}])
    gone = add("In the bin")
    do(tasks.delete, gone.id)
    for table, rows in contents(app.database).items():
        if not rows:
            plant(app.database, table)
    assert all(contents(app.database).values())
    app.odd = inspect(app.database)  # what the check thinks of the rows planted above, and nothing else
    return app


@pytest.fixture(params=["sqlite", "postgres"])
def target(request, tmp_path, postgres_server):
    """Another store, to restore into: never the one the backup came from."""
    import psycopg

    if request.param == "sqlite":
        place, name = str(tmp_path / "target" / "taskpilot.db"), None
    else:
        name = f"target_{abs(hash(request.node.nodeid))}"
        with psycopg.connect(postgres_server, autocommit=True) as raw:
            raw.execute(f"CREATE DATABASE {name}")
        place = postgres_server.replace("/postgres?", f"/{name}?")
    app = App(open_database(place))
    yield app
    app.close()
    if name:
        with psycopg.connect(postgres_server, autocommit=True) as raw:
            raw.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_a_backup_restores_into_either_database(furnished, target, tmp_path):
    steps = []
    number = backup.write(furnished.database, tmp_path / "a.bak", lambda *step: steps.append(step))
    assert number == len(contents(furnished.database)["task"])
    assert steps[-1][0] == steps[-1][1] > 0
    assert backup.restore(target.database, tmp_path / "a.bak", lambda *step: steps.append(step)) == number
    assert steps[-1][0] == steps[-1][1] > 0
    assert without_restores(contents(target.database)) == contents(furnished.database)
    assert inspect(target.database) == furnished.odd
    assert [task.title for task in target.run(ME, search.find, "wande").tasks] == ["Wände 🎨"]


def test_after_a_restore_new_ids_are_new(furnished, target, tmp_path):
    backup.write(furnished.database, tmp_path / "a.bak")
    backup.restore(target.database, tmp_path / "a.bak")
    before = contents(target.database)
    made = target.run(ME, tasks.create, [{"title": "New", "tags": ["new"], "project": "New"}]).tasks[0]
    assert made.id == max(row["id"] for row in before["task"]) + 1
    events = [row["id"] for row in contents(target.database)["event"]]
    assert max(events) > max(row["id"] for row in before["event"])
    assert inspect(target.database) == furnished.odd


def test_a_restore_brings_back_what_was_and_takes_away_what_came_since(furnished, tmp_path):
    before = contents(furnished.database)
    backup.write(furnished.database, tmp_path / "a.bak")
    made = [furnished.run(ME, tasks.create, [{"title": f"Since {number}"}]).tasks[0] for number in range(3)]
    furnished.run(ME, tasks.update, 1, {"title": "Changed"})
    last = max(row["id"] for row in contents(furnished.database)["event"])
    backup.restore(furnished.database, tmp_path / "a.bak")
    assert without_restores(contents(furnished.database)) == before
    (event,) = (row for row in contents(furnished.database)["event"] if row["kind"] == RESTORED)
    assert event["id"] == last + 1
    assert event["reason"] == "Restored from a.bak"
    assert furnished.run(ME, tasks.create, [{"title": "New"}]).tasks[0].id > made[-1].id
    assert inspect(furnished.database) == furnished.odd


def test_followers_hear_of_the_restore_but_not_of_the_backups_past(furnished, target, tmp_path):
    for number in range(30):
        furnished.run(ME, tasks.create, [{"title": f"Past {number}"}])
    backup.write(furnished.database, tmp_path / "a.bak")
    target.database.migrate()
    heard, enough = [], threading.Event()

    def listen(events):
        heard.extend(events)
        if heard[-1].kind == "task.created":
            enough.set()

    target.subscribe(listen)
    backup.restore(target.database, tmp_path / "a.bak")
    target.run(ME, tasks.create, [{"title": "News"}])
    assert enough.wait(5)
    assert [event.kind for event in heard] == [RESTORED, "task.created"]


def test_others_keep_reading_and_writing_while_a_backup_is_written(furnished, tmp_path):
    stop, failed, made = threading.Event(), [], []

    def work():
        try:
            while not stop.is_set():
                made.append(furnished.run(ME, tasks.create, [{"title": "Meanwhile", "tags": ["m"]}]).tasks[0].id)
        except Exception as error:
            failed.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    for number in range(3):
        backup.write(furnished.database, tmp_path / f"{number}.bak")
    stop.set()
    thread.join()
    assert not failed
    assert made
    for number in range(3):
        copy = open_database(tmp_path / f"{number}.bak")
        assert inspect(copy) == furnished.odd
        copy.close()


def test_a_backup_is_one_file_that_only_its_owner_can_read(furnished, tmp_path):
    folder = tmp_path / "backups"
    folder.mkdir()
    backup.write(furnished.database, folder / "a.bak")
    assert [path.name for path in folder.iterdir()] == ["a.bak"]
    assert (folder / "a.bak").stat().st_mode & 0o777 == 0o600


def test_a_backup_never_overwrites(furnished, tmp_path):
    (tmp_path / "a.bak").write_text("precious")
    with pytest.raises(Conflict, match="exists already"):
        backup.write(furnished.database, tmp_path / "a.bak")
    assert (tmp_path / "a.bak").read_text() == "precious"


def test_a_backup_into_a_missing_folder_leaves_nothing(furnished, tmp_path):
    with pytest.raises(Unavailable, match=r"cannot be written: No such file"):
        backup.write(furnished.database, tmp_path / "none" / "a.bak")


@pytest.fixture
def good(tmp_path):
    """A store of one task, and its backup."""
    database = open_database(tmp_path / "good" / "taskpilot.db")
    database.migrate()
    app = App(database)
    app.run(ME, tasks.create, [{"title": f"Backed up {number}", "notes": "x" * 500} for number in range(200)])
    backup.write(database, tmp_path / "good.bak")
    yield app
    app.close()


def damage_header(path):
    path.write_bytes(os.urandom(100) + path.read_bytes()[100:])


def damage_middle(path):
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + os.urandom(len(whole) - 8192))


def cut_short(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def make_text(path):
    path.write_text("title,done\nWalls,no\n" * 100)


def make_empty(path):
    path.write_bytes(b"")


def make_foreign(path):
    path.unlink()
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("CREATE TABLE bookmarks (url TEXT)")


def make_newer(path):
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("INSERT INTO schema_migration VALUES (1000, 'future', '2030')")
        raw.commit()


def make_dangling(path):
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("INSERT INTO task_blocker VALUES (1, 99999)")
        raw.commit()


@pytest.mark.parametrize(
    ("spoil", "kind", "words"),
    [
        (Path.unlink, NotFound, "There is no file"),
        (damage_header, Invalid, "not a TaskPilot backup"),
        (damage_middle, Invalid, "damaged"),
        (cut_short, Invalid, "damaged"),
        (make_text, Invalid, "not a TaskPilot backup"),
        (make_empty, Invalid, "not a TaskPilot backup"),
        (make_foreign, Invalid, "not a TaskPilot backup"),
        (make_newer, Invalid, "newer TaskPilot"),
        (make_dangling, Invalid, "damaged"),
    ],
)
@pytest.mark.usefixtures("good")
def test_a_bad_backup_is_refused_and_nothing_is_changed(app, add, tmp_path, spoil, kind, words):
    add("Still here")
    before = contents(app.database)
    spoil(tmp_path / "good.bak")
    with pytest.raises(kind, match=words):
        backup.restore(app.database, tmp_path / "good.bak")
    assert contents(app.database) == before


@pytest.mark.usefixtures("good")
def test_rows_that_do_not_fit_are_refused_and_nothing_is_changed(postgres_url, tmp_path):
    """SQLite takes a word for a number; PostgreSQL does not."""
    database = open_database(postgres_url)
    before = contents(database)
    with closing(sqlite3.connect(tmp_path / "good.bak")) as raw:
        raw.execute("UPDATE task SET version = 'many' WHERE id = 200")
        raw.commit()
    with pytest.raises(Invalid, match="damaged"):
        backup.restore(database, tmp_path / "good.bak")
    assert contents(database) == before
    database.close()


def test_the_database_itself_is_not_a_backup(good):
    with pytest.raises(Conflict, match="the database itself"):
        backup.restore(good.database, good.database.path)


@pytest.mark.usefixtures("good")
def test_a_backup_from_an_older_version_is_brought_up_to_date(target, tmp_path, monkeypatch):
    target.database.migrate()
    real = schema.migrations

    def newer(dialect):
        added = "ALTER TABLE task ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';"
        return [*real(dialect), schema.Migration(1_000, "mood", added)]

    was = (tmp_path / "good.bak").read_bytes()
    monkeypatch.setattr(schema, "migrations", newer)
    assert backup.restore(target.database, tmp_path / "good.bak") == 200
    with target.database.reading() as db:
        assert schema.version(db) == 1_000
        assert db.one("SELECT DISTINCT mood FROM task") == {"mood": "calm"}
    assert (tmp_path / "good.bak").read_bytes() == was


@pytest.mark.parametrize("spoil", [damage_header, damage_middle])
def test_a_damaged_database_is_set_aside_for_the_backup(good, tmp_path, spoil):
    path = good.database.path
    expected = contents(good.database)
    good.close()
    spoil(path)
    database = open_database(path)
    assert backup.restore(database, tmp_path / "good.bak") == 200
    assert without_restores(contents(database)) == expected
    assert inspect(database) == []
    assert [found.name for found in path.parent.glob("*.damaged-*")]
    assert not list(path.parent.glob(".restoring*"))
    database.close()


def test_a_copy_of_a_live_database_restores_too(good, target, tmp_path):
    """People copy files; the write-ahead log may be beside it."""
    for end in ("", "-wal"):
        shutil.copy(f"{good.database.path}{end}", tmp_path / f"copy.db{end}")
    assert backup.restore(target.database, tmp_path / "copy.db") == 200
