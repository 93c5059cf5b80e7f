from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

Cli = Any
FOLLOW = """
import sys
from taskpilot.surfaces.cli.main import main
sys.exit(main(["log", "--follow", "--json"], serve=print, mcp=print))
"""


def test_the_log_tells_who_did_what_latest_last(cli: Cli) -> None:
    cli.add("Write project:Home")
    cli("edit", "1", "-p", "high", "--due", "2030-01-04", "--reason", "Ann asked")
    cli("done", "1")
    lines = cli("log").out.splitlines()
    assert lines[0].endswith("dev-user (cli)      project 1 created: Home")
    assert lines[1].endswith("#1 created: Write")
    assert "#1 priority: medium → high; due date: – → 2030-01-04 — Ann asked" in lines[2]
    assert lines[3].endswith("#1 completed")


def test_the_log_of_one_task_is_json_on_request(cli: Cli) -> None:
    cli.add("A")
    cli.add("B")
    events = cli("log", "2", "--json").json
    assert [(event["kind"], event["subject"]) for event in events] == [("task.created", 2)]
    assert {"id", "change", "at", "actor", "door", "before", "after", "reason", "undoes"} < set(events[0])
    cli("log", "9", code=3)
    assert len(cli("log", "--limit", "1", "--json").json) == 1
    cli("log", "--limit", "0", code=4)


def test_a_long_log_is_gathered_from_pages(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taskpilot.ops.history.MOST_SHOWN", 2)
    for _ in range(5):
        cli.add("A")
    assert [event["id"] for event in cli("log", "-n", "4", "--json").json] == [5, 4, 3, 2]


def test_an_empty_log_says_so(cli: Cli) -> None:
    assert cli("log").out == "Nothing has happened yet.\n"


def test_undo_takes_back_the_last_change_and_undo_of_that_puts_it_back(cli: Cli) -> None:
    cli.add("Write")
    cli("done", "1")
    assert cli("undo").out == "Took back: #1 completed\n"
    assert cli("show", "1", "--json").json["status"] == "todo"
    last = cli("log", "1", "--json").json[0]["id"]
    cli("undo", str(last))
    assert cli("show", "1", "--json").json["status"] == "done"
    assert "change 2 undone" in cli("log").out


def test_undo_of_one_task_or_change(cli: Cli) -> None:
    cli.add("A")
    cli.add("B")
    undone = cli("undo", "--task", "1", "--json").json
    assert [event["subject"] for event in undone["events"]] == [1]
    assert undone["conflicts"] == []
    cli("undo", "99", code=3)
    assert "undone already" in cli("undo", "1", code=5).err


@pytest.mark.parametrize("flags", [["1", "--task", "1"], ["--actor", "x"], ["--since", "1h"], ["x"]])
def test_undo_wants_one_thing(cli: Cli, flags: list[str]) -> None:
    cli("undo", *flags, code=2)


def test_undo_of_all_that_somebody_did_asks_first(cli: Cli, answer: Callable[[str], None]) -> None:
    cli.add("A")
    cli.add("B")
    flags = ["undo", "--actor", "dev-user", "--since", "1 hour ago"]
    answer("n")
    cli(*flags, code=130)
    assert len(cli("list", "--json").json) == 2
    answer("y")
    assert "Took back: #2 created: B" in cli(*flags).out
    assert cli("list", "--json").json == []
    assert "changed nothing" in cli("undo", "--actor", "nobody", "--since", "today", "--yes", code=3).err


@pytest.mark.slow
def test_follow_streams_what_others_change_until_interrupted(cli: Cli) -> None:
    cli.add("First")
    follower = subprocess.Popen(
        [sys.executable, "-c", FOLLOW], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert follower.stdout is not None
    try:
        assert json.loads(follower.stdout.readline())["after"]["title"] == "First"
        cli.add("Second")
        assert json.loads(follower.stdout.readline())["after"]["title"] == "Second"
        follower.send_signal(signal.SIGINT)
        _, err = follower.communicate(timeout=20)
    finally:
        follower.kill()
    assert follower.returncode == 130
    assert "Traceback" not in err
