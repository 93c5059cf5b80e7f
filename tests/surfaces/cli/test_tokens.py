from __future__ import annotations

import io
from typing import Any

import pytest

Cli = Any


@pytest.fixture
def ann(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("correct horse\n"))
    cli("user", "add", "ann@example.com", "--password-stdin")


def test_a_token_is_shown_once(cli: Cli) -> None:
    assert "No tokens" in cli("token").out
    made = cli("token", "create", "CI bot", "--json").json
    assert made["token"].startswith("tp_1_")
    assert made["scopes"] == ["tasks:read", "tasks:write"]
    out = cli("token", "create", "reader", "--scopes", "tasks:read", "--expires", "30").out
    assert out.startswith("tp_2_")
    assert "shown this once" in out
    listed = cli("token", "list", "--json").json
    assert [each["name"] for each in listed] == ["reader", "CI bot"]
    assert made["token"] not in str(listed) + cli("token", "list").out
    assert "CI bot" in cli("token", "list").out


def test_a_token_is_revoked(cli: Cli, answer: Any) -> None:
    cli("token", "create", "bot")
    cli("token", "revoke", "1", code=2)
    answer("y")
    assert "is revoked" in cli("token", "revoke", "1").out
    assert cli("token", "list", "--json").json == []
    cli("token", "revoke", "1", "--yes", code=3)


@pytest.mark.usefixtures("ann")
def test_a_token_can_be_somebody_elses(cli: Cli) -> None:
    assert cli("token", "create", "bot", "--user", "Ann@example.com", "--json").json["id"] == 1
    assert cli("token", "list", "--json").json == []
    assert [each["id"] for each in cli("token", "list", "--user", "ann", "--json").json] == [1]
    cli("token", "revoke", "1", "--yes", code=3)
    assert cli("token", "revoke", "1", "--user", "ann", "--yes", "--json").json["revoked_at"]
    cli("token", "create", "bot", "--user", "nobody", code=3)


@pytest.mark.usefixtures("ann")
def test_only_an_administrators_token_can_administer(cli: Cli) -> None:
    assert "administrator" in cli("token", "create", "x", "--scopes", "admin", "--user", "ann", code=6).err
    cli("user", "promote", "ann")
    made = cli("token", "create", "x", "--scopes", "admin, tasks:write", "--user", "ann", "--json").json
    assert made["scopes"] == ["tasks:read", "tasks:write", "admin"]


def test_what_cannot_be_a_token_is_refused(cli: Cli) -> None:
    assert "no scope 'root'" in cli("token", "create", "x", "--scopes", "root", code=4).err
    cli("token", "create", "x", "--scopes", "", code=4)
    cli("token", "create", "x", "--expires", "0", code=4)
    cli("token", "create", "x", "--expires", "99999999999", code=4)
    cli("token", "create", " ", code=4)
    assert cli("token", "list", "--json").json == []
