from __future__ import annotations

import struct
import threading
from concurrent.futures import CancelledError
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from taskpilot.domain.caller import local
from taskpilot.domain.errors import InDoubt, Invalid, NotFound, Unavailable
from taskpilot.ops import tasks
from taskpilot.store import open_database
from taskpilot.store.work import Work
from taskpilot.store.writer import Job, Writer, settle

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def database(place):
    database = open_database(place)
    database.migrate()
    yield database
    database.close()


@pytest.fixture
def writer(database):
    writer = Writer(database)
    yield writer
    writer.close()


@contextmanager
def held(writer):
    """Keep the writer busy, so that what is submitted meanwhile becomes one batch."""
    busy, go = threading.Event(), threading.Event()

    def wait(_):
        busy.set()
        assert go.wait(10)

    writer.submit(wait)
    assert busy.wait(10)
    try:
        yield
    finally:
        go.set()


def create(*titles):
    drafts = [{"title": title} for title in titles]
    return lambda db: tasks.create(Work(db, local("cli"), NOW), drafts).tasks[0].id


def titles(database):
    with database.reading() as db:
        return [row["title"] for row in db.all("SELECT title FROM task ORDER BY id")]


def count_commits(database) -> int:
    """How many commits the tasks came in: from the write-ahead log, or from the rows' transaction numbers."""
    path = getattr(database, "path", None)
    if path is None:
        with database.reading() as db:
            return db.one("SELECT count(DISTINCT xmin::text) AS number FROM task")["number"]
    log = Path(f"{path}-wal").read_bytes()
    size = struct.unpack(">I", log[8:12])[0]
    salt = log[16:24]
    frames = (log[at : at + 24] for at in range(32, len(log), 24 + size))
    return sum(frame[8:16] == salt and frame[4:8] != b"\0\0\0\0" for frame in frames)


def test_what_waits_together_is_committed_together(database, writer):
    before = count_commits(database)
    with held(writer):
        futures = [writer.submit(create(f"Task {number}")) for number in range(50)]
    assert len({future.result(10) for future in futures}) == 50
    assert count_commits(database) - before == 1


def test_alone_each_operation_has_its_own_commit(database, writer):
    before = count_commits(database)
    for number in range(5):
        writer.submit(create(f"Task {number}")).result(10)
    assert count_commits(database) - before == 5


def test_one_that_fails_half_way_takes_nobody_with_it(database, writer):
    with held(writer):
        first = writer.submit(create("First"))
        broken = writer.submit(create("Half", ""))  # its first task is in the database when the second is refused
        refused = writer.submit(lambda db: tasks.get(Work(db, local("cli"), NOW), 10_000))
        last = writer.submit(create("Last"))
    with pytest.raises(Invalid, match="Title cannot be empty"):
        broken.result(10)
    with pytest.raises(NotFound):
        refused.result(10)
    assert first.result(10) < last.result(10)
    assert titles(database) == ["First", "Last"]


def test_a_commit_that_fails_fails_only_for_the_guilty(database, writer):
    if getattr(database, "path", None) is None:
        pytest.skip("PostgreSQL checks these links at once")

    def dangle(db):
        db.run("PRAGMA defer_foreign_keys = ON")
        db.run("INSERT INTO task_blocker (task_id, blocker_id) VALUES (10000, 10001)")

    with held(writer):
        good = [writer.submit(create("Good")), writer.submit(create("Better"))]
        guilty = writer.submit(dangle)
    assert [future.result(10) for future in good]
    with pytest.raises(Exception, match="FOREIGN KEY"):
        guilty.result(10)
    assert titles(database) == ["Good", "Better"]


def test_nobody_is_told_before_the_commit(database, writer):
    other = open_database(getattr(database, "path", None) or database.url)
    seen = []

    def look(future):
        with other.reading() as db:
            seen.append(db.one("SELECT title FROM task WHERE id = :id", id=future.result()) is not None)

    with held(writer):
        futures = [writer.submit(create(f"Task {number}")) for number in range(20)]
        for future in futures:
            future.add_done_callback(look)
    for future in futures:
        future.result(10)
    writer.close()
    other.close()
    assert seen == [True] * 20


def test_an_operation_cancelled_before_its_turn_does_not_run(database, writer):
    with held(writer):
        cancelled = writer.submit(create("Never"))
        assert cancelled.cancel()
        kept = writer.submit(create("Kept"))
    assert kept.result(10)
    with pytest.raises(CancelledError):
        cancelled.result(10)
    assert titles(database) == ["Kept"]


