from __future__ import annotations

from pathlib import Path
from typing import Any

Cli = Any


def test_serve_hands_its_settings_over(cli: Cli, tmp_path: Path) -> None:
    cli(
        "serve",
        "--port",
        "9000",
        "--host",
        "::1",
        "--log-level",
        "debug",
        "--log-format",
        "json",
        "--data-dir",
        str(tmp_path),
    )
    ((name, settings, _),) = cli.started
    assert (name, settings.port, settings.host, settings.log_level) == ("serve", 9000, "::1", "debug")
    assert (settings.log_format, settings.data_dir, settings.sources["port"]) == ("json", tmp_path, "flag")


def test_serve_refuses_what_cannot_be(cli: Cli) -> None:
    assert "auth cannot be" in cli("serve", "--auth", "none", code=4).err
    assert "port cannot be" in cli("serve", "--port", "70000", code=4).err
    cli("serve", "--port", "x", code=2)
    assert cli.started == []


def test_mcp_hands_the_contract_over(cli: Cli) -> None:
    cli("mcp")
    cli("mcp", "--contract", "simple")
    assert [(name, contract) for name, _, contract in cli.started] == [("mcp", "native"), ("mcp", "simple")]
