from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest

from taskpilot.domain.errors import Kind
from taskpilot.surfaces.cli.errors import EXIT

Cli = Any


def test_every_kind_of_error_has_its_own_exit_code() -> None:
    assert set(EXIT) == set(get_args(Kind))
    assert EXIT == {"not_found": 3, "invalid": 4, "conflict": 5, "forbidden": 6, "unavailable": 7, "unauthenticated": 8}


def test_an_error_says_what_then_what_next_on_stderr(cli: Cli) -> None:
    ran = cli("show", "99", code=3)
    assert ran.out == ""
    assert ran.err == "Error: Task 99 not found.\nList or search tasks to see their ids.\n"


@pytest.mark.parametrize("argv", [["--json", "show", "99"], ["show", "99", "--json"]])
def test_with_json_an_error_is_json_on_stderr(cli: Cli, argv: list[str]) -> None:
    ran = cli(*argv, code=3)
    assert ran.out == ""
    assert ran.error == {
        "kind": "not_found",
        "message": "Task 99 not found.",
        "hint": "List or search tasks to see their ids.",
    }


@pytest.mark.parametrize(
    "argv",
    [
        ["nonsense"],
        ["list", "--nonsense"],
        ["show"],
        ["list", "--sort", "x"],
        ["list", "--limit", "x"],
        ["config", "x"],
    ],
)
def test_misuse_is_code_2_and_points_to_the_help(cli: Cli, argv: list[str]) -> None:
    ran = cli(*argv, code=2)
    assert ran.out == ""
    assert "--help." in ran.err
    assert cli(*argv, "--json", code=2).error["kind"] == "usage"


def test_a_mistyped_command_is_met_with_a_guess(cli: Cli) -> None:
    assert "Did you mean 'list'?" in cli("lst", code=2).err


def test_a_bug_is_told_by_number_and_traced_only_on_request(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr("taskpilot.surfaces.cli.lists._gather", fail)
    first, again = cli("list", code=1).err, cli("list", code=1).err
    assert first == again
    assert "(bug " in first
    assert "secret" not in first
    assert cli("list", "--json", code=1).error["kind"] == "bug"
    monkeypatch.setenv("TASKPILOT_LOG_LEVEL", "debug")
    assert "Traceback" in cli("list", code=1).err


def test_ctrl_c_is_130(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("taskpilot.surfaces.cli.lists._gather", interrupt)
    cli("list", code=130)


def test_a_data_folder_that_is_a_file_is_told_plainly(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for place in (file, file / "below"):
        refused = cli("list", "--data-dir", str(place), "--json", code=7).error
        assert refused["kind"] == "unavailable"
        assert str(place) in refused["message"]
        assert "--data-dir" in refused["hint"]


def test_a_damaged_database_is_told_plainly(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "taskpilot.db").write_bytes(b"this is no database" * 500)
    refused = cli("list", "--data-dir", str(tmp_path), code=7).err
    assert "damaged" in refused
    assert "restore" in refused


def test_a_database_out_of_reach_is_told_plainly(cli: Cli) -> None:
    assert "database_url cannot be" in cli("list", "--database-url", "mysql://x", code=4).err
    assert "cannot be reached" in cli("list", "--database-url", "postgresql://127.0.0.1:1/x", code=7).err
