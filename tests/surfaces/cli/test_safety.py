from __future__ import annotations

import re
from pathlib import Path
from typing import Any

Cli = Any


def test_a_backup_gets_a_name_by_date_and_can_be_restored(cli: Cli, answer: Any) -> None:
    cli.add("Kept")
    told = cli("backup").out
    name = re.search(r"taskpilot-\d{8}-\d{6}\.db", told)
    assert name is not None
    cli.add("Later")
    answer("y")
    told = cli("restore", name[0]).out
    assert [task["title"] for task in cli("list", "--json").json] == ["Kept"]
    kept = re.search(r"is in (\S+before-restore-[-\d]+\.db)", told)
    assert kept is not None
    cli("restore", kept[1], "--yes")
    assert len(cli("list", "--json").json) == 2


def test_a_backup_never_overwrites_unasked(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "copy.db"
    file.write_text("mine")
    assert "--force" in cli("backup", str(file), code=5).err
    assert file.read_text() == "mine"
    assert cli("backup", str(file), "--force", "--json").json["file"] == str(file)
    cli("backup", str(tmp_path / "no" / "folder.db"), code=3)


def test_a_restore_asks_and_needs_a_real_backup(cli: Cli, tmp_path: Path, answer: Any) -> None:
    cli.add("Mine")
    cli("restore", str(tmp_path / "none.db"), code=3)
    bad = tmp_path / "bad.db"
    bad.write_text("nothing of ours")
    cli("restore", str(bad), code=2)
    answer("n")
    cli("restore", str(bad), code=130)
    cli("restore", str(bad), "--yes", code=4)
    assert [task["title"] for task in cli("list", "--json").json] == ["Mine"]


def test_a_damaged_database_is_no_reason_not_to_restore_a_good_one(cli: Cli, tmp_path: Path) -> None:
    cli.add("Kept")
    cli("backup", "copy.db")
    (tmp_path / "taskpilot.db").write_bytes(b"this is no database" * 500)
    told = cli("restore", "copy.db", "--yes", "--data-dir", str(tmp_path)).out
    assert "Restored 1 task" in told
    assert "could not be read" in told
    assert cli("list", "--data-dir", str(tmp_path), "--json").json[0]["title"] == "Kept"


def test_check_tells_health_from_damage(cli: Cli, tmp_path: Path) -> None:
    cli.add("Fine")
    assert "healthy" in cli("check").out
    assert cli("check", "--json").json == {"healthy": True, "problems": []}
    (tmp_path / "taskpilot.db").write_bytes(b"this is no database" * 500)
    cli("check", "--data-dir", str(tmp_path), code=7)
