from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

Cli = Any


def test_everything_goes_into_a_file_and_out_of_it_elsewhere(cli: Cli, tmp_path: Path) -> None:
    cli("add", "Paint the walls", "+house")
    cli("add", "Mend the roof")
    cli("done", "2")
    assert "Wrote everything to" in cli("export", "all.json").out
    assert stat.S_IMODE(Path("all.json").stat().st_mode) == 0o600
    assert len(json.loads(Path("all.json").read_text())["tasks"]) == 2
    elsewhere = ("--data-dir", str(tmp_path / "elsewhere"))
    assert cli("import", "all.json", *elsewhere).out == "Imported 2 tasks.\n"
    assert [task["title"] for task in cli("list", "--json", *elsewhere).json] == ["Paint the walls"]
    assert cli("import", "all.json", "--json", *elsewhere).json["tasks"] == 2
    cli("undo", *elsewhere)
    assert len(cli("list", "--all", "--json", *elsewhere).json) == 2


def test_an_export_is_printed_for_a_pipe(cli: Cli) -> None:
    cli("add", "Paint the walls")
    assert cli("export", "-").json["tasks"][0]["title"] == "Paint the walls"


def test_a_file_that_is_there_is_not_replaced_by_accident(cli: Cli) -> None:
    Path("all.json").write_text("mine")
    assert "exists already" in cli("export", "all.json", code=5).err
    assert Path("all.json").read_text() == "mine"
    cli("export", "all.json", "--force")
    assert json.loads(Path("all.json").read_text())["format"] == "taskpilot"
    cli("export", "nowhere/all.json", code=3)
    assert Path(cli("export", "--json").json["file"]).is_file()


def test_a_file_that_makes_no_sense_is_refused(cli: Cli) -> None:
    cli("import", "missing.json", code=3)
    for number, content in enumerate(("", "{", "[" * 100_000, "\udcff", '{"format": "todoist"}', "[]")):
        file = Path(f"{number}.json")
        file.write_bytes(content.encode("utf-8", "surrogateescape"))
        cli("import", str(file), code=4)
    cli("import", ".", code=7)
    assert cli("list", "--all", "--json").json == []
