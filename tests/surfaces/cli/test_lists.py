from __future__ import annotations

import re
from typing import Any

import pytest

from taskpilot.domain.task import FIELDS

Cli = Any


@pytest.fixture
def filled(cli: Cli) -> Cli:
    cli.add("Walls !high project:House +stone", "--due", "2020-01-02")
    cli.add("Roof", "--blocked-by", "1", "--project", "House")
    cli.add("Garden !low +green tomorrow")
    cli.add("Old")
    cli("done", "4")
    return cli


def ids(ran: Any) -> list[int]:
    return [task["id"] for task in ran.json]


def test_the_list_is_a_json_array_of_whole_tasks(filled: Cli) -> None:
    tasks = filled("list", "--json").json
    assert isinstance(tasks, list)
    assert set(tasks[0]) == {*FIELDS, "completed"}
    assert [task["title"] for task in tasks] == ["Walls", "Roof", "Garden"]


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (["--all"], [1, 2, 4, 3]),
        (["--status", "done"], [4]),
        (["--status", "done", "--status", "todo"], [1, 2, 4, 3]),
        (["--project", "House"], [1, 2]),
        (["--tag", "+green"], [3]),
        (["--priority", "high"], [1]),
        (["--due-before", "today"], [1]),
        (["--due-after", "today"], [3]),
        (["--ready"], [1, 3]),
        (["--blocked"], [2]),
        (["--sort", "newest"], [3, 2, 1]),
        (["--sort", "due", "--limit", "2"], [1, 3]),
    ],
)
def test_the_list_can_be_narrowed_and_ordered(filled: Cli, flags: list[str], expected: list[int]) -> None:
    assert ids(filled("list", *flags, "--json")) == expected


def test_the_table_shows_marks_dates_and_the_lock(filled: Cli) -> None:
    lines = filled("list").out.splitlines()
    assert re.search(r"1 +○ +! +Walls +\d+ days late +House +\+stone", lines[1])
    assert re.search(r"2 +🔒 +Roof +House", lines[2])
    assert re.search(r"3 +○ +↓ +Garden +tomorrow +\+green", lines[3])


def test_a_blocker_that_is_done_is_no_lock(filled: Cli) -> None:
    filled("done", "1")
    assert "🔒" not in filled("list").out


def test_a_cut_list_says_how_to_see_more(filled: Cli) -> None:
    told = filled("list", "--limit", "1").out
    assert "--limit 2" in told
    cursor = re.search(r"--cursor (\S+)", told)
    assert cursor is not None
    assert ids(filled("list", "--cursor", cursor[1], "--json")) == [2, 3]
    assert "does not belong" in filled("list", "--cursor", "x", code=4).err


def test_a_limit_above_one_page_is_met_by_several(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taskpilot.surfaces.cli.lists.LIMIT_MOST", 2)
    for number in range(5):
        cli.add("Task", str(number), "--plain")
    assert ids(cli("list", "--json", "--limit", "5000")) == [1, 2, 3, 4, 5]
    assert ids(cli("list", "--json", "--limit", "3")) == [1, 2, 3]


@pytest.mark.parametrize("limit", ["0", "-3"])
def test_a_limit_of_nothing_is_refused(cli: Cli, limit: str) -> None:
    assert "limit cannot be" in cli("list", "--limit", limit, code=4).err


def test_an_empty_list_says_how_to_begin(cli: Cli) -> None:
    assert "taskpilot add" in cli("list").out
    assert cli("list", "--json").json == []
    assert cli("list", "--tag", "x").out == "No task fits.\n"


def test_show_tells_everything_that_was_said(filled: Cli) -> None:
    filled(
        "edit", "2", "--notes", "Slate", "--recurrence", "FREQ=DAILY", "--progress", "30", "--due", "2030-01-04 17:00"
    )
    told = filled("show", "#2").out
    for part in ("Roof", "todo, 30 % done", "Fri 4 Jan 2030 17:00", "FREQ=DAILY", "○ #1 Walls", "Slate", "House"):
        assert part in told


def test_search_finds_closed_tasks_too(filled: Cli) -> None:
    assert ids(filled("search", "ol", "--json")) == [4]
    assert "Walls" in filled("search", "walls").out
    assert "No task has these words" in filled("search", "nothing").out
    filled("search", code=2)


def test_next_says_which_and_why(filled: Cli) -> None:
    told = filled("next").out
    assert told.startswith("#1 Walls")
    assert "High priority, overdue, unblocks 1." in told
    assert filled("next", "--tag", "green", "--json").json["task"]["id"] == 3
    assert filled("next", "--project", "None", "--json").json["task"] is None
    assert "Nothing is ready" in filled("next", "--project", "None").out


def test_stats_count_and_draw(filled: Cli) -> None:
    told = filled("stats").out
    assert "4 tasks · 1 done (25 %) · 1 late · 1 day in a row" in told
    assert re.search(r"House +2 +█+", told)
    assert filled("stats", "--json").json["by_status"] == {"todo": 3, "done": 1}


def test_stats_of_nothing_say_how_to_begin(cli: Cli) -> None:
    assert "taskpilot add" in cli("stats").out


def test_hostile_text_reaches_the_terminal_as_text(cli: Cli) -> None:
    cli.add("--plain", "[bold]x[/] \x1b[31mred", "--project", "[red]p")
    told = cli("list").out
    assert "[bold]x[/] [31mred" in told
    assert "\x1b" not in told
