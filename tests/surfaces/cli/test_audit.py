from __future__ import annotations

from typing import Any

Cli = Any


def test_an_inspection_looks_and_fixes(cli: Cli) -> None:
    cli("init", "--need", "A long enough line of words")
    assert cli("inspect").out == "here scores 100 of 100.\n"
    cli("edit", "1", "--file", "gone.py")
    assert "The connected file gone.py is not there." in cli("inspect").out
    assert cli("inspect", "--scope", "tasks", "--json").json == {"score": 100, "findings": [], "fixes": []}
    assert cli("inspect", "--json").json["findings"][0]["paths"] == ["gone.py"]
    fixed = cli("inspect", "--fix").out
    assert "is no longer connected" in fixed
    assert fixed.endswith("here scores 100 of 100.\n")
    cli("inspect", "--scope", "everything", code=2)
