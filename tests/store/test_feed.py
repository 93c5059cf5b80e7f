from __future__ import annotations

import subprocess
import sys
import threading
import time

import pytest

from taskpilot.app import App
from taskpilot.ops import tasks
from taskpilot.store import open_database

CREATE = """
import sys
from taskpilot.app import App
from taskpilot.domain.caller import local
from taskpilot.ops import tasks
from taskpilot.store import open_database
app = App(open_database(sys.argv[1]))
sys.stdin.readline()
app.run(local("cli"), tasks.create, [{"title": "From elsewhere"}])
sys.stdout.write("done\\n")
sys.stdout.flush()
app.close()
"""


class Ear:
    """A listener that can be waited for."""

    def __init__(self) -> None:
        self.heard = []
        self.more = threading.Condition()

    def __call__(self, events) -> None:
        with self.more:
            self.heard.extend(events)
            self.more.notify_all()

    def wait(self, number: int, seconds: float = 5) -> bool:
        with self.more:
            return self.more.wait_for(lambda: len(self.heard) >= number, seconds)


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def other(place):
    """A second application on the same store."""
    other = App(open_database(place))
    other.database.migrate()
    yield other
    other.close()


def test_a_change_is_heard_soon_after_it_is_made(app, add, ear):
    app.subscribe(ear)
    task = add("Walls")
    assert ear.wait(1, 1)
    (event,) = ear.heard
    assert (event.kind, event.subject, event.after["title"]) == ("task.created", task.id, "Walls")


def test_another_process_is_heard_within_a_second(app, place, ear):
    child = subprocess.Popen(
        [sys.executable, "-c", CREATE, place], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    app.subscribe(ear)
    child.stdin.write("go\n")
    child.stdin.flush()
    assert child.stdout.readline() == "done\n"
    assert ear.wait(1, 1)
    assert ear.heard[0].after["title"] == "From elsewhere"
    child.communicate(timeout=20)


def test_of_a_thousand_changes_by_two_applications_none_is_missed_and_all_are_in_order(app, other, me, ear):
    app.subscribe(ear)
    made = [[], []]

    def work(place, where):
        for number in range(25):
            drafts = [{"title": f"{place}.{number}.{each}"} for each in range(20)]
            made[place] += [task.id for task in where.run(me, tasks.create, drafts).tasks]

    threads = [threading.Thread(target=work, args=pair) for pair in enumerate((app, other))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ear.wait(1_000, 10)
    assert sorted(event.subject for event in ear.heard) == sorted(made[0] + made[1])
    ids = [event.id for event in ear.heard]
    assert ids == sorted(ids)
    assert len(set(ids)) == 1_000


def test_a_listener_hears_only_what_comes_after_it(app, add, ear):
    first = Ear()
    app.subscribe(first)
    add("Before")
    app.subscribe(ear)  # the feed may not have told the first one yet
    add("After")
    assert ear.wait(1)
    assert first.wait(2)
    time.sleep(0.1)
    assert [event.after["title"] for event in ear.heard] == ["After"]
    assert [event.after["title"] for event in first.heard] == ["Before", "After"]


def test_a_listener_that_stops_hears_no_more(app, add, ear):
    stop = app.subscribe(ear)
    add("Heard")
    assert ear.wait(1)
    stop()
    stop()
    add("Unheard")
    still = Ear()
    app.subscribe(still)
    add("Later")
    assert still.wait(1)
    assert len(ear.heard) == 1


def test_a_listener_that_fails_does_not_silence_the_others(app, add, ear, caplog):
    def fail(_):
        raise ZeroDivisionError

    app.subscribe(fail)
    app.subscribe(ear)
    add("One")
    assert ear.wait(1)
    add("Two")
    assert ear.wait(2)
    assert "A listener failed" in caplog.text


def test_what_was_rolled_back_is_not_told(app, do, add, ear):
    app.subscribe(ear)
    with pytest.raises(Exception, match="Title"):
        do(tasks.create, [{"title": "Half"}, {"title": ""}])
    add("Whole")
    assert ear.wait(1)
    time.sleep(0.1)
    assert [event.after["title"] for event in ear.heard] == ["Whole"]


def test_a_listener_may_use_the_app(app, add, me):
    titles, done = [], threading.Event()

    def look(events):
        titles.extend(app.run(me, tasks.get, event.subject).title for event in events)
        done.set()

    app.subscribe(look)
    add("Walls")
    assert done.wait(5)
    assert titles == ["Walls"]
