from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from taskpilot.domain.caller import worker
from taskpilot.domain.question import Asking
from taskpilot.domain.run import Kind, Said
from taskpilot.ops import dispatch
from taskpilot.store.runs import Diff
from taskpilot.surfaces.cli import workers
from tests.contracts.stage import Seat, seat, take
from tests.surfaces.cli.conftest import ENTRY, Cli
from tests.surfaces.cli.run_stage import open_store


@pytest.fixture(autouse=True)
def summoned(monkeypatch) -> list[str]:
    """Nobody comes when a worker is summoned; that it was is noted."""
    heard: list[str] = []
    monkeypatch.setattr(workers, "summon", lambda session: heard.append(session.settings.workers))
    return heard


@pytest.fixture
def store(home, cli: Cli):
    cli("add", "Walls", "--workspace", ".", "--accept", "make test")
    with open_store(home) as app:
        yield app


@pytest.fixture
def sat(store) -> Seat:
    return seat(store, 1)


def test_an_agent_is_sent_off_and_shown(cli: Cli, store, summoned) -> None:
    assert "No runs." in cli("run").out
    said = cli(
        "run", "start", "TP-1", "--agent", "claudecode", "-i", "Small", "--cap", "seconds=60", "--cap", "cost=2.5"
    )
    assert said.out.startswith("Queued: run 1 · claudecode · pending · task 1 on task/1-walls\n")
    assert "taskpilot run logs 1 -f" in said.out
    assert summoned == ["auto"]
    shown = cli("run", "show", "1", "--json").json
    assert shown["config"] == {"caps": {"seconds": 60, "cost_micros": 2_500_000}}
    assert (shown["instructions"], shown["title"], shown["proof"]["accepted"]) == ("Small", "Walls", False)
    assert "○ make test: not run yet" in cli("run", "show", "1").out
    assert "claudecode" in cli("run", "list").out
    assert [run["id"] for run in cli("run", "list", "--state", "pending", "--task", "1", "--json").json] == [1]
    assert cli("run", "list", "-s", "failed", "--json").json == []
    assert "is pending on task 1 already" in cli("run", "start", "1", "--agent", "codex", code=5).err


def test_a_program_follows_two_dashes(cli: Cli, store) -> None:
    made = cli("run", "start", "1", "--json", "--", "make", "-k", "--json").json
    assert (made["agent"], made["config"]["command"]) == ("command", ["make", "-k", "--json"])


def test_instructions_come_from_a_file_or_from_standard_input(cli: Cli, store, home, monkeypatch) -> None:
    (home / "here" / "orders.md").write_text("From a file")
    made = cli("run", "start", "1", "-a", "codex", "-f", "orders.md", "--branch", "b", "--base", "main", "--json").json
    assert (made["instructions"], made["branch"], made["base"]) == ("From a file", "b", "main")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"More")))
    assert "Told: run 1" in cli("run", "say", "1", "-f", "-").out
    assert "no-such" in cli("run", "say", "1", "-f", "no-such", code=3).err
    assert "once" in cli("run", "say", "1", "words", "-f", "orders.md", code=2).err


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (("start", "1"), 2),
        (("start", "1", "--agent", "nobody"), 2),
        (("start", "1", "--agent", "hand"), 4),
        (("start", "1", "--agent", "command"), 4),
        (("start", "1", "--agent", "codex", "--", "make"), 4),
        (("start", "1", "--agent", "codex", "--cap", "seconds"), 2),
        (("start", "1", "--agent", "codex", "--cap", "cost=inf"), 2),
        (("start", "1", "--agent", "codex", "--cap", "beer=1"), 4),
        (("start", "1", "--agent", "codex", "--branch", "a..b"), 4),
        (("start", "9", "--agent", "codex"), 3),
        (("start", "x", "--agent", "codex"), 4),
        (("show", "9"), 3),
        (("show", "9" * 30), 3),
        (("logs", "9"), 3),
        (("logs", "9", "-f"), 3),
        (("stop", "9"), 3),
        (("say", "9", "x"), 3),
        (("diff", "9"), 3),
        (("report", "9"), 3),
        (("handover", "9", "codex"), 3),
        (("merge", "9"), 3),
        (("list", "--limit", "0"), 4),
        (("list", "--state", "odd"), 2),
    ],
)
def test_what_cannot_be_is_refused_with_its_own_code(cli: Cli, store, argv, code) -> None:
    said = cli("run", *argv, code=code)
    assert said.err.startswith("Error: ")
    assert cli("run", "list", "--json").json == []


