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
