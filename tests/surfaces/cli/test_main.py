from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from taskpilot import __version__
from taskpilot.surfaces.cli.main import COMMANDS

Cli = Any
Spawn = Callable[..., subprocess.CompletedProcess[str]]

LISTS_MODULES = """
import sys
from taskpilot.surfaces.cli.main import main
code = main(sys.argv[1:], serve=print, mcp=print)
heavy = [name for name in ("mcp", "pydantic", "starlette", "uvicorn", "anyio", "psycopg") if name in sys.modules]
print("heavy:", heavy, "rich:", "rich.console" in sys.modules, file=sys.stderr)
sys.exit(code)
"""


def test_the_version_is_told(cli: Cli) -> None:
    assert cli("--version").out == f"taskpilot {__version__}\n"


def test_without_a_command_the_help_is_shown(cli: Cli) -> None:
    assert "Begin with: taskpilot add" in cli().out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_the_options_of_all(cli: Cli, name: str) -> None:
    told = cli(name, "--help").out
    assert "Usage: taskpilot " + name in told
    for option in ("--data-dir", "--database-url", "--json"):
        assert option in told


def test_the_options_of_all_are_taken_before_the_command_too(cli: Cli, tmp_path: Any) -> None:
    task = cli("--data-dir", str(tmp_path), "--json", "add", "Here").json
    assert task["title"] == "Here"
    assert (tmp_path / "taskpilot.db").exists()
    assert cli("list", "--json").json == []
    assert len(cli("--data-dir", "/nowhere", "list", "--data-dir", str(tmp_path), "--json").json) == 1


def test_words_after_two_dashes_are_text(cli: Cli) -> None:
    assert cli("add", "--plain", "--", "Learn", "--json").out == "Added #1 Learn --json\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "argv",
    [
        ["add", "Buy", "milk", "tomorrow", "+shop", "--due", "fri", "--progress", "5"],
        ["list", "--json", "--limit", "3", "--sort", "due", "--ready", "--status", "todo"],
        ["list"],
        ["stats"],
        ["log"],
        ["undo", "1"],
        ["config"],
        ["connect", "cursor"],
        ["show", "99"],
    ],
)
def test_a_command_that_does_not_speak_mcp_loads_nothing_of_it(spawn: Spawn, argv: list[str]) -> None:
    told = spawn(*argv, entry=LISTS_MODULES).stderr
    assert "heavy: []" in told


@pytest.mark.slow
def test_json_does_not_load_what_draws_tables(spawn: Spawn) -> None:
    assert "rich: False" in spawn("list", "--json", entry=LISTS_MODULES).stderr


@pytest.mark.slow
def test_piped_output_has_no_colours_and_whole_titles(spawn: Spawn) -> None:
    title = "A long title " * 30
    spawn("add", "--plain", title, "--due", "2020-01-01")
    for argv in (["list"], ["show", "1"], ["stats"], ["log"], ["--help"], ["show", "99"]):
        ran = spawn(*argv)
        assert "\x1b" not in ran.stdout + ran.stderr
    assert title.strip() in spawn("list").stdout


@pytest.mark.slow
@pytest.mark.parametrize(("variable", "coloured"), [("NO_COLOR", False), ("SOMETHING", True)])
def test_a_terminal_gets_colours_unless_it_wants_none(cli: Cli, spawn: Spawn, variable: str, coloured: bool) -> None:
    cli.add("Late !high", "--due", "2020-01-01")
    leader, follower = os.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", variable: "1"}
    spawn("list", capture_output=False, stdout=follower, stderr=follower, env=environment)
    os.close(follower)
    told = os.read(leader, 10_000).decode()
    os.close(leader)
    assert "Late" in told
    assert ("\x1b[1;31m" in told) is coloured


@pytest.mark.slow
def test_a_reader_who_has_seen_enough_ends_it_quietly(cli: Cli, spawn: Spawn) -> None:
    for _ in range(3):
        cli.add("x" * 400)
    read, write = os.pipe()
    os.close(read)
    ran = spawn("list", "--json", capture_output=False, stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert (ran.returncode, ran.stderr) == (141, "")


@pytest.mark.slow
def test_a_terminal_without_our_characters_is_no_reason_to_fail(spawn: Spawn) -> None:
    narrow = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    assert spawn("add", "Grüße", env=narrow).returncode == 0
    assert spawn("list", env=narrow).returncode == 0
    assert json.loads(spawn("list", "--json", env=narrow).stdout)[0]["title"] == "Grüße"


@pytest.mark.slow
def test_the_shell_is_offered_commands_and_values(spawn: Spawn) -> None:
    def complete(line: str) -> list[str]:
        asked = {
            **os.environ,
            "_TASKPILOT_COMPLETE": "complete_bash",
            "COMP_WORDS": line,
            "COMP_CWORD": str(line.count(" ")),
        }
        return spawn(env=asked).stdout.split()

    assert {"list", "log"} <= set(complete("taskpilot l"))
    assert complete("taskpilot add --priority h") == ["high"]
    script = spawn("--show-completion", "bash", env={**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"})
    assert "_TASKPILOT_COMPLETE" in script.stdout
