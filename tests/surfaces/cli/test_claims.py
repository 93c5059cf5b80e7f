from __future__ import annotations

from typing import Any

import pytest

Cli = Any


@pytest.fixture
def act(cli: Cli, monkeypatch: pytest.MonkeyPatch):
    """The same command line under the name of one of several agents."""

    def act(name: str, *argv: str, code: int = 0):
        monkeypatch.setenv("TASKPILOT_ACTOR", name)
        return cli(*argv, code=code)

    return act


def test_the_best_task_is_taken_with_its_token_and_why(cli: Cli, act) -> None:
    cli("add", "Walls", "!high")
    said = act("ann", "next", "--claim", "--lease", "60", "--energy", "medium", "--time", "2h").out
    assert said.startswith(
        "Yours: #1 Walls · high\n  High priority, fits medium energy, fits in 120 min.\n  Claim 1, until"
    )
    assert act("bob", "next", "--claim", "--json").json["task"] is None
    assert cli("claims").out.startswith("#1 Walls\n  ann, until ")


def test_a_claim_is_checked_for_hooks_and_scripts(cli: Cli, act) -> None:
    cli("add", "Walls")
    token = str(act("ann", "claim", "1", "--json").json["claim"]["token"])
    assert "holds until" in cli("claim-check", "1", token).out
    assert cli("claim", "1", "--renew", token, "--lease", "60", "--json").json["lease"] == 60
    assert "ann holds it until" in cli("show", "1").out
    assert cli("show", "1", "--json").json["claim"]["actor"] == "ann"
    assert cli("claim-check", "TP-1", token, "--quiet").out == ""
    gone = cli("claim-check", "1", "99", code=5)
    assert "Claim 99 is not a claim on task 1; ann holds it now" in gone.err
    cli("claim-check", "1", "9" * 40, code=5)
    cli("claim-check", "1", "x", code=2)
    cli("claim-check", "7", token, code=5)
    act("ann", "done", "1", "--claim", token)
    assert "has ended (completed)" in cli("claim-check", "1", token, "-q", code=5).err


def test_changes_with_a_stale_token_are_refused(cli: Cli, act) -> None:
    cli("add", "Walls"), cli("add", "Roof")
    old = str(act("ann", "claim", "1", "--json").json["claim"]["token"])
    cli("release", "1")
    act("bob", "claim", "1")
    for argv in (("edit", "1", "--progress", "5"), ("done", "1"), ("rm", "1", "--yes")):
        assert "bob holds it now" in act("ann", *argv, "--claim", old, code=5).err
    assert "one task" in cli("done", "1", "2", "--claim", old, code=2).err
    assert cli("show", "1", "--json").json["status"] == "in_progress"


def test_what_is_handed_off_is_shown_to_whoever_takes_it_next(cli: Cli, act) -> None:
    cli("add", "Walls")
    token = str(act("ann", "next", "--claim", "--json").json["claim"]["token"])
    back = act("ann", "release", "1", "--claim", token, "--done", "stones", "--next", "mortar").out
    assert back == "Released: #1 Walls\n  done: stones\n  next: mortar\n"
    assert "ann had it before (released):\n    done: stones\n    next: mortar" in act("bob", "next", "--claim").out
    assert "Nobody holds" in cli("release", "2", code=5).err


def test_limits_are_set_listed_and_kept(cli: Cli, act) -> None:
    for title in ("Walls", "Roof"):
        cli("add", title, "--project", "My Home")
    assert cli("limits").out.startswith("There are no limits.")
    assert cli("limit", "agent", "1").out == "Each agent: at most 1 at once.\n"
    cli("limit", "project", "My", "Home", "2")
    assert cli("limits", "--json").json == [
        {"kind": "agent", "name": "", "most": 1},
        {"kind": "project", "name": "My Home", "most": 2},
    ]
    act("ann", "next", "--claim")
    assert "ann holds 1 of at most 1" in act("ann", "next", "--claim", code=5).err
    assert cli("limit", "agent", "0").out == "Each agent: no limit.\n"
    for argv, code in (
        (("project", "Nowhere", "1"), 3),
        (("project", "1"), 2),
        (("workspace", "x", "1"), 4),
        (("workspace", "99", "1"), 3),
        (("workspace", "9" * 30, "1"), 4),
        (("agent", "-1"), 2),
        (("agent", "10001"), 4),
        (("agent", "9" * 5_000), 4),
        (("planet", "1"), 2),
    ):
        cli("limit", *argv, code=code)


def test_a_lease_without_a_claim_or_out_of_bounds_is_refused(cli: Cli) -> None:
    cli("add", "Walls")
    assert "--lease goes with --claim" in cli("next", "--lease", "60", code=2).err
    cli("next", "--claim", "--lease", "1", code=4)
    cli("next", "--claim", "--energy", "huge", code=4)
    cli("next", "--time", "soon", code=4)
    cli("next", "--workspace", "/nowhere", code=3)
    assert cli("claims").out == "Nobody holds a task.\n"


def test_the_name_of_an_agent_is_checked(act) -> None:
    act("x" * 101, "list", code=4)
    act("\u202e\u200b", "list", code=4)
    act("  ", "add", "Walls")
