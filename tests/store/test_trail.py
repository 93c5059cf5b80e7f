from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
import threading
import time
from contextlib import closing
from dataclasses import replace
from datetime import timedelta

import pytest

from taskpilot.app import App
from taskpilot.domain.caller import Caller, unknown
from taskpilot.domain.errors import NotFound, Unavailable
from taskpilot.domain.operation import sends
from taskpilot.domain.scopes import Scope
from taskpilot.ops import tasks
from taskpilot.store import open_database, purge, trail
from taskpilot.store.trail import Trail

KILLED = """
import sys, threading, time
from dataclasses import replace
from taskpilot.app import App
from taskpilot.domain.caller import local
from taskpilot.store import open_database
database = open_database(sys.argv[1])
app = App(database)
number = 0
while True:
    number += 1
    app.note(replace(local("native"), tool=f"tool_{number}"), "ok")
    print(number, time.monotonic(), flush=True)
    time.sleep(0.002)
"""


@pytest.fixture
def kept(app):
    def kept(columns="tool"):
        with app.database.reading() as db:
            rows = db.all(f"SELECT {columns} FROM call_log ORDER BY id")
        return [row["tool"] for row in rows] if columns == "tool" else rows

    return kept


def test_what_was_noted_is_written_within_a_second(app, me, kept):
    app.note(replace(me, tool="task_get"), "ok")
    deadline = time.monotonic() + 5
    while not kept() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert kept() == ["task_get"]


def test_closing_loses_nothing(place, clock, me):
    database = open_database(place)
    database.migrate()
    app = App(database, clock=clock)
    for number in range(300):
        app.note(replace(me, tool=f"tool_{number}"), "ok")
    app.close()
    with closing(open_database(place)) as database, database.reading() as db:
        assert len(db.all("SELECT * FROM call_log")) == 300


