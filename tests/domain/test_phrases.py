from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taskpilot.domain.errors import Invalid
from taskpilot.domain.phrases import parse

SUNDAY_NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)


def moment(*parts: int) -> datetime:
    return datetime(2026, *parts, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("today", date(2026, 11, 15)),
        ("tomorrow", date(2026, 11, 16)),
        ("fri", date(2026, 11, 20)),
        ("next Friday", date(2026, 11, 20)),
        ("sunday", date(2026, 11, 22)),
        ("in 3 days", date(2026, 11, 18)),
        ("+2w", date(2026, 11, 29)),
        ("in 2 months", date(2027, 1, 15)),
        ("next week", date(2026, 11, 16)),
        ("eom", date(2026, 11, 30)),
        ("jan 5th", date(2027, 1, 5)),
        ("5 December", date(2026, 12, 5)),
        ("Dec 5, 2028", date(2028, 12, 5)),
        ("2026-12-01", date(2026, 12, 1)),
        ("fri 5pm", moment(11, 20, 17)),
        ("5pm fri", moment(11, 20, 17)),
        ("tomorrow at 9:30", moment(11, 16, 9, 30)),
        ("17:45", moment(11, 15, 17, 45)),
        ("noon", moment(11, 16, 12)),
        ("in 2 hours", moment(11, 15, 14)),
        ("tonight", moment(11, 15, 20)),
        ("2026-12-01T08:00:00+02:00", moment(12, 1, 6)),
        ("2 hours ago", moment(11, 15, 10)),
        ("the day after tomorrow", date(2026, 11, 17)),
        ("in two weeks", date(2026, 11, 29)),
        ("in an hour", moment(11, 15, 13)),
        ("in half an hour", moment(11, 15, 12, 30)),
        ("3 days from now", date(2026, 11, 18)),
        ("in 2 days at 5pm", moment(11, 17, 17)),
        ("the end of the month", date(2026, 11, 30)),
        ("the end of January", date(2027, 1, 31)),
        ("the 20th", date(2026, 11, 20)),
        ("the 3rd of March", date(2027, 3, 3)),
        ("tomorrow morning", moment(11, 16, 9)),
        ("friday night", moment(11, 20, 20)),
        ("in the morning", moment(11, 16, 9)),
        ("this evening", moment(11, 15, 18)),
        ("this evening at 7", moment(11, 15, 19)),
        ("tomorrow morning at 8", moment(11, 16, 8)),
        ("tomorrow evening at 7:30pm", moment(11, 16, 19, 30)),
        ("8am tomorrow morning", moment(11, 16, 8)),
        ("at 8 tonight", moment(11, 15, 20)),
        ("9 in the morning", moment(11, 16, 9)),
        ("tomorrow by 5 p.m.", moment(11, 16, 17)),
        ("3pm on jan 5", datetime(2027, 1, 5, 15, tzinfo=UTC)),
        ("2026-12-01 at 10:00", moment(12, 1, 10)),
    ],
)
def test_a_date_is_understood(said, meant):
    assert parse(said, SUNDAY_NOON) == meant


@pytest.mark.parametrize("said", ["", "5", "call 555", "fri 25:00", "feb 30", "2026-13-01", "in 99999 years", "13pm"])
def test_what_is_not_a_date_says_how_to_write_one(said):
    with pytest.raises(Invalid) as caught:
        parse(said, SUNDAY_NOON)
    assert "2026-01-22" in caught.value.hint


def test_a_clock_time_is_the_speakers():
    zone = timezone(timedelta(hours=-5))
    assert parse("fri 5pm", SUNDAY_NOON, zone) == moment(11, 20, 22)


def test_a_month_later_stays_within_the_month():
    assert parse("in 1 month", datetime(2026, 1, 31, tzinfo=UTC)) == date(2026, 2, 28)


@given(st.text(max_size=30))
def test_no_text_breaks_it(said):
    try:
        parse(said, SUNDAY_NOON)
    except Invalid as error:
        assert error.hint
