from __future__ import annotations

from typing import Any

Cli = Any


def test_focus_shows_all_that_is_needed(cli: Cli) -> None:
    cli("init", "--need", "Build login", "--need", "Paint")
    (cli.home / "here/a.py").write_text("")
    cli("edit", "1", "--file", "a.py", "--file", "b.py", "--blocked-by", "2", "-d", "With care")
    shown = cli("focus", "TP-1").out
    assert shown.startswith("#1 Build login · waits on #2\nWith care\n\nWaits on\n  #2 Paint\n\nFiles\n  a.py\n")
    assert "  b.py (missing)\n" in shown
    assert "\nRules\n  coding: " in shown
    assert "\nHistory\n" in shown
    told = cli("focus", "1", "--json").json
    assert (told["ready"], told["missing_files"]) == (False, ["b.py"])
    cli("focus", "99", code=3)
