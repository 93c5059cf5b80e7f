"""A command line on a real store in a temporary folder, and a home of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from taskpilot.settings import Settings
from taskpilot.surfaces.cli.main import main

ENTRY = """
import sys
from taskpilot.surfaces.cli.main import main
def stay(*_): pass
sys.exit(main(sys.argv[1:], serve=stay, mcp=stay))
"""


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, str]:
        return json.loads(self.err)["error"]


class Cli:
    """Runs commands in this process, as if typed."""

    def __init__(self, capsys: pytest.CaptureFixture[str], home: Path) -> None:
        self._capsys = capsys
        self.home = home
        self.started: list[tuple[str, Settings, str]] = []

    def __call__(self, *argv: str, code: int = 0) -> Ran:
        self._capsys.readouterr()
        found = main(
            list(argv),
            serve=lambda settings: self.started.append(("serve", settings, "")),
            mcp=lambda settings, contract: self.started.append(("mcp", settings, contract)),
        )
        out, err = self._capsys.readouterr()
        assert found == code, f"exit {found}, not {code}: {out}{err}"
        return Ran(found, out, err)

    def add(self, *words: str) -> dict[str, Any]:
        return self("add", *words, "--json").json


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing outside the temporary folder is read or written."""
    for name in list(os.environ):
        if name.startswith("TASKPILOT_") or name in ("CODEX_HOME", "APPDATA", "COLUMNS", "NO_COLOR", "FORCE_COLOR"):
            monkeypatch.delenv(name)
    home = tmp_path / "home"
    (home / "here").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / ".local"))
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.chdir(home / "here")
    return home


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], home: Path) -> Cli:
    return Cli(capsys, home)


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A person at the terminal, who answers every question alike."""

    def sit_down(said: str) -> None:
        monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
        monkeypatch.setattr("typer.confirm", lambda *_, **__: said == "y")

    return sit_down


@pytest.fixture
def spawn() -> Callable[..., subprocess.CompletedProcess[str]]:
    """A real process."""

    def run(*argv: str, entry: str = ENTRY, **options: Any) -> subprocess.CompletedProcess[str]:
        options = {"capture_output": True, "text": True, "timeout": 60, "stdin": subprocess.DEVNULL} | options
        return subprocess.run([sys.executable, "-c", entry, *argv], check=False, **options)

    return run


@pytest.fixture
def no_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which no assistant is installed."""
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
