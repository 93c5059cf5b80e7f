from __future__ import annotations

from typing import Any

Cli = Any


def test_an_audit_looks_and_fixes(cli: Cli) -> None:
    cli("init", "--need", "A long enough line of words")
    assert cli("audit").out == "here scores 100 of 100.\n"
    cli("edit", "1", "--file", "gone.py")
    assert "The connected file gone.py is not there." in cli("audit").out
    assert cli("audit", "--scope", "tasks", "--json").json == {"score": 100, "findings": [], "fixes": []}
    assert cli("audit", "--json").json["findings"][0]["paths"] == ["gone.py"]
    fixed = cli("audit", "--fix").out
    assert "is no longer connected" in fixed
    assert fixed.endswith("here scores 100 of 100.\n")
    cli("audit", "--scope", "everything", code=2)
