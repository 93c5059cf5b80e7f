from __future__ import annotations

from contextlib import suppress

import pytest

from taskpilot.domain.errors import Conflict, Invalid, NotFound
from taskpilot.domain.selection import write_cursor
from taskpilot.ops import bin, claims, history, projects, tasks
from taskpilot.ops.queue import Wish
from taskpilot.store.check import inspect


def test_what_is_deleted_lies_in_the_bin_latest_first(do, add, clock):
    for title in ("One", "Two", "Three"):
        do(tasks.delete, add(title).id)
        clock.forward(seconds=1)
    first = do(bin.list_page, limit=2)
    assert [task.title for task in first.items] == ["Three", "Two"]
    rest = do(bin.list_page, limit=2, cursor=first.cursor)
    assert ([task.title for task in rest.items], rest.cursor) == (["One"], None)


def test_a_task_comes_back_with_the_subtasks_that_went_with_it(do, add, clock):
    house = add("House", tags=["a"])
    walls = add("Walls", parent=house.id)
    door = add("Door", parent=walls.id)
    early = add("Early", parent=house.id)
    do(tasks.delete, early.id)
    clock.forward(seconds=1)
    do(tasks.delete, house.id)
    back = do(bin.restore, house.id, reason="by mistake")
    assert [task.id for task in back] == [house.id, walls.id, door.id]
    assert do(tasks.get, house.id).tags == ("a",)
    assert [task.id for task in do(bin.list_page).items] == [early.id]
    event = do(history.list_page, task_id=door.id).items[0]
    assert (event.kind, event.reason) == ("task.restored", "by mistake")


def test_restoring_can_be_undone(do, add):
    task = add()
    do(tasks.delete, task.id)
    do(bin.restore, task.id)
    do(history.undo)
    assert [each.id for each in do(bin.list_page).items] == [task.id]


def test_a_project_that_is_gone_meanwhile_is_left(do, add):
    task = add(project="House")
    do(tasks.delete, task.id)
    do(projects.delete, "House")
    assert do(bin.restore, task.id)[0].project is None
    assert do(tasks.get, task.id).project_id is None


def test_only_what_is_in_the_bin_comes_out_and_only_ones_own(app, do, add, stranger):
    task = add()
    with pytest.raises(Conflict, match="is not in the bin"):
        do(bin.restore, task.id)
    with pytest.raises(NotFound):
        do(bin.restore, 4_711)
    do(tasks.delete, task.id)
    with pytest.raises(NotFound):
        app.run(stranger, bin.restore, task.id)
    assert app.run(stranger, bin.list_page).items == ()


@pytest.mark.parametrize(
    "cursor",
    ["x", "é", write_cursor("bin", [1, 2]), write_cursor("bin", ["\0", 1]), write_cursor("bin", ["2026", 2**70])],
)
def test_a_cursor_from_elsewhere_is_refused(do, cursor):
    with pytest.raises(Invalid, match="cursor"):
        do(bin.list_page, cursor=cursor)


@pytest.mark.parametrize("limit", [0, 201, -1])
def test_a_page_has_limits(do, limit):
    with pytest.raises(Invalid):
        do(bin.list_page, limit=limit)


def test_after_thirty_days_it_is_gone_for_good_and_the_store_stays_sound(app, do, add, clock):
    old, child, kept = add("Old", tags=["a"]), None, add("Kept")
    child = add("Child", parent=old.id, blocked_by=[kept.id])
    waits = add("Waits", blocked_by=[old.id])
    do(claims.take, old.id)
    do(tasks.delete, old.id)
    clock.forward(days=29)
    do(tasks.delete, kept.id)
    app.trail.keep(90)
    app.trail.purge()
    assert {task.id for task in do(bin.list_page).items} == {old.id, child.id, kept.id}
    clock.forward(days=2)
    app.trail.purge()
    assert [task.id for task in do(bin.list_page).items] == [kept.id]
    assert do(tasks.get, waits.id).blocked_by == ()
    for gone in (old, child):
        with pytest.raises(NotFound):
            do(bin.restore, gone.id)
    assert inspect(app.database) == []


def test_a_living_subtask_keeps_its_parent_in_the_bin(app, do, add, clock):
    parent = add("Parent")
    child = add("Child", parent=parent.id)
    do(tasks.delete, parent.id)
    clock.forward(days=31)
    do(bin.restore, child.id)
    app.trail.keep(90)
    app.trail.purge()
    assert [task.id for task in do(bin.list_page).items] == [parent.id]


def test_an_agent_wiped_the_plan_and_it_is_all_there_again(do, add):
    plan = [add(f"Step {number}") for number in range(5)]
    for task in plan:
        do(tasks.delete, task.id)
    with suppress(NotFound):
        do(claims.take_next, Wish())
    for task in plan:
        do(bin.restore, task.id)
    assert [do(tasks.get, task.id).title for task in plan] == [task.title for task in plan]
