"""The one grammar of a task in a line: the command line, the page and REST read it alike."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taskpilot.domain import quickadd
from taskpilot.domain.errors import Invalid

WEDNESDAY = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


def read(line: str, zone: Any = UTC) -> dict[str, Any]:
    return dict(quickadd.read(line, WEDNESDAY, zone).fields)


def parts(line: str, zone: Any = UTC) -> list[tuple[str, str, str]]:
    return [(part.kind, part.text, part.label) for part in quickadd.read(line, WEDNESDAY, zone).parts]


def test_a_whole_line_is_understood_and_shown_piece_by_piece() -> None:
    line = "Pay rent tomorrow 9am #home !high every month ~30min"
    assert read(line, BERLIN) == {
        "title": "Pay rent",
        "due_date": datetime(2026, 11, 19, 8, tzinfo=UTC),
        "tags": ["home"],
        "priority": "high",
        "recurrence": "FREQ=MONTHLY",
        "time_estimate": "30min",
    }
    assert parts(line, BERLIN) == [
        ("title", "Pay rent", "Pay rent"),
        ("due", "tomorrow 9am", "Thu 19 Nov, 09:00"),
        ("tag", "#home", "home"),
        ("priority", "!high", "high"),
        ("recurrence", "every month", "every month"),
        ("estimate", "~30min", "30min"),
    ]


def test_the_pieces_may_stand_in_any_order() -> None:
    assert read("~30min !high Pay rent #home every month tomorrow 9am") == read(
        "Pay rent tomorrow 9am #home !high every month ~30min"
    )
    assert parts("Pay rent tomorrow #home 9am")[1:] == [
        ("due", "tomorrow", "Thu 19 Nov, 09:00"),
        ("tag", "#home", "home"),
        ("due", "9am", "Thu 19 Nov, 09:00"),
    ]


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("~30min", "30min"),
        ("~2h", "2hr"),
        ("~1.5h", "1hr 30min"),
        ("~1hr 30min", "1hr 30min"),
        ("~90m", "1hr 30min"),
        ("~ 45 minutes", "45min"),
        ("~2d", "2d"),
        ("~1 hour, 5 mins", "1hr 5min"),
    ],
)
def test_an_estimate_is_written_one_way(said: str, written: str) -> None:
    assert read(f"Paint {said} the wall") == {"title": "Paint the wall", "time_estimate": written}


@pytest.mark.parametrize(
    ("said", "rule", "label", "due"),
    [
        ("every month", "FREQ=MONTHLY", "every month, from Wed 18 Nov", date(2026, 11, 18)),
        ("every 2 weeks", "FREQ=WEEKLY;INTERVAL=2", "every 2 weeks, from Wed 18 Nov", date(2026, 11, 18)),
        ("every monday", "FREQ=WEEKLY;BYDAY=MO", "every Monday, from Mon 23 Nov", date(2026, 11, 23)),
        ("every weekday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday, from Wed 18 Nov", date(2026, 11, 18)),
        ("Daily", "FREQ=DAILY", "every day, from Wed 18 Nov", date(2026, 11, 18)),
        ("every other tue", "FREQ=WEEKLY;BYDAY=TU;INTERVAL=2", "every 2 weeks on Tuesday, from Tue 24 Nov", None),
        ("on the 15th of every month", "FREQ=MONTHLY;BYMONTHDAY=15", "every month on day 15, from Tue 15 Dec", None),
        (
            "every monday at 9am",
            "FREQ=WEEKLY;BYDAY=MO",
            "every Monday, from Mon 23 Nov, 09:00",
            datetime(2026, 11, 23, 9, tzinfo=UTC),
        ),
    ],
)
def test_a_rhythm_in_plain_words_repeats_the_task_from_its_first_day_on(
    said: str, rule: str, label: str, due: Any
) -> None:
    found = read(f"Water plants {said}")
    assert (found["title"], found["recurrence"]) == ("Water plants", rule)
    assert found["due_date"] == due or due is None
    assert parts(f"Water plants {said}")[1:] == [("recurrence", said, label)]


def test_an_hour_beside_a_rhythm_is_that_of_its_days() -> None:
    assert read("Gym 7pm every monday")["due_date"] == datetime(2026, 11, 23, 19, tzinfo=UTC)
    assert parts("Gym 7pm every monday")[1] == ("due", "7pm", "Mon 23 Nov, 19:00")
    assert read("Review every quarter by friday") == {
        "title": "Review",
        "recurrence": "FREQ=MONTHLY;INTERVAL=3",
        "due_date": date(2026, 11, 20),
    }


@pytest.mark.parametrize(
    "line",
    [
        "Close #12",
        "Close #12, please",
        "Write weekly report",
        "Buy the daily",
        "every month",
        "daily",
        "Meet @ 5",
        "Ask @12",
        "Mail anna@example.org",
        "About ~ nothing",
        "Roughly ~5",
        "Paint ~0min",
        "What!",
        "Take !!!! care",
        "Write due:whenever",
        "Write every:blue-moon",
        f"Tag #{'x' * 51}",
        f"File @{'x' * 101}",
    ],
)
def test_what_is_not_understood_stays_in_the_title(line: str) -> None:
    assert read(line) == {"title": line}
    assert parts(line) == [("title", line, line)]


@pytest.mark.parametrize("line", ["Write due:whenever", "Write every:blue-moon"])
def test_strictly_what_was_named_must_mean_something(line: str) -> None:
    with pytest.raises(Invalid, match="I do not know"):
        quickadd.read(line, WEDNESDAY, UTC, strict=True)


@pytest.mark.parametrize(
    ("word", "fields"),
    [
        ("!!", {"priority": "high"}),
        ("!!!", {"priority": "critical"}),
        ("!1", {"priority": "someday"}),
        ("#2026goals", {"tags": ["2026goals"]}),
        ("#home,", {"tags": ["home"]}),
        ("+home", {"tags": ["home"]}),
        ("@Home", {"project": "Home"}),
        ('@"Big Move"', {"project": "Big Move"}),
        ("project:Home", {"project": "Home"}),
        ("every:'2 weeks'", {"recurrence": "FREQ=WEEKLY;INTERVAL=2"}),
    ],
)
def test_markers_count_anywhere(word: str, fields: dict[str, Any]) -> None:
    assert read(f"Paint {word} walls") == {"title": "Paint walls", **fields}
    assert read(f"{word} Paint walls") == {"title": "Paint walls", **fields}


def test_what_is_said_twice_counts_once_and_is_not_lost() -> None:
    assert read("Call @anna @ben !low !high") == {"title": "Call @ben !high", "project": "anna", "priority": "low"}
    assert read("Buy #a milk #b #a")["tags"] == ["a", "b"]


def test_places_are_counted_as_javascript_counts_them() -> None:
    line = "🎉🎉 party fri 5pm #fun"
    found = quickadd.read(line, WEDNESDAY, UTC).parts
    assert [(part.start, part.end) for part in found] == [(0, 10), (11, 18), (19, 23)]
    units = line.encode("utf-16-le")
    assert [units[2 * part.start : 2 * part.end].decode("utf-16-le") for part in found] == [p.text for p in found]


def test_a_line_of_markers_alone_has_no_title() -> None:
    assert read("#home !high") == {"title": "", "tags": ["home"], "priority": "high"}
    assert (read(""), parts("")) == ({"title": ""}, [])


def test_another_year_is_told() -> None:
    assert parts("Pay jan 3")[1] == ("due", "jan 3", "Sun 3 Jan 2027")
    assert parts("Pay 0001-01-01 00:00+00:00", ZoneInfo("America/New_York"))[1][2].endswith("01T00:00:00Z")


LIKELY = st.sampled_from(
    [
        "fri",
        "5pm",
        "at",
        "in",
        "3",
        "days",
        "next",
        "every",
        "month",
        "week",
        "monday",
        "daily",
        "the",
        "other",
        "2",
        "weeks",
        "on",
        "and",
        "of",
        "9999-12-31",
        "0001-01-01T00:00",
        "+x",
        "+1",
        "#x",
        "#1",
        "#",
        "~",
        "~2h",
        "30min",
        "~1hr",
        "!high",
        "!!",
        "!",
        "@a",
        "@1",
        "@",
        "due:",
        "due:fri",
        "every:x",
        "every:day",
        "project:a",
        "project:'a",
        "😀",
        "b'",
    ]
)
LINES = st.text(max_size=80) | st.lists(LIKELY | st.text(min_size=1, max_size=8), max_size=14).map(" ".join)


@given(LINES, st.sampled_from([UTC, BERLIN, ZoneInfo("America/New_York"), ZoneInfo("Asia/Kathmandu")]))
def test_the_pieces_are_the_text_and_the_title_is_of_its_words(line: str, zone: Any) -> None:
    found = quickadd.read(line, WEDNESDAY, zone)
    units, end = line.encode("utf-16-le", "surrogatepass"), 0

    def cut(start: int, stop: int) -> str:
        return units[2 * start : 2 * stop].decode("utf-16-le", "surrogatepass")

    for part in found.parts:
        assert end <= part.start < part.end
        assert not cut(end, part.start).strip()
        assert cut(part.start, part.end) == part.text
        assert part.label
        end = part.end
    assert not cut(end, len(units) // 2).strip()
    titles = [word for part in found.parts if part.kind == "title" for word in part.text.split()]
    assert found.fields["title"].split() == titles
