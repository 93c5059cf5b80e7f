from __future__ import annotations

import logging
import threading
import time
from dataclasses import replace

import pytest

from taskpilot.domain.claim import Ending
from taskpilot.domain.errors import OutOfScope, Unavailable
from taskpilot.domain.task import Status
from taskpilot.ops import claims, history, tasks
from taskpilot.ops.queue import Wish
from taskpilot.upkeep import Chore, keep_up, return_tasks

SOON = 10.0


def wait_until(fact) -> None:
    end = time.monotonic() + SOON
    while not fact():
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.fixture
def held(app, me, stranger, clock):
    """A task of each of two users, in the hands of an agent whose lease has run out."""
    for owner in (me, stranger):
        app.run(owner, tasks.create, [{"title": "Walls"}])
        app.run(replace(owner, actor="ann"), claims.take_next, Wish(), lease=60)
    clock.forward(seconds=61)
    return [(me, 1), (stranger, 2)]


def test_everybodys_tasks_return_without_anybody_asking(app, held):
    with keep_up(app):
        wait_until(lambda: all(app.run(who, tasks.get, number).status is Status.TODO for who, number in held))
    for who, number in held:
        told = app.run(who, history.list_page, task_id=number).items[0]
        assert (told.actor, told.kind, told.reason) == (
            "taskpilot",
            "task.returned",
            "The lease of ann ran out: it changed nothing",
        )
        assert app.run(who, claims.find, number)[1].ending is Ending.EXPIRED


def test_a_live_lease_is_left_alone(app, do, add):
    task = add()
    token = do(claims.take_next, Wish()).claim.id
    return_tasks(app)
    assert do(claims.check, task.id, token).id == token


def test_more_than_are_returned_at_once_all_return(app, do, add, clock, monkeypatch):
    monkeypatch.setattr(claims, "SWEPT_AT_ONCE", 2)
    for _ in range(5):
        add()
        do(claims.take_next, Wish(), lease=60)
    clock.forward(seconds=61)
    return_tasks(app)
    assert [do(tasks.get, number).status for number in range(1, 6)] == [Status.TODO] * 5


def test_whose_leases_ran_out_is_for_the_server_alone(app, stranger):
    with pytest.raises(OutOfScope):
        app.run(stranger, claims.list_lapsed_owners)


def test_a_database_that_goes_away_is_told_of_once_and_tried_again(app, caplog):
    turns = 0
    away = threading.Event()
    away.set()

    def look(_) -> None:
        nonlocal turns
        turns += 1
        if away.is_set():
            raise Unavailable("The database is away.")

    with caplog.at_level(logging.WARNING), keep_up(app, [Chore("looking", 0.001, look)]):
        wait_until(lambda: turns > 3)
        away.clear()
        now = turns
        wait_until(lambda: turns > now + 2)
    assert [record.getMessage() for record in caplog.records] == ["looking has to wait: The database is away."]


def test_a_chore_that_fails_keeps_no_other_from_its_turn(app, caplog):
    turns = 0

    def fail(_) -> None:
        raise ZeroDivisionError

    def count(_) -> None:
        nonlocal turns
        turns += 1

    with (
        caplog.at_level(logging.WARNING),
        keep_up(app, [Chore("failing", 0.001, fail), Chore("counting", 0.001, count)]),
    ):
        wait_until(lambda: turns > 3)
    (told,) = caplog.records
    assert told.exc_info


def test_each_chore_has_its_own_interval_and_stopping_waits_for_none(app):
    turns = {"often": 0, "seldom": 0}

    def count(name):
        def count(_) -> None:
            turns[name] += 1

        return count

    start = time.monotonic()
    with keep_up(app, [Chore("often", 0.001, count("often")), Chore("seldom", 3600, count("seldom"))]):
        wait_until(lambda: turns["often"] > 5)
    assert turns["seldom"] == 1
    assert time.monotonic() - start < SOON
    assert not any(thread.name == "upkeep" for thread in threading.enumerate())
