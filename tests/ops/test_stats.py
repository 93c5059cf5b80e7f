from __future__ import annotations

from datetime import UTC, datetime

import pytest

from taskpilot.domain.errors import Invalid, NotFound
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


def test_a_streak_may_be_longer_than_what_is_shown(do, add, clock):
    for _ in range(20):
        do(tasks.complete, add().id)
        clock.forward(days=1)
    for days in (1, 2, 14, 30, 366):
        found = do(stats.summarize, days=days)
        assert found.streak == 20
        assert len(found.by_day) == min(days - 1, 20)


def test_a_day_begins_at_midnight_in_the_zone(do, add, clock):
    """Completed at 23:50 in UTC: the next day east of it, also where clocks are a quarter of an hour apart."""
    clock.forward(hours=11, minutes=50)
    do(tasks.complete, add().id)
    clock.forward(hours=1)
    for zone, day in {
        "UTC": "2026-01-01",
        "Europe/Berlin": "2026-01-02",
        "America/New_York": "2026-01-01",
        "Asia/Kathmandu": "2026-01-02",
        "Etc/GMT+1": "2026-01-01",
    }.items():
        found = do(stats.summarize, zone=zone)
        assert (found.by_day, found.created_by_day, found.streak) == ({day: 1}, {day: 1}, 1)
        assert found.today == ("2026-01-01" if "+" in zone or "America" in zone else "2026-01-02")


def test_a_day_of_the_clock_change_is_one_day(do, add, clock):
    clock.now = datetime(2026, 3, 28, 23, 30, tzinfo=UTC)  # half past midnight in Berlin
    do(tasks.complete, add().id)
    clock.now = datetime(2026, 3, 29, 21, 30, tzinfo=UTC)  # half past eleven, an hour less of day
    do(tasks.complete, add().id)
    clock.now = datetime(2026, 3, 29, 22, 30, tzinfo=UTC)
    do(tasks.complete, add().id)
    found = do(stats.summarize, zone="Europe/Berlin")
    assert found.by_day == {"2026-03-29": 2, "2026-03-30": 1}


def test_each_quarter_of_an_hour_is_put_in_its_day(do, add, clock):
    clock.now = datetime(2026, 1, 1, 18, 14, 59, tzinfo=UTC)  # a second before midnight in Kathmandu
    do(tasks.complete, add().id)
    clock.forward(seconds=1)
    do(tasks.complete, add().id)
    assert do(stats.summarize, zone="Asia/Kathmandu").by_day == {"2026-01-01": 1, "2026-01-02": 1}


@pytest.mark.parametrize("days", [0, 367, -1])
def test_not_any_number_of_days_can_be_asked_for(do, days):
    with pytest.raises(Invalid, match="days cannot be"):
        do(stats.summarize, days=days)


@pytest.mark.parametrize("zone", ["Nowhere/Town", "", "America", "../../etc/passwd", "/etc/passwd", "x\0y"])
def test_a_zone_that_is_none_is_not_found(do, zone):
    with pytest.raises(NotFound, match="no time zone"):
        do(stats.summarize, zone=zone)


def test_a_strangers_tasks_are_not_counted(app, add, stranger):
    add("Mine")
    assert app.run(stranger, stats.summarize).total == 0
