from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from taskpilot.domain.errors import Conflict, Invalid, NotFound
from taskpilot.domain.selection import Selection, Sort
from taskpilot.domain.task import Status
from taskpilot.ops import history, tasks


def kinds(do, task_id):
    return [event.kind for event in do(history.list_page, task_id=task_id).items]


def test_a_new_task_has_the_promised_defaults(add):
    task = add("  Buy   milk ")
    assert (task.title, task.status, task.priority, task.energy, task.time_estimate, task.version) == (
        "Buy milk",
        "todo",
        3,
        "medium",
        "1hr",
        1,
    )


def test_every_field_given_is_kept(do, add):
    parent = add("House")
    given = {
        "description": "d",
        "notes": "n",
        "status": "review",
        "priority": "urgent",
        "progress": 20,
        "energy": "deep",
        "time_estimate": "2hr",
        "project": "Home",
        "parent": parent.id,
        "tags": ["b", "a"],
        "blocked_by": [parent.id],
        "connected_files": ["src/a.py"],
        "external_refs": [["github", "7", "https://example.org/7"]],
        "due_date": "2026-02-01",
        "scheduled_start": "2026-01-20T08:00:00Z",
        "remind_at": "2026-01-31",
        "recurrence": "FREQ=WEEKLY",
    }
    made = add("Roof", **given)
    task = do(tasks.get, made.id)
    assert task == made
    for name in ("description", "notes", "progress", "energy", "time_estimate", "project", "parent", "recurrence"):
        assert getattr(task, name) == given[name], name
    assert (task.priority, task.due_date, task.connected_files) == (5, date(2026, 2, 1), ("src/a.py",))
    assert task.external_refs[0].url == "https://example.org/7"


def test_many_tasks_are_added_all_or_none(do):
    with pytest.raises(Invalid):
        do(tasks.create, [{"title": "One"}, {"title": ""}])
    assert do(tasks.list_page, Selection()).items == ()


@pytest.mark.parametrize("drafts", [[], [{"title": "x"}] * 501])
def test_too_few_or_too_many_at_once_are_refused(do, drafts):
    with pytest.raises(Invalid, match="were given"):
        do(tasks.create, drafts)


def test_the_same_key_never_makes_a_task_twice(do):
    first = do(tasks.create, [{"title": "Milk"}], key="k")
    again = do(tasks.create, [{"title": "Milk"}], key="k")
    assert again.repeated
    assert again.tasks == first.tasks
    assert len(do(tasks.list_page, Selection()).items) == 1


def test_a_key_used_for_something_else_is_a_conflict(do):
    do(tasks.create, [{"title": "Milk"}], key="k")
    with pytest.raises(Conflict, match="used for other tasks"):
        do(tasks.create, [{"title": "Bread"}], key="k")


def test_keys_of_different_users_do_not_meet(app, do, stranger):
    do(tasks.create, [{"title": "Milk"}], key="k")
    assert not app.run(stranger, tasks.create, [{"title": "Bread"}], key="k").repeated


def test_completing_frees_what_waited_on_it_alone(do, add):
    walls, doors = add("Walls"), add("Doors")
    roof = add("Roof", blocked_by=[walls.id])
    add("Key", blocked_by=[walls.id, doors.id])
    assert [task.id for task in do(tasks.complete, walls.id).freed] == [roof.id]


def test_completing_twice_says_nothing_new(do, add):
    task = add()
    do(tasks.complete, task.id)
    assert do(tasks.complete, task.id).freed == ()
    assert kinds(do, task.id) == ["task.completed", "task.created"]


def test_a_task_completed_early_says_what_it_waited_on(do, add):
    walls = add("Walls")
    assert do(tasks.complete, add("Roof", blocked_by=[walls.id]).id).waited_on == (walls.id,)


def test_status_done_by_update_is_a_completion(do, add):
    task = add()
    changed = do(tasks.update, task.id, {"status": "done"}).task
    assert changed.completed_at is not None
    assert kinds(do, task.id)[0] == "task.completed"


def test_a_circle_of_blockers_is_refused_and_changes_nothing(do, add):
    a = add("A")
    b = add("B", blocked_by=[a.id])
    c = add("C", blocked_by=[b.id])
    with pytest.raises(Conflict, match="leads back"):
        do(tasks.update, a.id, {"blocked_by": [c.id], "title": "changed"})
    assert do(tasks.get, a.id).title == "A"


