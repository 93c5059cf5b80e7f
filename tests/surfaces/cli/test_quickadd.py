from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taskpilot.domain import mentions, rhythms
from taskpilot.domain.errors import Invalid, TaskPilotError
from taskpilot.surfaces.cli import quickadd

WEDNESDAY = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)


def read(*words: str) -> dict[str, Any]:
    return dict(quickadd.parse(words, WEDNESDAY, UTC))


def test_a_whole_line_is_understood() -> None:
    assert read("Write", "report", "fri", "5pm", "+work", "project:Home", "!high") == {
        "title": "Write report",
        "due_date": datetime(2026, 11, 20, 17, tzinfo=UTC),
        "tags": ["work"],
        "project": "Home",
        "priority": "high",
    }


def test_a_quoted_line_means_the_same_as_its_words() -> None:
    line = 'Write report project:"Big Move" tomorrow +work'
    assert read(line) == {
        "title": "Write report",
        "project": "Big Move",
        "due_date": date(2026, 11, 19),
        "tags": ["work"],
    }
    assert read("Write", "report", "project:Big Move", "tomorrow", "+work") == read(line)


@pytest.mark.parametrize(
    ("line", "title", "due"),
    [
        ("call 555 today", "call 555", date(2026, 11, 18)),
        ("Pay rent in 3 days", "Pay rent", date(2026, 11, 21)),
        ("Pay rent +3d", "Pay rent", date(2026, 11, 21)),
        ("Pay rent jan 3", "Pay rent", date(2027, 1, 3)),
        ("Pay rent 3rd january", "Pay rent", date(2027, 1, 3)),
        ("Pay rent 2026-12-01", "Pay rent", date(2026, 12, 1)),
        ("Pay rent 2026-12-01 08:30", "Pay rent", datetime(2026, 12, 1, 8, 30, tzinfo=UTC)),
        ("Meet Ann at 5pm tomorrow", "Meet Ann", datetime(2026, 11, 19, 17, tzinfo=UTC)),
        ("Stand-up 9:45", "Stand-up", datetime(2026, 11, 18, 9, 45, tzinfo=UTC)),
        ("Finish slides by fri", "Finish slides", date(2026, 11, 20)),
        ("Finish slides on friday noon", "Finish slides", datetime(2026, 11, 20, 12, tzinfo=UTC)),
        ("Plan trip next week", "Plan trip", date(2026, 11, 23)),
        ("Write summary end of month", "Write summary", date(2026, 11, 30)),
        ("Cut hedge this weekend", "Cut hedge", date(2026, 11, 21)),
    ],
)
def test_a_date_at_the_end_is_the_due_date(line: str, title: str, due: Any) -> None:
    assert read(line) == {"title": title, "due_date": due}


@pytest.mark.parametrize(
    "line",
    [
        "Buy 5",
        "Call Tom",
        "Fix monitor",
        "Buy sunglasses",
        "Order wedding cake",
        "Release 2.10",
        "tomorrow",
        "fri 5pm",
        "Look at the sun",
        "Write about today",
        "Think about fri and sat",
        "Email a+b@example.org",
        "Learn C++",
        "Ring +49 30 1234",
        "Give +1",
        "Really !important",
        "Wow!",
        "project:",
        "See http://example.org/due:x",
        "Room 2026-99-99",
        "+ - !",
    ],
)
def test_words_that_only_look_like_something_stay_in_the_title(line: str) -> None:
    assert read(line) == {"title": line}


@pytest.mark.parametrize(
    ("word", "priority"),
    [("!1", "someday"), ("!5", "critical"), ("!urgent", "critical"), ("!LOW", "low"), ("!medium", "medium")],
)
def test_an_exclamation_mark_gives_the_priority(word: str, priority: str) -> None:
    assert read("Paint", word) == {"title": "Paint", "priority": priority}


@pytest.mark.parametrize(
    ("word", "rule"),
    [
        ("day", "FREQ=DAILY"),
        ("weekday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("week", "FREQ=WEEKLY"),
        ("Monthly", "FREQ=MONTHLY"),
        ("year", "FREQ=YEARLY"),
        ("tue", "FREQ=WEEKLY;BYDAY=TU"),
        ("thursday", "FREQ=WEEKLY;BYDAY=TH"),
    ],
)
def test_every_gives_a_rhythm(word: str, rule: str) -> None:
    assert read(f"Water plants every:{word}") == {"title": "Water plants", "recurrence": rule}


def test_due_takes_the_words_that_belong_to_it_from_anywhere() -> None:
    assert read("due:fri 5pm Write report") == {
        "title": "Write report",
        "due_date": datetime(2026, 11, 20, 17, tzinfo=UTC),
    }
    assert read("Write", "due:next week", "report")["due_date"] == date(2026, 11, 23)
    assert read("Write due:tom report") == {"title": "Write report", "due_date": date(2026, 11, 19)}


def test_a_named_due_date_leaves_the_end_alone() -> None:
    assert read("Prepare for friday due:tomorrow") == {"title": "Prepare for friday", "due_date": date(2026, 11, 19)}


@pytest.mark.parametrize("line", ["Write due:whenever", "Write every:blue-moon"])
def test_what_was_named_but_not_understood_is_refused(line: str) -> None:
    with pytest.raises(Invalid, match="I do not know"):
        read(line)


def test_tags_add_up() -> None:
    assert read("Buy +a milk #b")["tags"] == ["a", "b"]


def test_the_shell_reads_the_same_grammar_as_everybody() -> None:
    assert read("Pay", "rent", "tomorrow", "9am", "#home", "!high", "every", "month", "~1hr", "30min") == {
        "title": "Pay rent",
        "due_date": datetime(2026, 11, 19, 9, tzinfo=UTC),
        "tags": ["home"],
        "priority": "high",
        "recurrence": "FREQ=MONTHLY",
        "time_estimate": "1hr 30min",
    }


WORDS = st.lists(st.text(min_size=1, max_size=30), min_size=1, max_size=6)
DATES = ["fri", "5pm", "at", "in", "3", "days", "next", "week", "12:30", "jan", "22", "2026-01-22", "the"]
MARKERS = ["+x", "+1", "!high", "!9", "due:", "due:fri", "project:a", "every:x", "every:day"]
LIKELY = st.sampled_from(DATES + MARKERS)


@given(WORDS)
def test_no_text_crashes_it(words: list[str]) -> None:
    try:
        fields = quickadd.parse(words, WEDNESDAY, UTC)
    except TaskPilotError:
        return
    assert isinstance(fields.get("title"), str)


@given(st.lists(LIKELY | st.text(min_size=1, max_size=8), min_size=1, max_size=8))
def test_no_mixture_of_markers_crashes_it(words: list[str]) -> None:
    try:
        quickadd.parse(words, WEDNESDAY, UTC)
    except TaskPilotError as error:
        assert error.hint


@given(st.lists(st.from_regex(r"[a-z]{6,12}", fullmatch=True).filter(lambda word: "day" not in word), min_size=1))
def test_plain_words_are_the_title_and_nothing_else(words: list[str]) -> None:
    plain = [word for word in words if not mentions.PLAINLY_A_DATE.fullmatch(word)]
    kept = [word for word in plain if rhythms.read(word, WEDNESDAY, UTC) is None]
    if kept:
        assert read(*kept) == {"title": " ".join(kept)}


@given(WORDS)
def test_taken_literally_every_word_stays(words: list[str]) -> None:
    assert quickadd.take_literally(words) == {"title": " ".join(words)}
