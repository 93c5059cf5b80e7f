from __future__ import annotations

from taskpilot.ops import queue, tasks


def test_the_highest_priority_comes_first_and_says_why(do, add):
    add("Low", priority="low")
    best = add("High", priority="high")
    found = do(queue.next_task)
    assert found.task == best
    assert "high priority" in found.reason


def test_what_is_overdue_beats_a_little_priority(do, add):
    add("High", priority="high")
    late = add("Late", due_date="2025-12-30")
    found = do(queue.next_task)
    assert found.task.id == late.id
    assert "overdue" in found.reason


def test_only_what_can_be_started_is_offered(do, add):
    parent = add("Parent", priority="critical")
    child = add("Child", parent=parent.id, priority="low")
    add("Blocked", blocked_by=[child.id], priority="critical")
    add("Tomorrow", scheduled_start="2026-01-02", priority="critical")
    add("Begun", status="in_progress", priority="critical")
    assert do(queue.next_task).task.id == child.id
    do(tasks.complete, child.id)
    assert do(queue.next_task).task.title in ("Blocked", "Parent")


def test_an_empty_list_says_why(do):
    found = do(queue.next_task)
    assert found.task is None
    assert "Nothing is ready" in found.reason


def test_it_can_be_narrowed(do, add):
    add("A", priority="high")
    home = add("B", project="Home", tags=["x"])
    assert do(queue.next_task, project="Home").task.id == home.id
    assert do(queue.next_task, tag="x").task.id == home.id
    assert do(queue.next_task, project="None such").task is None


def test_a_strangers_tasks_are_not_offered(app, add, stranger):
    add("Mine")
    assert app.run(stranger, queue.next_task).task is None


def test_a_task_behind_many_that_cannot_start_is_found(do, add):
    do(
        tasks.create,
        [{"title": f"Later {n}", "priority": "critical", "scheduled_start": "2027-01-01"} for n in range(60)],
    )
    ready = add("Ready", priority="low")
    assert do(queue.next_task).task.id == ready.id


def test_a_start_that_is_a_day_has_come_when_the_day_has(do, add):
    today = add("Today", scheduled_start="2026-01-01")
    add("This evening", scheduled_start="2026-01-01T20:00:00Z", priority="high")
    assert do(queue.next_task).task.id == today.id
