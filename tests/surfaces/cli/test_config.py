from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

Cli = Any


@pytest.fixture
def file(home: Path) -> Path:
    path = home / ".config" / "taskpilot" / "config.toml"
    path.parent.mkdir(parents=True)
    return path


def test_flags_beat_the_environment_which_beats_the_file(cli: Cli, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def data_dir(*flags: str) -> tuple[str, str]:
        found = cli("config", "get", "data_dir", "--json", *flags).json
        return found["value"], found["source"]

    assert data_dir()[1] == "default"
    file.write_text('data_dir = "/from/file"\n')
    assert data_dir() == ("/from/file", "file")
    monkeypatch.setenv("TASKPILOT_DATA_DIR", "/from/environment")
    assert data_dir() == ("/from/environment", "environment")
    assert data_dir("--data-dir", "/from/flag") == ("/from/flag", "flag")


def test_the_table_tells_value_and_source(cli: Cli, file: Path) -> None:
    file.write_text("port = 9000\n")
    told = cli("config").out
    assert "9000" in told
    assert "file" in told
    assert str(file) in told
    assert cli("config", "--json").json["port"] == {"value": 9000, "source": "file"}


def test_set_keeps_what_else_is_there(cli: Cli, file: Path) -> None:
    file.write_text('# mine\nhost = "127.0.0.1"  # here\nport = 1\n')
    assert cli("config", "set", "port", "9001").out == "port is now 9001\n"
    assert file.read_text() == '# mine\nhost = "127.0.0.1"  # here\nport = 9001\n'
    cli("config", "set", "log_level", "debug")
    assert tomllib.loads(file.read_text())["log_level"] == "debug"
    cli("config", "unset", "port")
    assert "port" not in tomllib.loads(file.read_text())
    assert "# mine" in file.read_text()


def test_set_makes_the_file_on_first_use(cli: Cli, home: Path) -> None:
    cli("config", "set", "data_dir", "~/tasks")
    path = Path(cli("config", "path").out.strip())
    assert tomllib.loads(path.read_text()) == {"data_dir": str(home / "tasks")}
    cli.add("There")
    assert (home / "tasks" / "taskpilot.db").exists()


def test_what_cannot_be_is_refused_and_nothing_written(cli: Cli, file: Path) -> None:
    assert "port cannot be" in cli("config", "set", "port", "x", code=4).err
    assert "no setting" in cli("config", "set", "colour", "x", code=4).err
    assert "no setting" in cli("config", "get", "colour", code=4).err
    assert not file.exists()
    file.write_text("port = ")
    assert "cannot be read" in cli("config", "set", "port", "1", code=4).err
    assert file.read_text() == "port = "


def test_a_typo_in_the_file_stops_every_command(cli: Cli, file: Path) -> None:
    file.write_text("prot = 1\n")
    assert "unknown settings: prot" in cli("list", code=4).err


def test_set_says_when_something_else_still_wins(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TASKPILOT_PORT", "7000")
    assert "environment still says 7000" in cli("config", "set", "port", "9001").out


def test_a_password_is_never_shown(cli: Cli, file: Path) -> None:
    url = "postgresql://ann:s3cret@db/tasks"
    told = cli("config", "set", "database_url", url).out
    told += cli("config").out + cli("config", "get", "database_url").out + cli("config", "--json").out
    assert "s3cret" not in told
    assert "ann:***@db" in told
    assert tomllib.loads(file.read_text())["database_url"] == url


def test_a_secret_is_not_said_back(cli: Cli, file: Path) -> None:
    told = cli("config", "set", "github_token", "ghp_hush").out + cli("config").out + cli("config", "--json").out
    assert "hush" not in told
    assert "hush" in file.read_text()
