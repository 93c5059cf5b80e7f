from __future__ import annotations

import threading
import time

import psycopg
import pytest

from taskpilot.domain.errors import Invalid, Unavailable
from taskpilot.store import open_database, postgres
from taskpilot.store.database import TimeUp


@pytest.fixture
def database(postgres_url):
    database = open_database(postgres_url)
    yield database
    database.close()


def cut_all(url):
    """End every connection, as a server that restarts does."""
    with psycopg.connect(url, autocommit=True) as raw:
        raw.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    time.sleep(0.2)


def read(database):
    with database.reading() as db:
        return db.one("SELECT pg_backend_pid() AS pid")["pid"]


def write(database):
    with database.writing() as db:
        return db.one("SELECT pg_backend_pid() AS pid")["pid"]


def test_connections_are_used_again(database):
    assert read(database) == read(database)
    assert write(database) == write(database)


def test_connections_the_server_ended_cost_no_error(database, postgres_url):
    before = read(database), write(database)
    cut_all(postgres_url)
    after = read(database), write(database)
    assert set(before).isdisjoint(after)


def test_a_connection_that_dies_in_use_is_an_error_and_the_next_works(database, postgres_url):
    with database.reading() as db:
        db.one("SELECT 1 AS one")
        cut_all(postgres_url)
        with pytest.raises(Unavailable, match="cannot be reached"):
            db.one("SELECT 1 AS one")
    assert read(database)


def test_a_read_connection_cannot_write_and_says_so_as_a_bug(database):
    with database.reading() as db, pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
        db.run("DELETE FROM user_account")
    with database.reading() as db:
        assert db.one("SELECT count(*) AS number FROM user_account") == {"number": 1}


def test_a_standby_takes_no_changes(database, postgres_url):
    with psycopg.connect(postgres_url, autocommit=True) as raw:
        raw.execute(
            "DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || quote_ident(current_database())"
            " || ' SET default_transaction_read_only = on'; END $$"
        )
    with pytest.raises(Unavailable, match="takes no changes"), database.writing() as db:
        db.run("DELETE FROM user_account")


def test_a_reader_sees_one_moment(database):
    with database.reading() as db:
        before = db.one("SELECT count(*) AS number FROM tag")
        with database.writing() as writer:
            writer.run("INSERT INTO tag (owner_id, name) VALUES (1, 'new')")
        assert db.one("SELECT count(*) AS number FROM tag") == before


def test_a_time_box_stops_what_takes_longer_and_the_transaction_goes_on(database):
    with database.reading() as db:
        with pytest.raises(TimeUp), db.within(0.0001):
            db.one("SELECT pg_sleep(5)")
        assert db.one("SELECT current_setting('statement_timeout') AS limit") == {"limit": "0"}
        with db.within(5):
            assert db.one("SELECT 1 AS one") == {"one": 1}
        assert db.one("SELECT current_setting('statement_timeout') AS limit") == {"limit": "0"}


def test_writers_take_turns_across_databases(database, postgres_url):
    other, order = open_database(postgres_url), []

    def second():
        with other.writing():
            order.append("second")

    with database.writing():
        thread = threading.Thread(target=second)
        thread.start()
        time.sleep(0.3)
        order.append("first")
    thread.join(10)
    other.close()
    assert order == ["first", "second"]


def test_a_writer_that_waits_too_long_is_told_it_is_busy(database, postgres_url, monkeypatch):
    monkeypatch.setattr(postgres, "BUSY_SECONDS", 1)
    impatient = open_database(postgres_url)
    with database.writing(), pytest.raises(Unavailable, match="busy"), impatient.writing():
        pass
    impatient.close()


def test_more_readers_than_connections_wait_their_turn(database):
    with_room = threading.Semaphore(0)

    def look():
        read(database)
        with_room.release()

    threads = [threading.Thread(target=look) for _ in range(postgres.READERS * 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
        assert with_room.acquire(timeout=1)


def test_a_server_that_is_not_there_is_named_at_once():
    database = open_database("postgresql://nobody@127.0.0.1:1/nothing")
    began = time.monotonic()
    for use in (read, write, lambda it: it.migrate(), lambda it: it.wait_for_commit(1)):
        with pytest.raises(Unavailable, match="cannot be reached"):
            use(database)
    assert time.monotonic() - began < 5
    database.close()


def test_after_close_nothing_is_opened(database):
    database.close()
    with pytest.raises(Unavailable, match="stopping"):
        read(database)


def test_a_list_may_be_empty_or_very_long(database):
    with database.reading() as db:
        assert db.all("SELECT id FROM user_account WHERE id IN :ids", ids=[]) == []
        assert db.all("SELECT id FROM user_account WHERE id IN :ids", ids=list(range(100_000))) == [{"id": 1}]


def test_unused_parameters_and_percent_signs_are_harmless(database):
    with database.reading() as db:
        assert db.one("SELECT 'a%b' LIKE 'a%' AS fits, :used + 1 AS used", used=1, unused=2) == {
            "fits": True,
            "used": 2,
        }


@pytest.mark.parametrize("value", [2**70, "\udcff"])
def test_a_value_no_database_stores_is_the_callers_mistake(database, value):
    with pytest.raises(Invalid), database.writing() as db:
        db.run("UPDATE user_account SET id = CAST(:value AS BIGINT)", value=value)