def test_a_task_cannot_become_its_own_grandchild(do, add):
    top = add("Top")
    mid = add("Mid", parent=top.id)
    leaf = add("Leaf", parent=mid.id)
    with pytest.raises(Conflict, match="be part of itself"):
        do(tasks.update, top.id, {"parent": leaf.id})


def test_a_stale_writer_is_refused(do, add):
    task = add()
    do(tasks.update, task.id, {"title": "Mine"}, version=1)
    with pytest.raises(Conflict, match="at version 2, not 1"):
        do(tasks.update, task.id, {"title": "Yours"}, version=1)
    assert do(tasks.get, task.id).title == "Mine"


def test_an_update_that_changes_nothing_is_not_an_event(do, add):
    task = add("Walls", tags=["a"])
    assert do(tasks.update, task.id, {"title": "Walls", "tags": ["a"]}).task.version == 1
    assert kinds(do, task.id) == ["task.created"]


def test_an_update_without_fields_is_refused(do, add):
    with pytest.raises(Invalid, match="Nothing to change"):
        do(tasks.update, add().id, {})


def test_deleting_takes_the_subtasks_along(do, add):
    top = add("Top")
    child = add("Child", parent=top.id)
    leaf = add("Leaf", parent=child.id)
    assert {task.id for task in do(tasks.delete, top.id)} == {top.id, child.id, leaf.id}
    with pytest.raises(NotFound):
        do(tasks.get, leaf.id)
    with pytest.raises(NotFound):
        do(tasks.delete, top.id)


def test_a_deleted_blocker_blocks_nobody(do, add):
    walls = add("Walls")
    roof = add("Roof", blocked_by=[walls.id])
    do(tasks.delete, walls.id)
    assert [task.id for task in do(tasks.list_page, Selection(ready=True)).items] == [roof.id]


@pytest.mark.parametrize(
    "act",
    [
        lambda i: (tasks.get, i),
        lambda i: (tasks.update, i, {"title": "x"}),
        lambda i: (tasks.complete, i),
        lambda i: (tasks.reopen, i),
        lambda i: (tasks.toggle, i),
        lambda i: (tasks.delete, i),
        lambda i: (tasks.create, [{"title": "x", "parent": i}]),
        lambda i: (tasks.create, [{"title": "x", "blocked_by": [i]}]),
    ],
)
def test_a_strangers_task_does_not_exist(app, do, add, stranger, act):
    task = add()
    op, *args = act(task.id)
    with pytest.raises(NotFound, match=f"Task {task.id} not found"):
        app.run(stranger, op, *args)
    assert do(tasks.get, task.id) == task


def test_completing_a_recurring_task_makes_the_next(do, add):
    task = add("Water", due_date="2026-01-05", recurrence="RRULE:FREQ=WEEKLY;BYDAY=MO", tags=["home"])
    following = do(tasks.complete, task.id).next
    assert (following.due_date, following.status, following.follows) == (date(2026, 1, 12), Status.TODO, task.id)
    assert following.tags == ("home",)


def test_a_recurring_task_is_not_made_twice(do, add):
    task = add("Water", due_date="2026-01-05", recurrence="FREQ=DAILY")
    do(tasks.complete, task.id)
    do(tasks.reopen, task.id)
    assert do(tasks.complete, task.id).next is None


def test_missed_dates_are_not_caught_up_on(do, add, clock):
    task = add("Water", due_date="2026-01-02", recurrence="FREQ=DAILY")
    clock.forward(days=10)
    assert do(tasks.complete, task.id).next.due_date == clock.now.date()


def test_a_count_ends_the_series(do, add):
    task = add("Pill", due_date="2026-01-02", recurrence="FREQ=DAILY;COUNT=2")
    second = do(tasks.complete, task.id).next
    assert second.due_date == date(2026, 1, 3)
    assert do(tasks.complete, second.id).next is None


def test_the_reminder_moves_with_the_date(do, add):
    task = add("Pay", due_date="2026-01-10", remind_at="2026-01-08", recurrence="FREQ=MONTHLY")
    assert do(tasks.complete, task.id).next.remind_at == date(2026, 2, 8)


