from __future__ import annotations

from typing import Any

Cli = Any


def test_tags_are_listed_with_their_open_tasks(cli: Cli) -> None:
    assert "No tags yet" in cli("tags").out
    cli.add("Walls +stone +big")
    assert cli("tags").out.split() == ["+big", "1", "+stone", "1"]
    assert cli("tags", "--json").json == [{"name": "big", "open": 1}, {"name": "stone", "open": 1}]


def test_a_tag_is_renamed_on_every_task(cli: Cli) -> None:
    cli.add("Walls +stone")
    assert "+stone is now +rock: 1 task changed" in cli("tag", "+stone", "--rename", "rock").out
    assert cli("show", "1", "--json").json["tags"] == ["rock"]


def test_a_tag_is_taken_off_every_task(cli: Cli) -> None:
    cli.add("Walls +stone")
    cli("tag", "stone", "--delete", code=2)
    assert cli("tag", "stone", "--delete", "--yes", "--json").json == {"tasks": 1}
    cli("tag", "stone", "--delete", "--yes", code=3)


def test_a_tag_command_needs_to_know_what_to_do(cli: Cli) -> None:
    cli("tag", "stone", code=2)
    cli("tag", "stone", "--rename", "x", "--delete", code=2)