def test_an_operation_cancelled_while_it_runs_does_not_stop_the_writer(database, writer):
    began, go = threading.Event(), threading.Event()

    def slow(db):
        began.set()
        assert go.wait(10)
        return create("Slow")(db)

    with held(writer):
        cancelled, together = writer.submit(slow), writer.submit(create("Together"))
    assert began.wait(10)
    assert cancelled.cancel()
    go.set()
    assert together.result(10)
    assert writer.submit(create("Next")).result(10)
    assert titles(database) == ["Slow", "Together", "Next"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, MemoryError, ZeroDivisionError])
def test_whatever_an_operation_raises_reaches_its_caller_and_nobody_else(database, writer, error):
    def explode(db):
        create("Gone")(db)
        raise error

    with held(writer):
        bad, good = writer.submit(explode), writer.submit(create("Stays"))
    with pytest.raises(error):
        bad.result(10)
    assert good.result(10)
    assert writer.submit(create("After")).result(10)
    assert titles(database) == ["Stays", "After"]


def test_stop_iteration_does_not_leave_the_caller_waiting(writer):
    def stop(_):
        raise StopIteration

    with pytest.raises(RuntimeError, match="StopIteration"):
        writer.submit(stop).result(10)


def test_close_finishes_what_was_accepted_and_takes_nothing_more(database, writer):
    with held(writer):
        futures = [writer.submit(create(f"Task {number}")) for number in range(10)]
        closing = threading.Thread(target=writer.close)
        closing.start()
    closing.join(10)
    assert not closing.is_alive()
    assert all(future.done() for future in futures)
    assert len(titles(database)) == 10
    with pytest.raises(Unavailable, match="stopping"):
        writer.submit(create("Late"))


def test_an_operation_that_waits_for_another_is_told_instead_of_hanging(writer):
    with pytest.raises(RuntimeError, match="wait for itself"):
        writer.submit(lambda _: writer.submit(create("Inner")).result()).result(10)


def test_a_receiver_that_fails_does_not_stop_the_others(database, caplog):
    writer, told = Writer(database), []

    def gone(_):
        raise RuntimeError("Event loop is closed")

    with held(writer):
        writer.post(Job(create("One"), gone, _Nobody()))
        writer.post(Job(create("Two"), told.extend, _Nobody()))
    writer.close()
    assert [job.outcome is not None for job in told] == [True]
    assert titles(database) == ["One", "Two"]
    assert "Nobody is there" in caplog.text


class _Nobody:
    def cancelled(self):
        return False


def test_a_database_that_cannot_begin_tells_everybody_at_once(tmp_path):
    database = open_database(tmp_path / "missing.db")
    jobs = [Job(create("Never"), lambda _: None, _Nobody()) for _ in range(50)]
    assert settle(database, jobs) is False
    assert all(isinstance(job.error, Unavailable) for job in jobs)
    assert not (tmp_path / "missing.db").exists()
    database.close()


def test_a_lost_connection_is_tried_again_for_the_innocent(postgres_url):
    database = open_database(postgres_url)
    writer = Writer(database)

    def cut(db):
        db.run("SELECT pg_terminate_backend(pg_backend_pid())")

    with held(writer):
        good, guilty, better = writer.submit(create("Good")), writer.submit(cut), writer.submit(create("Better"))
    assert good.result(10) < better.result(10)
    with pytest.raises(Unavailable, match="cannot be reached"):
        guilty.result(10)
    assert titles(database) == ["Good", "Better"]
    writer.close()
    database.close()


def test_a_connection_lost_in_the_commit_is_in_doubt_and_not_tried_again(postgres_url):
    with psycopg.connect(postgres_url, autocommit=True) as raw:
        raw.execute("""
            CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(1); RETURN NULL; END'""")
        raw.execute("""
            CREATE CONSTRAINT TRIGGER cut AFTER INSERT ON project DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION cut()""")
    database = open_database(postgres_url)
    writer = Writer(database)
    ran = []

    def project(db):
        ran.append(1)
        tasks.create(Work(db, local("cli"), NOW), [{"title": "In a project", "project": "House"}])

    with held(writer):
        futures = [writer.submit(create("Plain")), writer.submit(project)]
    for future in futures:
        with pytest.raises(InDoubt, match="may or may not be stored"):
            future.result(10)
    assert ran == [1]
    assert writer.submit(create("After")).result(10)
    writer.close()
    database.close()
