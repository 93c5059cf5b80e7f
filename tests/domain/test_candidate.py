from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from taskpilot.domain.candidate import Candidate, Means, score
from taskpilot.domain.estimate import read_minutes
from taskpilot.domain.task import Energy, Priority, Status

NOW = datetime(2026, 1, 15, 12, tzinfo=UTC)


def candidate(**more):
    usual = {
        "id": 1,
        "title": "Walls",
        "priority": Priority.MEDIUM,
        "status": Status.TODO,
        "due_date": None,
        "created_at": NOW,
        "energy": Energy.MEDIUM,
        "time_estimate": "1hr",
        "project": None,
        "workspace": None,
        "files": (),
        "unblocks": 0,
    }
    return Candidate(**{**usual, **more})


def points(means=Means(), **more):  # noqa: B008
    return score(candidate(**more), NOW, means)[0]


def reason(means=Means(), **more):  # noqa: B008
    return score(candidate(**more), NOW, means)[1]


def test_more_important_older_sooner_due_and_chosen_tasks_come_first():
    assert points(priority=Priority.HIGH) > points()
    assert points(created_at=NOW - timedelta(days=9)) > points()
    assert points(due_date=date(2026, 1, 17)) > points(due_date=date(2026, 1, 20)) > points()
    assert points(due_date=date(2026, 1, 10)) > points(due_date=date(2026, 1, 17))
    assert points() > points(status=Status.BACKLOG)


def test_what_frees_others_counts_up_to_a_limit():
    assert points() < points(unblocks=1) < points(unblocks=4)
    assert points(unblocks=50) == points(unblocks=5_000)


def test_what_fits_the_caller_counts_and_what_takes_too_long_loses():
    light, short = Means(energy=Energy.LIGHT), Means(minutes=30)
    assert points(light, energy=Energy.LIGHT) > points(light, energy=Energy.DEEP)
    assert points(short, time_estimate="20m") > points(short, time_estimate="?") > points(short, time_estimate="2h")


def test_the_reason_is_one_line_that_names_what_counted():
    told = reason(
        Means(energy=Energy.DEEP, minutes=90),
        priority=Priority.CRITICAL,
        due_date=date(2026, 1, 18),
        unblocks=2,
        energy=Energy.DEEP,
        created_at=NOW - timedelta(days=40),
    )
    assert told == "critical priority, due in 2 days, unblocks 2, fits deep energy, fits in 90 min, waiting 40 days"
    assert reason(due_date=date(2026, 1, 14)) == "medium priority, overdue"
    assert reason(due_date=NOW + timedelta(hours=3)).endswith("due within a day")


@pytest.mark.parametrize(
    ("written", "minutes"),
    [
        ("45m", 45),
        ("1hr", 60),
        ("1.5 hours", 90),
        ("2h 30m", 150),
        ("1 day", 480),
        ("2w", 4_800),
        ("", None),
        ("soon", None),
    ],
)
def test_estimates_are_read_as_people_write_them(written, minutes):
    assert read_minutes(written) == minutes