def test_a_task_without_a_repository_cannot_be_done_by_an_agent(cli: Cli, store) -> None:
    cli("add", "Bare")
    assert "needs a repository" in cli("run", "start", "2", "-a", "codex", code=4).err


def test_a_log_is_pleasant_to_read_and_harmless(cli: Cli, sat) -> None:
    said = [
        Said(Kind.MESSAGE, "Hello\x1b[31m\x07 there"),
        Said(Kind.THOUGHT, "hm"),
        Said(Kind.TOOL_CALL, "make test", {"id": "1", "kind": "execute"}),
        Said(Kind.TOOL_RESULT, "", {"id": "1", "ok": False}),
        Said(Kind.FILE_CHANGE, "a.py", {"path": "a.py"}),
        Said(Kind.USAGE, "", {"tokens_in": 1200, "tokens_out": 5, "cost_micros": 20_000}),
        Said(Kind.ERROR, "oh no"),
    ]
    sat.do(dispatch.note, sat.hold, said)
    assert cli("run", "logs", "1").out.splitlines() == [
        "  · pending → in_progress",
        "Hello[31m there",
        "  ~ hm",
        "  → make test",
        "  ✗ failed",
        "  ± a.py",
        "  · 1,200 tokens in, 5 out, $0.02",
        "✗ oh no",
    ]
    entries = cli("run", "logs", "1", "--after", "2", "--json").json
    assert [entry["number"] for entry in entries] == [3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize(("how", "code"), [({"ok": True}, 0), ({"ok": False, "error": "exit 3"}, 1)])
def test_following_ends_with_the_run_and_tells_how_it_went(cli: Cli, sat, how, code) -> None:
    def work() -> None:
        for n in range(3):
            time.sleep(0.1)
            sat.say(f"step {n}")
        sat.finish(**how)

    other = threading.Thread(target=work)
    other.start()
    said = cli("run", "logs", "1", "-f", "--json", code=code).out
    other.join()
    entries = [json.loads(line) for line in said.splitlines()]
    assert [entry["number"] for entry in entries] == list(range(1, len(entries) + 1))
    assert entries[-1]["kind"] == "end"
    assert "step 2" in cli("run", "logs", "1", "-f", code=code).out


def test_one_command_sends_off_and_looks_on(cli: Cli, store) -> None:
    def work() -> None:
        while not store.run(worker(), dispatch.list_agenda):
            time.sleep(0.02)
        taken = take(store, 1, 1)
        taken.say("Working")
        taken.finish()

    other = threading.Thread(target=work)
    other.start()
    said = cli("run", "start", "1", "-a", "codex", "--follow").out
    other.join()
    assert said.splitlines()[0].startswith("Queued: run 1")
    assert "Working" in said
    assert said.splitlines()[-1] == "■ waiting"


def test_a_run_that_rests_at_a_cap_shows_its_question_and_is_not_done(cli: Cli, sat) -> None:
    asked = sat.ask("3 turns are used up.", Asking.CAP, cap="turns", limit=3, more=3)
    sat.finish(resting=True)
    said = cli("run", "logs", "1", "-f", code=1).out
    assert f"taskpilot run answer {asked.id} continue|stop" in said
    assert f"taskpilot run answer {asked.id} continue|stop" in cli("run", "show", "1").out


def test_looking_on_can_be_left_and_the_run_goes_on(cli: Cli, sat, home) -> None:
    looking = subprocess.Popen(
        [sys.executable, "-c", ENTRY, "run", "logs", "1", "-f"], stdout=subprocess.PIPE, text=True, env=os.environ
    )
    assert looking.stdout is not None
    assert "in_progress" in looking.stdout.readline()
    looking.send_signal(signal.SIGINT)
    out, _ = looking.communicate(timeout=20)
    assert looking.returncode == 130
    assert "Run 1 goes on." in out
    assert cli("run", "show", "1", "--json").json["state"] == "in_progress"


def test_an_agent_is_told_more_stopped_and_replaced(cli: Cli, sat) -> None:
    assert cli("run", "say", "1", "Windows,", "too").out.startswith("Told: run 1")
    assert "still at work" in cli("run", "handover", "1", "codex", code=5).err
    assert cli("run", "stop", "1").out == "Run 1 · claudecode · in progress, stopping · task 1 on task/1-walls\n"
    sat.finish(ok=False)
    assert cli("run", "stop", "1", "--json").json["state"] == "cancelled"
    after = cli("run", "handover", "1", "codex", "-i", "Go on", "--json").json
    assert (after["id"], after["agent"], after["branch"]) == (2, "codex", "task/1-walls")
    assert after["instructions"].startswith("Go on\n\nTask 1 was begun by claudecode")


def test_a_diff_is_a_patch_or_a_summary(cli: Cli, sat) -> None:
    assert "has changed nothing yet" in cli("run", "diff", "1").out
    sat.do(dispatch.keep, sat.hold, Diff("c0ffee", "--- a\n+++ b\n+x", 1, 0), ["a.py"])
    assert cli("run", "diff", "1").out == "--- a\n+++ b\n+x\n"
    assert cli("run", "diff", "1", "--stat").out == "  a.py\n1 file, +1 −0\n"
    assert cli("run", "diff", "1", "--json").json["files"] == ["a.py"]


def test_a_report_says_how_it_went_and_what_is_proved(cli: Cli, sat) -> None:
    sat.say("Built.")
    sat.keep("c0ffee")
    sat.prove("make test", head="c0ffee")
    sat.keep("decade")
    sat.finish()
    said = cli("run", "report", "1").out
    assert "+3 −1" in said
    assert "○ make test: passed, but on c0ffee: stale" in said
    assert "Built." in said
    told = cli("run", "report", "1", "--json").json
    assert (told["log_counts"]["message"], told["added"]) == (1, 3)


def test_a_run_in_the_queue_says_what_keeps_it_waiting(cli: Cli, store) -> None:
    cli("add", "Ground")
    cli("edit", "1", "--blocked-by", "2")
    assert "It waits: Task 1 waits on task 2." in cli("run", "start", "1", "-a", "codex").out
    assert "Task 1 waits on task 2" in cli("run", "show", "1").out


def test_acceptance_commands_are_fields_like_others(cli: Cli, store, home) -> None:
    assert "accepted by  make test" in cli("show", "1").out
    assert cli("edit", "1", "--accept", "make a", "--accept", "make b", "--json").json["task"]["acceptance"] == [
        "make a",
        "make b",
    ]
    assert "not a command" in cli("edit", "1", "--accept", "say 'hi", code=4).err
    cli("export", "all.json")
    assert '"make b"' in (home / "here" / "all.json").read_text()
    assert cli("edit", "1", "--clear", "accept", "--json").json["task"]["acceptance"] == []


def test_a_stopped_run_in_the_queue_never_begins(cli: Cli, store) -> None:
    cli("run", "start", "1", "-a", "codex")
    assert cli("run", "stop", "1", "--json").json["state"] == "cancelled"
    assert not store.run(worker(), dispatch.list_agenda)