def test_kill_9_loses_a_second_at_most(place, app):
    with subprocess.Popen([sys.executable, "-c", KILLED, place], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout
        time.sleep(3)
        killed = time.monotonic()
        child.kill()
        noted = [line.split() for line in child.stdout.read().splitlines() if line.count(" ") == 1]
    with app.database.reading() as db:
        written = {row["tool"] for row in db.all("SELECT tool FROM call_log")}
    old = [number for number, at in noted if float(at) < killed - 1]
    assert len(old) > 100
    assert [number for number in old if f"tool_{number}" not in written] == []


def test_entries_wait_while_the_database_is_away_and_not_without_end(clock, me, monkeypatch, caplog):
    monkeypatch.setattr(trail, "MOST_WAITING", 10)
    away, written = True, []

    def write(job):
        if away:
            raise Unavailable("The database cannot be reached.")
        written.append(job.keywords["calls"])

    gathering = Trail(write, clock)
    gathering._thread = threading.current_thread()  # this test flushes by itself
    with caplog.at_level(logging.WARNING):
        for number in range(25):
            gathering.add(replace(me, tool=f"tool_{number}"), "ok")
            gathering.touch("token", 3, clock())
            gathering.flush()
    assert len([record for record in caplog.records if "waits for the database" in record.message]) == 1
    away = False
    gathering.flush()
    assert [call.tool for call in written[0]] == [f"tool_{number}" for number in range(10)]
    gathering.flush()
    assert len(written) == 1


@pytest.mark.parametrize(
    "path",
    ["GET /%00\0/x", "GET /" + "a b" * 5_000, "GET /\ud800\u202e", "GET /api/tp_1_" + "x" * 43, "GET /ey" + "J.a" * 60],
)
def test_no_stranger_can_stop_the_trail_or_leave_a_secret_in_it(app, me, kept, path):
    stranger = replace(unknown("mcp\0" + "d" * 9_000, "10.0.0.1"), tool=path)
    app.note(stranger, "unauthenticated")
    app.note(replace(me, tool="task_get"), "ok")
    app.trail.flush()
    first, second = kept("tool, door, owner_id")
    assert second["tool"] == "task_get"
    assert first["owner_id"] is None
    assert len(first["tool"]) <= 200
    assert len(first["door"]) <= 100
    assert "x" * 43 not in first["tool"]
    assert "J.aJ.a" not in first["tool"]


def test_a_user_who_is_gone_stops_nothing(app, me, kept):
    app.note(Caller(4_242, "ghost", "rest", tool="ghostly"), "ok")
    app.note(replace(me, tool="task_get"), "ok")
    app.trail.flush()
    assert kept() == ["task_get"]


def test_a_bug_does_not_end_the_trail(app, me, kept, monkeypatch, caplog):
    monkeypatch.setattr(trail, "_store", lambda *_, **__: 1 / 0)
    app.note(replace(me, tool="lost"), "ok")
    app.trail.flush()
    assert "1 entries of the audit were lost" in caplog.text
    monkeypatch.undo()
    app.note(replace(me, tool="kept"), "ok")
    app.trail.flush()
    assert kept() == ["kept"]


def test_many_threads_note_at_once_and_all_is_kept(app, me, kept):
    def note(name):
        for number in range(200):
            app.note(replace(me, tool=f"{name}_{number}"), "ok")

    threads = [threading.Thread(target=note, args=(name,)) for name in "abcdefgh"]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        app.trail.flush()
    app.trail.flush()
    deadline = time.monotonic() + 5
    while len(kept()) < 1_600 and time.monotonic() < deadline:  # the trail's own thread may have taken some
        time.sleep(0.02)
    assert len(set(kept())) == len(kept()) == 1_600


def test_old_calls_and_spent_credentials_are_forgotten_in_steps(app, me, clock, kept, monkeypatch):
    monkeypatch.setattr(purge, "AT_ONCE", 10)
    old, new = (clock.now - timedelta(days=91)), clock.now - timedelta(days=2)
    with app.database.writing() as db:
        db.run(
            "INSERT INTO login (owner_id, kind, client, client_id, scopes, resource, address, created_at, expires_at)"
            " VALUES (1, 'session', '', '', '', '', '', '2026', '2027')"
        )
        for number in range(25):
            for name, at in (("old", old), ("new", new)):
                db.run(
                    "INSERT INTO call_log (at, owner_id, actor, address, door, tool, outcome)"
                    " VALUES (:at, 1, 'me', '', 'cli', :name, 'ok')",
                    at=purge.stamp(at),
                    name=name,
                )
                over = at if name == "old" else clock.now + timedelta(days=1)
                db.run(
                    "INSERT INTO refresh_token (hash, login_id, expires_at) SELECT :hash, max(id), :at FROM login",
                    hash=f"{name}{number}",
                    at=purge.stamp(over),
                )
                db.run(
                    "INSERT INTO oauth_request (id, client_id, details, expires_at) VALUES (:id, 'c', '{}', :at)",
                    id=f"{name}{number}",
                    at=purge.stamp(over),
                )
                db.run(
                    "INSERT INTO kept_answer (owner_id, key, fingerprint, body, created_at)"
                    " VALUES (1, :key, '', '', :at)",
                    key=f"{name}{number}",
                    at=purge.stamp(at),
                )
    app.trail.keep(90)
    app.trail.purge()
    assert set(kept()) == {"new"}
    with app.database.reading() as db:
        for table, key in (("refresh_token", "hash"), ("oauth_request", "id"), ("kept_answer", "key")):
            found = [row[key] for row in db.all(f"SELECT {key} FROM {table}")]
            assert len(found) == 25, table
            assert all(name.startswith("new") for name in found), table


def test_an_operation_that_changed_nothing_is_noted_once_even_if_its_batch_was_repeated(app, me, add, kept):
    task = add("Walls")
    app.run(me, tasks.complete, task.id)
    caller = replace(me, tool="task_complete")
    held, begun = threading.Event(), threading.Event()

    def hold(db):
        begun.set()
        held.wait(10)

    def spoil(db):
        db.run("UPDATE task SET notes = 'spoilt'")
        raise ValueError

    blocking = app._writer.submit(hold)
    begun.wait(10)
    workers = [threading.Thread(target=app.run, args=(caller, tasks.complete, task.id)) for _ in range(3)]
    for worker in workers:
        worker.start()
    deadline = time.monotonic() + 10
    while len(app._writer._waiting) < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    failing = app._writer.submit(spoil)
    held.set()
    for worker in workers:
        worker.join(10)
    assert isinstance(failing.exception(10), ValueError)
    assert blocking.result(10) is None
    app.trail.flush()
    assert kept() == ["task_complete"] * 3


@sends(scope=Scope.WRITE)
def wander(errand, changes):
    """Several operations, of which some may change something."""
    for title in changes:
        errand.run(tasks.complete, 1) if title is None else errand.run(tasks.create, [{"title": title}])
    if changes == ["fail"]:
        raise NotFound("Nothing was there.")


def test_an_errand_is_noted_once_and_only_if_it_changed_nothing(app, me, add, kept):
    app.run(me, tasks.complete, add("Walls").id)
    caller = replace(me, tool="sync")
    for changes, noted in (([None, None, None], 1), ([None, "New", None], 1), ([], 2)):
        asyncio.run(app.send(caller, wander, changes))
        app.trail.flush()
        assert kept() == ["sync"] * noted
    with app.database.reading() as db:
        assert [row["tool"] for row in db.all("SELECT tool FROM event WHERE tool <> ''")] == ["sync"]


def test_an_operation_called_by_a_tool_is_noted_when_it_changed_nothing(app, me, add, kept):
    task = add("Walls")
    caller = replace(me, tool="task_complete")
    for _ in range(2):
        asyncio.run(app.call(caller, tasks.complete, task.id))
    app.trail.flush()
    assert kept() == ["task_complete"]
