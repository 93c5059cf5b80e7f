from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

Cli = Any
PLAN = "# House\n\n- [ ] Base ^base !high\n  - [x] Dig\n- [ ] Walls @after(base) +stone\n"


@pytest.fixture
def plan() -> str:
    Path("plan.md").write_text(PLAN)
    return "plan.md"


def test_a_plan_goes_in_and_out_again(cli: Cli, plan: str) -> None:
    assert cli("import", plan, "--project", "House").out.startswith(
        "Imported 3 tasks.\n  #1 Base · high · project House"
    )
    assert cli("show", "3", "--json").json["blocked_by"] == [1]
    written = cli("export", "-", "--format", "plan", "--project", "House").out
    assert written == "# House\n\n- [ ] Base !high ^t1\n  - [x] Dig\n- [ ] Walls +stone @after(t1)\n"
    assert "Wrote the plan to" in cli("export", "out.md").out
    assert Path("out.md").read_text() in written
    cli("undo")
    assert cli("list", "--all", "--json").json == []


def test_a_plan_is_tried_first_and_put_below_a_task(cli: Cli, plan: str) -> None:
    assert cli("import", plan, "--dry-run").out.endswith("3 tasks. Nothing was added.\n")
    assert [step["depth"] for step in cli("import", plan, "--dry-run", "--json").json] == [0, 1, 0]
    assert cli("list", "--all", "--json").json == []
    cli("add", "Top")
    made = cli("import", plan, "--parent", "1", "--key", "k", "--json").json
    assert [task["parent"] for task in made] == [1, 2, 1]
    assert cli("import", plan, "--parent", "1", "--key", "k").out.startswith("Was imported before: 3 tasks.")


def test_what_a_plan_repeats_is_pointed_out(cli: Cli, plan: str) -> None:
    assert [row["alike"] for row in cli("import", plan, "--json").json] == [None, None, None]
    assert "- Walls · +stone · after base · much like #3\n" in cli("import", plan, "--dry-run").out
    assert [row["alike"] for row in cli("import", plan, "--dry-run", "--json").json] == [1, None, 3]
    said = cli("import", plan).out
    assert "  #4 is much like #1 Base\n  #6 is much like #3 Walls\n  If it is all there already" in said
    cli("undo")
    assert len(cli("list", "--all", "--json").json) == 3


def test_a_plan_that_makes_no_sense_is_refused(cli: Cli, plan: str) -> None:
    for number, text in enumerate(("", "no list", "- [ ] A @after(b)", "- [ ] " + "x" * 501, "\udcff")):
        Path(f"{number}.txt").write_bytes(text.encode("utf-8", "surrogateescape"))
        cli("import", f"{number}.txt", code=4)
    cli("import", "missing.md", code=3)
    cli("import", plan, "--parent", "9", code=3)
    cli("import", plan, "--format", "json", code=4)
    cli("export", "-", "--format", "plan", "--project", "Nowhere", code=3)
    cli("export", "x.json", "--project", "House", code=2)
    Path("all.json").write_text("{}")
    cli("import", "all.json", "--dry-run", code=2)
    assert cli("list", "--all", "--json").json == []


def test_a_task_much_like_another_is_pointed_out(cli: Cli) -> None:
    cli("add", "Fix the login bug")
    assert "Much like: #1 Fix the login bug" in cli("add", "fix the LOGIN bug!").out
    assert cli("add", "Fix the login-bug", "--if-new").out == "There already: #1 Fix the login bug\n"
    told = cli("add", "Fix the login-bug", "--if-new", "--json").json
    assert (told["id"], told["alike"]) == (1, 1)
    assert len(cli("list", "--json").json) == 2


def test_a_circle_is_seen_when_a_plan_is_tried(cli: Cli) -> None:
    Path("plan.md").write_text("- [ ] A ^a @after(b)\n- [ ] B ^b @after(a)\n")
    for options in ((), ("--dry-run",)):
        refused = cli("import", "plan.md", *options, code=4)
        assert "in a circle: 'A' → 'B' → 'A'" in refused.err
