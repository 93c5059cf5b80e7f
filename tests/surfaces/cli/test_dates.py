from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from taskpilot.domain.errors import Invalid
from taskpilot.domain.moments import When
from taskpilot.surfaces.cli.dates import parse_since, write_ago, write_date, write_distance, write_due

NOW = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("when", "full", "short"),
    [
        (date(2026, 11, 18), "Wed 18 Nov", "today"),
        (datetime(2026, 11, 19, 17, tzinfo=UTC), "Thu 19 Nov 17:00", "tomorrow 17:00"),
        (date(2026, 11, 20), "Fri 20 Nov", "Fri"),
        (date(2026, 12, 24), "Thu 24 Dec", "24 Dec"),
        (date(2027, 1, 2), "Sat 2 Jan 2027", "2 Jan 2027"),
    ],
)
def test_a_date_is_written_in_full_and_short(when: When, full: str, short: str) -> None:
    assert write_date(when, NOW, UTC) == full
    assert write_due(when, NOW, late=False, zone=UTC) == short


def test_what_is_late_says_by_how_much() -> None:
    assert write_due(date(2026, 11, 17), NOW, late=True, zone=UTC) == "1 day late"
    assert write_due(datetime(2026, 11, 18, 8, tzinfo=UTC), NOW, late=True, zone=UTC) == "08:00, late"
    assert write_distance(date(2026, 11, 1), NOW, UTC) == "17 days late"
    assert write_distance(date(2026, 11, 19), NOW, UTC) == "tomorrow"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(5, "just now"), (60, "1 minute ago"), (7200, "2 hours ago"), (90_000, "1 day ago"), (-9, "just now")],
)
def test_how_long_ago(seconds: int, words: str) -> None:
    assert write_ago(NOW - timedelta(seconds=seconds), NOW) == words


@pytest.mark.parametrize(
    ("said", "since"),
    [
        ("2 hours ago", NOW - timedelta(hours=2)),
        ("1h", NOW - timedelta(hours=1)),
        ("30 min", NOW - timedelta(minutes=30)),
        ("3 Days", NOW - timedelta(days=3)),
        ("1w", NOW - timedelta(weeks=1)),
        ("today", datetime(2026, 11, 18, tzinfo=UTC)),
        ("yesterday", datetime(2026, 11, 17, tzinfo=UTC)),
        ("2026-11-01", datetime(2026, 11, 1, tzinfo=UTC)),
        ("2026-11-01T08:00:00Z", datetime(2026, 11, 1, 8, tzinfo=UTC)),
    ],
)
def test_since_is_read_as_people_say_it(said: str, since: datetime) -> None:
    assert parse_since(said, NOW, UTC) == since


@pytest.mark.parametrize("said", ["tomorrow", "2030-01-01", "once upon a time", "", "99999999999 days"])
def test_a_since_that_is_no_past_moment_is_refused(said: str) -> None:
    with pytest.raises(Invalid):
        parse_since(said, NOW, UTC)
