from __future__ import annotations

from typing import Any

Cli = Any


def test_projects_are_listed_with_their_open_tasks(cli: Cli) -> None:
    assert "No projects yet" in cli("projects").out
    cli.add("Walls project:House")
    assert "● House     1" in cli("projects").out
    (project,) = cli("projects", "--json").json
    assert (project["name"], project["open"], project["colour"]) == ("House", 1, "#6b7280")


def test_a_project_is_made_changed_and_renamed(cli: Cli) -> None:
    assert cli("project", "House").out == "Project House is saved.\n"
    changed = cli("project", "House", "--rename", "Home", "--color", "#FF0000", "-d", "Ours", "--json").json
    assert (changed["name"], changed["colour"], changed["description"]) == ("Home", "#ff0000", "Ours")
    assert "#rrggbb" in cli("project", "Home", "--colour", "red", code=4).err
    cli("project", "Other")
    cli("project", "Other", "--rename", "Home", code=5)


def test_a_removed_project_leaves_its_tasks(cli: Cli, answer: Any) -> None:
    cli.add("Walls project:House")
    cli("project", "House", "--delete", code=2)
    answer("y")
    assert "1 tasks stay" in cli("project", "House", "--delete").out
    assert cli("show", "1", "--json").json["project"] is None
    assert "not found" in cli("project", "House", "--delete", "--yes", code=3).err
    cli("project", "X", "--delete", "--rename", "Y", code=2)
