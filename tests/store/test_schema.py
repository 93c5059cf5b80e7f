from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from taskpilot.domain.caller import LOCAL_HANDLE, LOCAL_USER
from taskpilot.domain.errors import Unavailable
from taskpilot.store import open_database, schema
from taskpilot.store.sqlite import split
from taskpilot.store.users import Users

MIGRATE = "import sys; from taskpilot.store import open_database; open_database(sys.argv[1]).migrate()"


@pytest.fixture
def empty_place(request, place):
    """Where nothing has been migrated yet."""
    if place.startswith("postgresql:"):
        request.getfixturevalue("postgres_url")
        with psycopg.connect(place, autocommit=True) as raw:
            raw.execute("DROP SCHEMA public CASCADE")
            raw.execute("CREATE SCHEMA public")
    return place


def test_both_databases_have_the_same_migrations():
    sqlite, postgres = (
        [(each.number, each.name) for each in schema.migrations(dialect)] for dialect in ("sqlite", "postgres")
    )
    assert sqlite == postgres
    assert [number for number, _ in sqlite] == list(range(1, len(sqlite) + 1))


def test_both_databases_have_the_same_tables_and_columns(tmp_path, postgres_url):
    def columns_in_sqlite():
        database = open_database(tmp_path / "a.db")
        database.migrate()
        with database.reading() as db:
            tables = [row["name"] for row in db.all("PRAGMA table_list") if row["type"] == "table"]
            found = {(table, row["name"]) for table in tables for row in db.all(f"PRAGMA table_xinfo({table})")}
        database.close()
        return {(table, column) for table, column in found if not table.startswith("sqlite_")}

    with psycopg.connect(postgres_url) as raw:
        query = "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"
        in_postgres = set(raw.execute(query).fetchall())
    # SQLite searches in a table of its own.
    assert columns_in_sqlite() == in_postgres - {("task", "search")}


def test_a_new_store_has_its_schema_and_the_local_user(empty_place):
    database = open_database(empty_place)
    database.migrate()
    with database.reading() as db:
        assert schema.version(db) == schema.latest(db.dialect)
        assert schema.pending(db) == []
        assert Users(db).find(LOCAL_USER).handle == LOCAL_HANDLE
    database.close()


def test_migrating_again_changes_nothing_and_does_not_wait_for_a_writer(place):
    database = open_database(place)
    database.migrate()
    other = open_database(place)
    with database.writing() as db:
        before = db.changes
        other.migrate()
        assert db.changes == before
    other.close()
    database.close()


def test_a_migration_that_fails_in_the_middle_leaves_nothing_and_can_be_repeated(empty_place, monkeypatch):
    def break_second(dialect):
        broken = "CREATE TABLE half (id BIGINT); INSERT INTO half VALUES (1); SELECT * FROM nowhere;"
        return [*real(dialect), schema.Migration(99, "broken", broken)]

    real = schema.migrations
    database = open_database(empty_place)
    monkeypatch.setattr(schema, "migrations", break_second)
    with pytest.raises((sqlite3.OperationalError, psycopg.errors.UndefinedTable), match="nowhere"):
        database.migrate()
    with database.reading() as db:
        assert schema.version(db) == real(db.dialect)[-1].number
        with pytest.raises((sqlite3.OperationalError, psycopg.errors.UndefinedTable), match="half"):
            db.one("SELECT * FROM half")

    def repair(dialect):
        return [*real(dialect), schema.Migration(99, "repaired", "CREATE TABLE half (id BIGINT);")]

    monkeypatch.setattr(schema, "migrations", repair)
    database.migrate()
    with database.reading() as db:
        assert schema.version(db) == 99
        assert db.all("SELECT * FROM half") == []
    database.close()


def test_a_database_newer_than_the_program_is_refused(place):
    database = open_database(place)
    database.migrate()
    with database.writing() as db:
        schema.note(db, schema.Migration(1_000, "from_the_future", ""))
    with pytest.raises(Unavailable, match=r"at version 1000.*Update TaskPilot"):
        database.migrate()
    database.close()


def test_many_processes_may_migrate_at_once(empty_place):
    children = [subprocess.Popen([sys.executable, "-c", MIGRATE, empty_place]) for _ in range(4)]
    assert [child.wait(60) for child in children] == [0, 0, 0, 0]
    database = open_database(empty_place)
    with database.reading() as db:
        noted = [row["number"] for row in db.all("SELECT number FROM schema_migration ORDER BY number")]
        assert noted == [each.number for each in schema.migrations(db.dialect)]
        assert len(db.all("SELECT id FROM user_account")) == 1
    database.close()


def test_a_script_is_split_at_statements_not_at_semicolons():
    trigger = "CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; DELETE FROM c; END;"
    assert split(f"-- a; comment\nCREATE TABLE a (x TEXT DEFAULT ';');\n{trigger}\n-- the end") == [
        "-- a; comment\nCREATE TABLE a (x TEXT DEFAULT ';');",
        trigger,
    ]


def test_a_script_that_forgets_its_last_semicolon_is_refused():
    with pytest.raises(ValueError, match="no end"):
        split("CREATE TABLE a (x); CREATE TABLE b (x)")


def test_migrations_are_shipped_as_files():
    folder = Path(schema.__file__).parent / "migrations"
    assert {path.suffix for path in folder.rglob("*.*")} == {".sql"}
