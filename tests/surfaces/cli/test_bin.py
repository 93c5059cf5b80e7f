from __future__ import annotations

from typing import Any

Cli = Any


def test_what_was_removed_is_listed_and_comes_back(cli: Cli) -> None:
    cli("add", "Walls"), cli("add", "Door", "--parent", "1"), cli("add", "Roof")
    assert cli("bin").out == "The bin is empty.\n"
    cli("rm", "1", "3", "--yes")
    assert "#1 Walls · deleted" in cli("bin").out
    assert {task["id"] for task in cli("bin", "--json").json} == {1, 2, 3}
    assert cli("bin", "restore", "1").out == "Back: #1 Walls\nBack: #2 Door\n"
    assert [task["id"] for task in cli("bin", "restore", "3", "--json").json] == [3]
    assert "not in the bin" in cli("bin", "restore", "1", code=5).err
    cli("bin", "restore", "77", code=3)
    cli("bin", "--cursor", "x", code=4)
    cli("bin", "--limit", "0", code=4)
