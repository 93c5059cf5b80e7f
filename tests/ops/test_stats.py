from __future__ import annotations

from taskpilot.ops import stats, tasks


def test_an_empty_list_has_a_rate_of_zero(do):
    found = do(stats.summarize)
    assert (found.total, found.completion_rate, found.streak) == (0, 0.0, 0)


def test_everything_is_counted(do, add):
    add("A", project="Home", priority="high")
    done = add("B", project="Home")
    add("C", due_date="2025-12-31")
    add("D", due_date="2026-01-01T11:00:00Z")
    add("E", due_date="2026-01-01")
    do(tasks.complete, done.id)
    do(tasks.delete, add("F").id)
    found = do(stats.summarize)
    assert (found.total, found.completed, found.completion_rate, found.overdue) == (5, 1, 20.0, 2)
    assert found.by_project == {"Home": 2}
    assert found.by_priority == {"high": 1, "medium": 4}
    assert found.by_status == {"todo": 4, "done": 1}
    assert found.by_day == {"2026-01-01": 1}


def test_a_streak_counts_days_in_a_row_until_yesterday(do, add, clock):
    for _ in range(3):
        do(tasks.complete, add().id)
        clock.forward(days=1)
    assert do(stats.summarize).streak == 3
    clock.forward(days=1)
    assert do(stats.summarize).streak == 0


def test_a_strangers_tasks_are_not_counted(app, add, stranger):
    add("Mine")
    assert app.run(stranger, stats.summarize).total == 0
