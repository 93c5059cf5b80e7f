"""Whom `taskpilot mcp` acts for: its token's user, as a relay and alone; without a token, this machine's."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest

from taskpilot import __version__, address
from taskpilot.access.secrets import hash_secret, make_secret
from taskpilot.app import App
from taskpilot.domain.caller import Caller, local
from taskpilot.domain.errors import Unauthenticated
from taskpilot.domain.scopes import PERSONAL, Scope
from taskpilot.domain.selection import Selection
from taskpilot.domain.token import write_token
from taskpilot.ops import tasks, tokens, users
from taskpilot.store import open_database
from taskpilot.surfaces.mcp.relay import connect
from tests.surfaces.mcp.conftest import PATIENCE, resident_mb

ANN = Caller(77, "user-77", "cli", scopes=PERSONAL)
WRONG = "tp_1_" + "x" * 43
MODES = pytest.mark.parametrize("mode", ["alone", "local", "required"])


@pytest.fixture
def store(place) -> Iterator[App]:
    """The same database, from this process."""
    database = open_database(place)
    database.migrate()
    app = App(database)
    app.run(local("cli"), users.ensure, ANN.user)
    yield app
    app.close()


@pytest.fixture
def give_token(store):
    def give(*scopes: Scope) -> tuple[str, int]:
        secret = make_secret()
        granted = frozenset(scopes or (Scope.READ, Scope.WRITE))
        token = store.run(ANN, tokens.create, "laptop", hash_secret(secret), granted)
        return write_token(token.id, secret), token.id

    return give


@pytest.fixture
def speak(store, start_mcp, start_server, monkeypatch):
    """`taskpilot mcp` with this token, beside a server in this mode or alone."""

    def speak(mode: str, token: str = ""):
        if mode != "alone":
            monkeypatch.setenv("TASKPILOT_AUTH", mode)
            start_server()
        return start_mcp(env={**os.environ, "TASKPILOT_TOKEN": token})

    return speak


def make_task(process, title: str = "Walls"):
    return process.ask(title, "tools/call", name="task_create", arguments={"title": title})


def titles(store: App, caller: Caller) -> list[str]:
    return [task.title for task in store.run(caller, tasks.list_page, Selection()).items]


@MODES
def test_with_a_token_it_acts_as_the_tokens_user(store, speak, give_token, mode):
    process = speak(mode, give_token()[0])
    process.greet()
    assert not make_task(process)["result"].get("isError")
    assert titles(store, ANN) == ["Walls"]
    assert titles(store, local("cli")) == []
    assert (resident_mb(process.raw.pid) < 30) == (mode != "alone")
    assert process.leave() == (0, b"")


@MODES
def test_without_a_token_it_acts_as_this_machines_user(store, speak, mode):
    process = speak(mode)
    process.greet()
    make_task(process)
    assert titles(store, local("cli")) == ["Walls"]
    assert titles(store, ANN) == []


@MODES
@pytest.mark.parametrize("kind", ["wrong", "revoked", "nonsense"])
def test_a_token_that_is_not_valid_ends_it_before_it_has_said_anything(store, speak, give_token, mode, kind):
    token, number = {"wrong": (WRONG, 0), "nonsense": ("pässwörd", 0)}.get(kind) or give_token()
    if number:
        store.run(ANN, tokens.revoke, number)
    process = speak(mode, token)
    output, complaint = process.raw.communicate(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n', PATIENCE)
    assert process.raw.returncode == 8
    assert output == b""
    assert b"not valid" in complaint
    assert b"Traceback" not in complaint
    assert token.encode() not in complaint


@MODES
def test_a_token_that_is_revoked_meanwhile_is_refused_with_the_next_call(store, speak, give_token, mode):
    token, number = give_token()
    process = speak(mode, token)
    process.greet()
    make_task(process, "Before")
    store.run(ANN, tokens.revoke, number)
    time.sleep(0.5)  # the other process has to hear of it
    assert "not valid" in str(make_task(process, "After"))
    assert "not valid" in str(process.ask(5, "tools/list")["error"]["message"])
    assert titles(store, ANN) == ["Before"]


@MODES
def test_a_token_that_only_reads_is_offered_only_what_reads(store, speak, give_token, mode):
    process = speak(mode, give_token(Scope.READ)[0])
    process.greet()
    offered = process.ask(1, "tools/list")["result"]["tools"]
    assert offered
    assert all(tool["annotations"]["readOnlyHint"] for tool in offered)
    assert "insufficient_scope" in str(make_task(process))
    assert titles(store, ANN) == []


def test_a_server_says_why_it_sends_a_relay_away(store, start_server, give_token, tmp_path):
    start_server()
    path = address.locate_socket(tmp_path)
    connect(path, address.introduce(__version__, "native", "", give_token()[0])).close()
    with pytest.raises(Unauthenticated, match="not valid"):
        connect(path, address.introduce(__version__, "native", "", WRONG))


@pytest.mark.slow
def test_a_relay_whose_token_was_revoked_does_not_carry_on_alone(store, start_mcp, start_server, give_token):
    server, _ = start_server()
    token, number = give_token()
    process = start_mcp(env={**os.environ, "TASKPILOT_TOKEN": token})
    process.greet()
    store.run(ANN, tokens.revoke, number)
    server.kill()
    process.send({"jsonrpc": "2.0", "id": 5, "method": "tools/list"})
    assert process.raw.wait(PATIENCE) == 8
    assert b'"result"' not in process.raw.stdout.read()
    assert b"not valid" in process.raw.stderr.read()


@pytest.mark.slow
def test_a_relay_shows_its_token_to_the_servers_successor(store, start_mcp, start_server, give_token):
    server, _ = start_server()
    process = start_mcp(env={**os.environ, "TASKPILOT_TOKEN": give_token()[0]})
    process.greet()
    server.kill()
    start_server()
    make_task(process)
    assert titles(store, ANN) == ["Walls"]
    assert resident_mb(process.raw.pid) < 30
