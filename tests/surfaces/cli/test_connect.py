from __future__ import annotations

import json
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest

from taskpilot.surfaces.cli.clients import CLIENTS

Cli = Any

PLACES = {
    "claude-code": ("here/.mcp.json", "mcpServers"),
    "claude-desktop": (".config/Claude/claude_desktop_config.json", "mcpServers"),
    "cursor": (".cursor/mcp.json", "mcpServers"),
    "vscode": (".config/Code/User/mcp.json", "servers"),
    "codex": (".codex/config.toml", "mcp_servers"),
    "gemini": (".gemini/settings.json", "mcpServers"),
}
PROGRAM = "/opt/bin/taskpilot"


@pytest.fixture(autouse=True)
def linux_with_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("taskpilot.surfaces.cli.connect._program", lambda: (PROGRAM,))


def read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text()) if path.suffix == ".toml" else json.loads(path.read_text())


def fill(path: Path, key: str) -> dict[str, Any]:
    """What the client's owner has there already."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".toml":
        path.write_text(f'# mine\nmodel = "o3"\n\n[{key}.other]\ncommand = "x"\n\n[profiles.fast]\nmodel = "mini"\n')
    else:
        path.write_text(json.dumps({"theme": "Größe", key: {"other": {"command": "x"}}, "last": [1]}, indent=4))
    return read(path)


def test_all_six_are_known() -> None:
    assert set(CLIENTS) == set(PLACES)


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("http", [False, True])
def test_write_adds_us_and_keeps_everything_else(cli: Cli, home: Path, name: str, http: bool) -> None:
    if http and name == "claude-desktop":
        pytest.skip("takes commands only")
    place, key = PLACES[name]
    path = home / place
    before = fill(path, key)
    text = path.read_text()
    assert f"Wrote TaskPilot into {path}" in cli("connect", name, "--write", *(["--http"] if http else [])).out
    after = read(path)
    entry = after[key].pop("taskpilot")
    assert after == before
    if http:
        assert "http://127.0.0.1:8000/mcp" in entry.values()
    else:
        assert (entry["command"], entry["args"]) == (PROGRAM, ["mcp"])
    assert path.with_name(path.name + ".bak").read_text() == text
    if name == "codex":
        assert "# mine" in path.read_text()


@pytest.mark.parametrize("name", PLACES)
def test_write_makes_the_file_and_repeating_changes_nothing(cli: Cli, home: Path, name: str) -> None:
    path = home / PLACES[name][0]
    cli("connect", name, "--write")
    text, touched = path.read_text(), path.stat().st_mtime_ns
    assert "already" in cli("connect", name, "--write").out
    assert (path.read_text(), path.stat().st_mtime_ns) == (text, touched)
    assert not path.with_name(path.name + ".bak").exists()


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("broken", ["{ // comment\n", "[]", '"text"', "[[[", "\x00"])
def test_a_file_that_is_not_valid_is_left_alone(cli: Cli, home: Path, name: str, broken: str) -> None:
    path = home / PLACES[name][0]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(broken)
    refused = cli("connect", name, "--write", code=4).err
    assert str(path) in refused
    assert "Nothing was changed" in refused
    assert path.read_text() == broken
    assert [each.name for each in path.parent.iterdir() if each.is_file()] == [path.name]


def test_a_table_of_servers_that_is_none_is_left_alone(cli: Cli, home: Path) -> None:
    path = home / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.write_text('{"mcpServers": []}')
    assert "no table 'mcpServers'" in cli("connect", "cursor", "--write", code=4).err


def test_a_changed_connection_replaces_the_old_one(cli: Cli, home: Path) -> None:
    cli("connect", "codex", "--write")
    cli("connect", "codex", "--write", "--data-dir", "/data")
    assert read(home / ".codex" / "config.toml")["mcp_servers"]["taskpilot"]["args"] == ["mcp", "--data-dir", "/data"]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("claude-code", f"claude mcp add --scope user taskpilot -- {PROGRAM} mcp --data-dir '/my data'"),
        ("codex", f"codex mcp add taskpilot -- {PROGRAM} mcp --data-dir '/my data'"),
        ("gemini", f"gemini mcp add --scope user taskpilot {PROGRAM} mcp -- --data-dir '/my data'"),
    ],
)
def test_a_client_with_a_command_for_it_gets_that_too(cli: Cli, name: str, line: str) -> None:
    told = cli("connect", name, "--data-dir", "/my data").out
    assert f"Run this:\n\n  {line}\n" in told
    assert "--write" in told


def test_vs_code_takes_json_on_its_command_line(cli: Cli) -> None:
    line = cli("connect", "vscode", "--json").json["command"]
    program, flag, entry = shlex.split(line)
    assert (program, flag) == ("code", "--add-mcp")
    assert json.loads(entry) == {"name": "taskpilot", "type": "stdio", "command": PROGRAM, "args": ["mcp"]}


def test_without_write_nothing_is_written(cli: Cli, home: Path) -> None:
    for name in PLACES:
        assert f"Put this into {home / PLACES[name][0]}".lower() in cli("connect", name).out.lower()
    assert not any((home / place).exists() for place, _ in PLACES.values())


def test_the_address_names_host_port_and_contract(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TASKPILOT_PORT", "9000")
    told = cli("connect", "cursor", "--http").out
    assert '"url": "http://127.0.0.1:9000/mcp"' in told
    assert "taskpilot serve" in told
    assert "no contract 'nonsense'" in cli("connect", "cursor", "--contract", "nonsense", code=4).err
    assert "Leave --http out" in cli("connect", "claude-desktop", "--http", code=4).err


def test_a_password_does_not_end_up_in_a_clients_file(cli: Cli, home: Path) -> None:
    refused = cli("connect", "cursor", "--write", "--database-url", "postgresql://a:b@c/d", code=4).err
    assert "password" in refused
    assert not (home / ".cursor").exists()
    entry = cli("connect", "cursor", "--database-url", "postgresql://a@c/d", "--json").json["entry"]
    assert entry["args"] == ["mcp", "--database-url", "postgresql://a@c/d"]


@pytest.mark.usefixtures("no_programs")
def test_without_a_client_all_are_listed_with_their_state(cli: Cli, home: Path) -> None:
    (home / ".gemini").mkdir()
    cli("connect", "cursor", "--write")
    found = {each["client"]: (each["detected"], each["connected"]) for each in cli("connect", "--json").json}
    assert found["cursor"] == (True, True)
    assert found["gemini"] == (True, False)
    assert found["codex"] == (False, False)
    told = cli("connect").out
    assert "taskpilot connect gemini --write" in told
    cli("connect", "--write", code=2)
    assert "Choose one of" in cli("connect", "emacs", code=4).err