@pytest.mark.parametrize(
    "rule",
    ["nonsense", "FREQ=SECONDLY", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;COUNT=x", "FREQ=DAILY\nDTSTART:1"],
)
def test_a_rule_that_cannot_work_is_refused(do, rule):
    with pytest.raises(Invalid, match=r"Recurrence|never comes"):
        do(tasks.create, [{"title": "x", "recurrence": rule}])


def test_a_project_is_made_on_first_use(add):
    assert add("A", project="Home").project_id == add("B", project="Home").project_id


def test_clearing_a_field_empties_it(do, add):
    task = add("A", project="Home", due_date="tomorrow", tags=["x"])
    task = do(tasks.update, task.id, {"project": None, "due_date": None, "tags": None}).task
    assert (task.project, task.project_id, task.due_date, task.tags) == (None, None, None, ())
    assert do(tasks.get, task.id) == task


def test_the_event_says_who_how_and_why(app, me, add):
    task = add()
    app.run(me, tasks.update, task.id, {"priority": "high"}, reason="the boss asked")
    event = app.run(me, history.list_page, task_id=task.id).items[0]
    assert (event.actor, event.door, event.reason) == ("dev-user", "cli", "the boss asked")
    assert (event.before, event.after) == ({"priority": 3}, {"priority": 4})


def titles(found):
    return [task.title for task in found.items]


def test_a_slice_skips_and_counts(do, add):
    for number in range(5):
        add(f"T{number}")
    everything = Selection(statuses=tasks.KEPT)
    assert titles(do(tasks.list_slice, everything, sort=Sort.OLDEST, limit=2, offset=1)) == ["T1", "T2"]
    assert titles(do(tasks.list_slice, everything, sort=Sort.NEWEST)) == ["T4", "T3", "T2", "T1", "T0"]
    for limit, offset in ((2, 0), (5, 0), (9, 0), (2, 4), (2, 5), (2, 99), (2, 2**70), (None, 3)):
        assert do(tasks.list_slice, everything, limit=limit, offset=offset, total=True).total == 5, (limit, offset)
    assert do(tasks.list_slice, everything).total is None


def test_a_slice_of_everything_leaves_out_what_was_dropped(do, add):
    add("Open")
    do(tasks.complete, add("Done").id)
    do(tasks.update, add("Dropped").id, {"status": "dropped"})
    do(tasks.delete, add("Deleted").id)
    found = do(tasks.list_slice, Selection(statuses=tasks.KEPT), sort=Sort.OLDEST, limit=2, total=True)
    assert (titles(found), found.total) == (["Open", "Done"], 2)


@pytest.mark.parametrize("page", [{"limit": 0}, {"limit": 1001}, {"offset": -1}])
def test_a_slice_out_of_range_is_refused(do, page):
    with pytest.raises(Invalid, match="cannot be"):
        do(tasks.list_slice, Selection(), **page)


def test_toggling_twice_brings_the_earlier_status_back(do, add):
    task = add("A", status="review")
    assert do(tasks.toggle, task.id).task.completed
    assert do(tasks.toggle, task.id).task.status is Status.REVIEW
    assert kinds(do, task.id) == ["task.reopened", "task.completed", "task.created"]


def test_a_dropped_task_is_not_completed_so_toggling_completes_it(do, add):
    task = add("A", status="dropped")
    assert do(tasks.toggle, task.id).task.completed


def test_fields_and_completion_change_together(do, add):
    task = add("A", status="review")
    done = do(tasks.update, task.id, {"title": "B"}, completed=True).task
    assert (done.title, done.status, done.progress, done.version) == ("B", Status.DONE, 100, 2)
    assert do(tasks.update, task.id, {}, completed=True).task == done
    assert do(tasks.update, task.id, {}, completed=False).task.status is Status.REVIEW
    assert kinds(do, task.id) == ["task.reopened", "task.completed", "task.created"]


def test_not_completed_leaves_a_dropped_task_alone(do, add):
    task = add("A", status="dropped")
    assert do(tasks.update, task.id, {}, completed=False).task == task


def test_refreshing_moves_the_time_of_change_and_nothing_else(do, add, clock):
    task = add()
    done = do(tasks.complete, task.id).task
    for act in ((tasks.complete, task.id), (tasks.update, task.id, {"title": task.title})):
        clock.forward(hours=1)
        again = do(*act, refresh=True).task
        assert again == replace(done, updated_at=clock.now, version=done.version + 1)
        assert do(tasks.get, task.id) == again
        done = again
    assert kinds(do, task.id) == ["task.updated", "task.updated", "task.completed", "task.created"]


def test_refreshing_a_change_counts_once(do, add):
    assert do(tasks.complete, add().id, refresh=True).task.version == 2


def test_a_rule_that_never_matches_is_refused_without_searching_to_the_end_of_time(do):
    for rule in ("FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30;COUNT=5", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"):
        with pytest.raises(Invalid, match="never comes"):
            do(tasks.create, [{"title": "Never", "recurrence": rule}])
    assert do(tasks.create, [{"title": "Twice", "recurrence": "FREQ=DAILY;COUNT=2"}])
