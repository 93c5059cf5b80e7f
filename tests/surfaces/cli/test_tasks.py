from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Cli = Any


def test_add_says_what_it_understood(cli: Cli) -> None:
    told = cli("add", "Write", "report", "2030-01-04", "+work", "project:Big Move", "!high").out
    assert told == "Added #1 Write report · due Fri 4 Jan 2030 · high · project Big Move · +work\n"


def test_add_prints_the_whole_task_as_json(cli: Cli) -> None:
    task = cli.add("Write report", "+work", "!5", "-d", "For Ann", "--energy", "deep", "--estimate", "2h")
    assert task["id"] == 1
    assert task["title"] == "Write report"
    assert task["priority"] == "critical"
    assert task["tags"] == ["work"]
    assert task["description"] == "For Ann"
    assert task["energy"] == "deep"
    assert task["time_estimate"] == "2h"
    assert task["completed"] is False
    assert task["created_at"].endswith("Z")
    assert task["version"] == 1


def test_options_win_over_the_text_and_tags_add_up(cli: Cli) -> None:
    task = cli.add(
        "Paint +a !low project:X tomorrow", "-p", "high", "--project", "Y", "--tag", "b", "--due", "2030-02-01"
    )
    assert (task["priority"], task["project"], task["due_date"]) == ("high", "Y", "2030-02-01")
    assert sorted(task["tags"]) == ["a", "b"]


def test_plain_takes_the_text_literally(cli: Cli) -> None:
    task = cli.add("--plain", "Buy", "+5", "!high", "tomorrow")
    assert (task["title"], task["tags"], task["due_date"]) == ("Buy +5 !high tomorrow", [], None)


def test_a_key_keeps_a_repeated_add_from_adding_twice(cli: Cli) -> None:
    first, again = cli.add("Once", "--key", "k"), cli.add("Once", "--key", "k")
    assert first == again
    assert "Was added before: #1 Once" in cli("add", "Once", "--key", "k").out
    assert len(cli("list", "--json").json) == 1
    cli("add", "Other", "--key", "k", code=5)


def test_a_task_can_hang_on_others(cli: Cli) -> None:
    cli.add("House")
    cli.add("Walls", "--parent", "#1", "--file", "a.py", "--file", "b.py", "--ref", "jira TP-7 https://x.org/7")
    roof = cli.add("Roof", "--parent", "TP-1", "--blocked-by", "2", "--workspace", ".")
    walls = cli("show", "2", "--json").json
    assert (roof["parent"], roof["blocked_by"]) == (1, [2])
    assert roof["workspace"] == 1
    assert walls["connected_files"] == ["a.py", "b.py"]
    assert walls["external_refs"] == [{"system": "jira", "key": "TP-7", "url": "https://x.org/7"}]
    assert cli("show", "1", "--json").json["subtasks"] == [2, 3]


def test_edit_changes_clears_and_guards(cli: Cli) -> None:
    cli.add("Write", "+a", "tomorrow", "-d", "Long")
    changed = cli(
        "edit", "1", "--title", "Read", "--progress", "40", "--clear", "due", "--clear", "tags", "--json"
    ).json
    task = changed["task"]
    assert (task["title"], task["progress"], task["due_date"], task["tags"]) == ("Read", 40, None, [])
    assert task["description"] == "Long"
    refused = cli("edit", "1", "--title", "Late", "--version", "1", "--json", code=5)
    assert refused.error["kind"] == "conflict"
    assert "version 2" in refused.error["message"]
    assert "Changed: #1 Read · critical" in cli("edit", "1", "-p", "5", "--reason", "Ann asked").out
    assert "Ann asked" in cli("log", "1").out


def test_edit_without_a_change_is_misuse(cli: Cli) -> None:
    cli.add("Write")
    assert "Nothing to change" in cli("edit", "1", code=2).err
    assert "cannot be cleared" in cli("edit", "1", "--clear", "title", code=4).err
    assert "not a reference" in cli("edit", "1", "--ref", "jira", code=4).err


def test_done_tells_what_is_ready_now_and_what_comes_again(cli: Cli) -> None:
    cli.add("Walls every:day")
    cli.add("Roof", "--blocked-by", "1")
    told = cli("done", "1").out
    assert "Done: #1 Walls" in told
    assert "Ready now: #2 Roof" in told
    assert "Comes again: #3 Walls" in told


def test_done_takes_many_ids_and_reopen_takes_them_back(cli: Cli) -> None:
    cli.add("A")
    cli.add("B", "--blocked-by", "1")
    changes = cli("done", "#2", "TP-1", "2", "--json").json
    assert [change["task"]["id"] for change in changes] == [2, 1]
    assert all(change["task"]["completed"] for change in changes)
    assert changes[0]["waited_on"] == [1]
    assert [change["task"]["status"] for change in cli("reopen", "1", "2", "--json").json] == ["todo", "todo"]


def test_one_wrong_id_leaves_all_as_they_are(cli: Cli) -> None:
    cli.add("A")
    cli("done", "1", "99", code=3)
    assert cli("show", "1", "--json").json["status"] == "todo"


def test_rm_asks_names_what_goes_and_says_how_to_undo(
    cli: Cli, answer: Callable[[str], None], monkeypatch: Any
) -> None:
    cli.add("House")
    cli.add("Walls", "--parent", "1")
    cli.add("Door", "--parent", "2")
    answer("y")
    asked: list[str] = []
    monkeypatch.setattr("typer.confirm", lambda question, **_: asked.append(question) or True)
    told = cli("rm", "1").out
    assert asked == ["Remove #1 'House' and its 2 subtasks?"]
    assert "Removed #3 Door" in told
    assert "taskpilot undo --task 1" in told
    cli("show", "2", code=3)
    cli("undo", "--task", "1")
    assert len(cli("list", "--json").json) == 3


def test_rm_leaves_all_as_it_is_on_a_no(cli: Cli, answer: Callable[[str], None]) -> None:
    cli.add("House")
    answer("n")
    assert "Nothing was changed" in cli("rm", "1", code=130).err
    cli("show", "1")


def test_rm_without_a_person_needs_yes(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli.add("House")
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    refused = cli("rm", "1", code=2).err
    assert "nobody here to answer" in refused
    assert "--yes" in refused
    assert [task["id"] for task in cli("rm", "1", "1", "--yes", "--json").json] == [1]


@pytest.mark.parametrize("word", ["0", "-", "x", "#", "TP-", "1.5", "٣"])
def test_what_is_no_id_is_refused(cli: Cli, word: str) -> None:
    assert cli("show", "--json", "--", word, code=3 if word == "0" else 4).out == ""


def test_an_empty_title_is_refused(cli: Cli) -> None:
    assert "Title cannot be empty" in cli("add", "+only", "!high", code=4).err
    cli("add", code=2)
