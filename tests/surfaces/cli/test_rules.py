from __future__ import annotations

from typing import Any

Cli = Any


def test_rules_are_listed_added_replaced_and_removed(cli: Cli) -> None:
    cli("workspace", ".")
    assert "No rules yet" in cli("rules").out
    assert cli("rule", "git", "One", "change").out == "In force: One change\n"
    cli("rule", "git", "Another")
    assert cli("rules").out == "git         One change\ngit         Another\n"
    cli("rule", "git", "Both", "--update")
    assert [rule["content"] for rule in cli("rules", "--json").json] == ["Both"]
    assert cli("rule", "git", "Both", "--remove", "--json").json["removed"] is True
    assert cli("rules", "--json").json == []


def test_what_makes_no_sense_is_refused(cli: Cli) -> None:
    cli("rules", code=3)
    cli("workspace", ".")
    cli("rule", "style", "x", code=2)
    cli("rule", "git", "x", "--update", "--remove", code=2)
    cli("rule", "git", "x", "--remove", code=3)
    cli("rule", "git", " ", code=4)
