from __future__ import annotations

from typing import Any

Cli = Any


def test_a_folder_becomes_a_workspace_once(cli: Cli) -> None:
    assert "No workspaces yet" in cli("workspaces").out
    here = cli.home / "here"
    assert cli("workspace", ".").out == f"Workspace 1: here at {here}\n"
    assert cli("workspace", str(here), "--json").json["id"] == 1
    cli.add("Fix", "--workspace", "1")
    assert "here  1 open" in cli("workspaces").out
    (found,) = cli("workspaces", "--json").json
    assert (found["path"], found["open"]) == (str(here), 1)


def test_a_workspace_that_is_not_there_is_not_found(cli: Cli) -> None:
    cli("add", "Fix", "--workspace", "7", code=3)


def test_a_workspace_is_set_up_with_tasks_and_rules(cli: Cli) -> None:
    made = cli("init", "--name", "Shop", "--need", "Build login", "--need", "Paint", "--stack", "Python").out
    assert made == f"Workspace 1: Shop at {cli.home / 'here'}\n#1 Build login\n#2 Paint\n5 rules: taskpilot rules\n"
    again = cli("init", ".", "--json").json
    assert [task["id"] for task in again["tasks"]] == [1, 2]
    assert len(again["rules"]) == 5


def test_a_session_starts_and_the_status_tells_it(cli: Cli) -> None:
    cli("status", code=3)
    cli("init", "--need", "Build login")
    assert cli("start").out == "Session 1 in here is open.\n"
    assert cli("start", "--json").json == {"id": 2, "workspace": 1, "closed": 1}
    cli("done", "1")
    status = cli("status").out
    assert status.startswith("here: 0 open, 1 done (100 %)\n")
    assert "session 2 started" in status
    told = cli("status", "--json").json
    assert (told["by_status"], told["next"], told["completion_rate"]) == ({"done": 1}, None, 100.0)


def test_without_a_path_it_is_this_folder_or_the_one_used_last(cli: Cli, monkeypatch: Any) -> None:
    cli("init", "--name", "First")
    other = cli.home / "other"
    other.mkdir()
    cli("init", str(other), "--name", "Second")
    assert cli("status").out.startswith("First:")
    monkeypatch.chdir(cli.home)
    assert cli("status").out.startswith("Second:")
    assert cli("status", str(cli.home / "here")).out.startswith("First:")
