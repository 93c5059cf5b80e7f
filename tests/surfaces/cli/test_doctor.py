from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

from taskpilot.store import schema

Cli = Any


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch, no_programs: None) -> None:
    """A port nobody listens on, and no assistants."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setenv("TASKPILOT_PORT", str(free.getsockname()[1]))


def states(cli: Cli, *flags: str, code: int = 0) -> dict[str, str]:
    return {finding["what"]: finding["state"] for finding in cli("doctor", "--json", *flags, code=code).json}


def test_a_new_machine_is_in_order_but_for_assistants(cli: Cli, home: Path) -> None:
    assert states(cli) == {
        "TaskPilot": "good",
        "SQLite": "good",
        "data folder": "good",
        "database": "good",
        "server": "good",
        "assistants": "warning",
    }
    assert not (home / ".local" / "taskpilot").exists()


def test_each_line_has_a_mark_and_what_to_do(cli: Cli) -> None:
    cli.add("Here")
    told = cli("doctor").out
    assert "✓ SQLite" in told
    assert f"version {schema.latest('sqlite')}" in told
    assert "! assistants   none connected yet\n" in told
    assert "→ See taskpilot connect" in told
    cli("connect", "cursor", "--write")
    assert "✓ assistants   Cursor connected" in cli("doctor").out


def test_a_damaged_database_is_found(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "taskpilot.db").write_bytes(b"this is no database" * 500)
    assert states(cli, "--data-dir", str(tmp_path), code=7)["database"] == "bad"


def test_an_empty_database_is_told_from_one_in_use(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "taskpilot.db").touch()
    assert "not set up yet, will be brought to version" in cli("doctor", "--data-dir", str(tmp_path)).out
    cli("check", "--data-dir", str(tmp_path), code=7)


def test_a_folder_that_cannot_be_is_found(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert states(cli, "--data-dir", str(tmp_path / "file" / "below"), code=7)["data folder"] == "bad"


def test_a_broken_settings_file_is_found(cli: Cli, home: Path) -> None:
    path = home / ".config" / "taskpilot" / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_text("port = ")
    assert states(cli, code=7)["settings"] == "bad"


def test_a_server_on_this_folder_is_told_from_a_stranger_on_the_port(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as stranger, socket.socket(socket.AF_UNIX) as ours:
        stranger.bind(("127.0.0.1", 0))
        stranger.listen()
        monkeypatch.setenv("TASKPILOT_PORT", str(stranger.getsockname()[1]))
        assert states(cli)["server"] == "warning"
        monkeypatch.chdir(tmp_path)
        ours.bind("taskpilot.sock")
        ours.listen()
        assert "running on this data folder" in cli("doctor", "--data-dir", ".").out
