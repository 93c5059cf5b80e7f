from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from taskpilot.domain.caller import unknown
from taskpilot.domain.calls import Search
from taskpilot.domain.errors import Invalid, OutOfScope
from taskpilot.domain.scopes import USUAL
from taskpilot.ops import tasks, trail


@pytest.fixture
def say(app, me, clock):
    """A call that changes nothing, one second after the one before."""

    def say(tool="task_get", outcome="ok", caller=me, door="native"):
        clock.forward(seconds=1)
        app.note(replace(caller, tool=tool, door=door, address="10.0.0.7"), outcome)
        app.trail.flush()

    return say


def tell(steps):
    return [step.kind or f"{step.tool} {step.outcome}" for step in steps]


def test_changes_and_calls_are_told_together_latest_first(app, me, do, add, say, clock):
    task = add("Walls")
    say("task_get")
    clock.forward(seconds=1)
    do(tasks.complete, task.id)
    say("task_list", "invalid")
    page = do(trail.list_page)
    assert tell(page.items) == ["task_list invalid", "task.completed", "task_get ok", "task.created"]
    assert page.cursor is None
    call = page.items[0]
    assert (call.user, call.actor, call.address, call.door) == ("dev-user", me.actor, "10.0.0.7", "native")
    assert (page.items[3].subject, page.items[3].outcome, page.items[3].door) == (task.id, "ok", "cli")


def test_pages_leave_nothing_out_and_tell_nothing_twice(do, add, say):
    for number in range(7):
        add(f"Task {number}")
        say(f"tool_{number}")
        say(f"other_{number}", "conflict")
    whole = [(step.source, step.id) for step in do(trail.list_page, limit=1000).items]
    assert len(whole) == len(set(whole)) == 21
    for size in (1, 2, 5, 20):
        found, cursor = [], None
        while True:
            page = do(trail.list_page, limit=size, cursor=cursor)
            found += [(step.source, step.id) for step in page.items]
            cursor = page.cursor
            if cursor is None:
                break
        assert found == whole


def test_a_clock_that_was_set_back_loses_nothing(do, add, say, clock):
    for number in range(6):
        add(f"Task {number}")
        say(f"tool_{number}")
        clock.forward(seconds=-40)
    found, cursor = [], None
    while True:
        page = do(trail.list_page, limit=2, cursor=cursor)
        found += [(step.source, step.id) for step in page.items]
        cursor = page.cursor
        if cursor is None:
            break
    assert len(found) == len(set(found)) == 12


@pytest.mark.parametrize(
    ("search", "told"),
    [
        (Search(tool="task_get"), ["task_get not_found", "task_get ok"]),
        (Search(door="cli"), ["task.created"]),
        (Search(outcome="ok"), ["run_start ok", "task_get ok", "task.created"]),
        (Search(outcome="failed"), ["task_get not_found", "undo conflict"]),
        (Search(outcome="conflict"), ["undo conflict"]),
        (Search(actor="nobody"), []),
        (Search(actor="dev-user", door="native", outcome="ok"), ["run_start ok", "task_get ok"]),
    ],
)
def test_filters_must_all_hold(do, add, say, search, told):
    add("Walls")
    say("task_get")
    say("undo", "conflict")
    say("run_start")
    say("task_get", "not_found")
    assert tell(do(trail.list_page, search).items) == told


def test_a_stretch_of_time_is_found_by_its_ends(do, add, say, clock):
    for day in range(5):
        add(f"Day {day}")
        say(f"tool_{day}")
        clock.forward(days=1, seconds=-1)
    start = clock.now - timedelta(days=4)
    found = do(trail.list_page, Search(since=start, until=start + timedelta(days=2))).items
    assert tell(found) == ["tool_2 ok", "task.created", "tool_1 ok", "task.created"]
    assert tell(do(trail.list_page, Search(since=clock.now)).items) == []
    assert len(do(trail.list_page, Search(until=clock.now)).items) == 10


def test_everybody_sees_only_their_own(app, me, do, add, say, stranger):
    add("Mine")
    app.run(stranger, tasks.create, [{"title": "Theirs"}])
    say(caller=stranger, tool="theirs")
    say(caller=unknown("rest"), tool="POST /api/auth/signin", outcome="unauthenticated")
    assert tell(do(trail.list_page).items) == ["task.created"]
    assert tell(app.run(stranger, trail.list_page).items) == ["theirs ok", "task.created"]
    everything = do(trail.list_everybody).items
    assert tell(everything)[:2] == ["POST /api/auth/signin unauthenticated", "theirs ok"]
    assert [step.user for step in everything][:3] == [None, "user-77", "user-77"]


def test_only_an_administrator_sees_everybodys(app, me, stranger):
    assert "admin" not in stranger.scopes
    with pytest.raises(OutOfScope):
        app.run(stranger, trail.list_everybody)
    with pytest.raises(OutOfScope):
        app.run(replace(me, scopes=USUAL), trail.list_everybody)


@pytest.mark.parametrize("cursor", ["", "1", "a.b", "1.2.3", "-1.2", "1.2\n", "٣.٣", "9" * 19 + ".1"])
def test_a_cursor_from_elsewhere_is_refused(do, cursor):
    with pytest.raises(Invalid, match="does not belong"):
        do(trail.list_page, cursor=cursor)


def test_nonsense_is_refused(do):
    with pytest.raises(Invalid, match="no outcome"):
        do(trail.list_page, Search(outcome="great"))
    with pytest.raises(Invalid, match="limit"):
        do(trail.list_page, limit=0)
