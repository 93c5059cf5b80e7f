from __future__ import annotations

import io
import os
import select
import subprocess
import sys
from typing import Any

import pytest

from tests.surfaces.cli.conftest import ENTRY

Cli = Any
PASSWORD = "correct horse"


@pytest.fixture
def type_in(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What a program pipes in."""
    return lambda text: monkeypatch.setattr("sys.stdin", io.StringIO(text))


@pytest.fixture
def add(cli: Cli, type_in: Any) -> Any:
    def add(email: str, *more: str, code: int = 0) -> Any:
        type_in(PASSWORD + "\n")
        return cli("user", "add", email, "--password-stdin", *more, code=code)

    return add


def sign_in(cli: Cli, email: str, password: str = PASSWORD) -> bool:
    from taskpilot.access.passwords import is_right
    from taskpilot.app import App
    from taskpilot.domain.caller import unknown
    from taskpilot.ops import users
    from taskpilot.store import open_database

    path = next(cli.home.glob(".local/**/taskpilot.db"))
    app = App(open_database(path))
    try:
        return is_right(app.run(unknown("rest"), users.find_proof, email).hashed, password)
    finally:
        app.close()


def test_an_account_is_made_with_a_password_from_a_pipe(cli: Cli, add: Any) -> None:
    assert add("Ann@Example.com", "--name", "Ann", "--admin").out == "ann@example.com can sign in.\n"
    local, ann = cli("user", "list", "--json").json
    assert (local["handle"], local["email"]) == ("dev-user", None)
    assert (ann["email"], ann["name"], ann["handle"], ann["admin"]) == ("ann@example.com", "Ann", "ann", True)
    assert "ann@example.com" in cli("user").out
    assert sign_in(cli, "ann@example.com")
    assert "already" in add("ann@example.com", code=5).err


def test_a_password_is_asked_for_twice_and_not_shown_on_a_terminal(cli: Cli) -> None:
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", ENTRY, "user", "add", "ann@example.com"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    seen = b""

    def expect(words: bytes) -> None:
        nonlocal seen
        while words not in seen:
            assert select.select([ours], [], [], 60)[0], seen
            seen += os.read(ours, 1024)

    try:
        expect(b"Password: ")
        os.write(ours, b"correct horse\n")
        expect(b"Once more: ")
        os.write(ours, b"correct horse\n")
        expect(b"can sign in")
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    assert b"correct horse" not in seen
    assert sign_in(cli, "ann@example.com")


def test_what_cannot_be_an_account_is_refused(cli: Cli, add: Any, type_in: Any) -> None:
    assert "--password-stdin" in cli("user", "add", "ann@example.com", code=2).err
    assert "not an email" in add("ann", code=4).err
    type_in("short\n")
    assert "at least 8" in cli("user", "add", "ann@example.com", "--password-stdin", code=4).err
    assert len(cli("user", "list", "--json").json) == 1


def test_the_local_user_can_be_given_an_account(cli: Cli, add: Any) -> None:
    cli.add("Walls")
    assert "own user" in add("me@example.com", "--local").out
    (me,) = cli("user", "list", "--json").json
    assert (me["number"], me["handle"], me["email"]) == (1, "dev-user", "me@example.com")
    assert sign_in(cli, "me@example.com")
    assert "already" in add("other@example.com", "--local", code=5).err


def test_an_account_is_disabled_and_enabled(cli: Cli, add: Any, answer: Any) -> None:
    add("ann@example.com")
    cli("user", "disable", "ann", code=2)
    assert cli("user", "disable", "ANN@example.com", "--yes", "--json").json["disabled_at"]
    assert "disabled" in cli("user", "list").out
    assert cli("user", "enable", "ann", "--json").json["disabled_at"] is None
    cli("user", "disable", "nobody", "--yes", code=3)
    cli("user", "disable", "dev-user", "--yes", code=5)
    answer("n")
    cli("user", "disable", "ann", code=130)
    assert cli("user", "list", "--json").json[1]["disabled_at"] is None


def test_an_account_is_deleted_for_good_once_a_person_has_agreed(cli: Cli, add: Any) -> None:
    add("ann@example.com")
    assert "Repeat with --yes" in cli("user", "delete", "ann@example.com", code=2).err
    assert cli("user", "delete", "ann@example.com", "--yes").out == "ann@example.com and all that was theirs is gone.\n"
    assert [each["handle"] for each in cli("user", "list", "--json").json] == ["dev-user"]
    assert cli("user", "delete", "ann@example.com", "--yes", code=3)
    assert "local user cannot be deleted" in cli("user", "delete", "dev-user", "--yes", code=5).err


def test_a_password_is_reset(cli: Cli, add: Any, type_in: Any) -> None:
    add("ann@example.com")
    type_in("better horse\n")
    assert "new password" in cli("user", "reset-password", "ann", "--password-stdin").out
    assert not sign_in(cli, "ann@example.com")
    assert sign_in(cli, "ann@example.com", "better horse")
    type_in("better horse\n")
    assert cli("user", "reset-password", "ann", "--password-stdin", "--json").json["ended"] == 0
    type_in("better horse\n")
    assert "no email" in cli("user", "reset-password", "dev-user", "--password-stdin", code=5).err


def test_administrators_are_made_here(cli: Cli, add: Any) -> None:
    add("ann@example.com")
    assert cli("user", "promote", "ann", "--json").json["admin"] is True
    assert "no administrator" in cli("user", "demote", "ann").out


def test_invitations_are_made_listed_and_taken_back(cli: Cli) -> None:
    assert "No invitations" in cli("user", "invitations").out
    made = cli("user", "invite", "Ann@example.com", "--days", "3", "--json").json
    assert len(made["code"]) == 43
    assert "shown this once" in cli("user", "invite").out
    assert [each["email"] for each in cli("user", "invitations", "--json").json] == ["", "ann@example.com"]
    assert made["code"] not in cli("user", "invitations").out
    cli("user", "uninvite", "1", code=2)
    assert "taken back" in cli("user", "uninvite", "1", "--yes").out
    assert cli("user", "uninvite", "2", "--yes", "--json").json == {"id": 2, "revoked": True}
    cli("user", "uninvite", "9", "--yes", code=3)
    cli("user", "invite", "--days", "0", code=4)
