"""Programs that were let in, and are sent away again."""

from __future__ import annotations

from datetime import timedelta

import pytest

from taskpilot.domain.caller import Caller, unknown
from taskpilot.domain.errors import Forbidden, NotFound, Unauthenticated
from taskpilot.domain.login import LOGIN_LIFETIME, LoginKind
from taskpilot.domain.scopes import PERSONAL, USUAL, Scope
from taskpilot.ops import clients, logins, users

RESOURCE = "http://localhost:8000/mcp"


@pytest.fixture
def people(do):
    return [do(users.add, f"{name}@example.com", "hash") for name in ("ann", "bob")]


@pytest.fixture
def as_(app, people):
    """Run an operation as one of them."""
    callers = [Caller(user.id, user.handle, "rest", scopes=PERSONAL) for user in people]
    return lambda which, op, *args, **kwargs: app.run(callers[which], op, *args, **kwargs)


@pytest.fixture
def let_in(app, people):
    """A login of a program, or of a browser, for one of them."""

    def let_in(which=0, client_id="program", name="Program", scopes=frozenset({Scope.READ}), resource=RESOURCE):
        let_in.number += 1
        kind = LoginKind.OAUTH if client_id else LoginKind.SESSION
        entry = app.run(
            unknown("oauth"),
            logins.open_login,
            people[which].id,
            f"refresh-{let_in.number}",
            kind=kind,
            client=name,
            client_id=client_id,
            scopes=scopes,
            resource=resource,
        )
        return entry.login

    let_in.number = 0
    return let_in


def test_nobody_is_connected_at_first(as_):
    assert as_(0, clients.list_all) == []


def test_each_program_is_told_once_with_all_it_may_do(as_, let_in, clock):
    let_in()
    clock.forward(days=1)
    let_in(client_id="https://app.example/client.json", name="App")
    let_in(client_id="", name="Firefox")
    clock.forward(days=1)
    let_in(scopes=frozenset({Scope.WRITE}), resource=f"{RESOURCE}/todo", name="Program 2")
    newer, app = as_(0, clients.list_all)
    assert (newer.client_id, newer.name, newer.host, len(newer.logins)) == ("program", "Program 2", "", 2)
    assert newer.scopes == {Scope.READ, Scope.WRITE}
    assert newer.resources == (RESOURCE, f"{RESOURCE}/todo")
    assert newer.last_used_at - newer.connected_at == timedelta(days=2)
    assert (app.client_id, app.host) == ("https://app.example/client.json", "app.example")
    assert len({newer.key, app.key}) == 2


def test_what_has_run_out_is_not_connected(as_, let_in, clock):
    let_in()
    clock.forward(seconds=LOGIN_LIFETIME.total_seconds())
    assert as_(0, clients.list_all) == []


def test_a_program_that_is_sent_away_holds_nothing_any_more(as_, app, let_in):
    held = [let_in(), let_in(), let_in(client_id="other"), let_in(client_id="", name="Firefox")]
    key = next(each.key for each in as_(0, clients.list_all) if each.client_id == "program")
    as_(0, clients.disconnect, key)
    for login in held[:2]:
        with pytest.raises(Unauthenticated):
            app.run(unknown("door"), logins.verify, login.id)
    for login in held[2:]:
        assert app.run(unknown("door"), logins.verify, login.id)
    with pytest.raises(NotFound):
        as_(0, clients.disconnect, key)
    assert [each.client_id for each in as_(0, clients.list_all)] == ["other"]


def test_the_log_says_who_was_sent_away(as_, app, let_in, people):
    let_in()
    as_(0, clients.disconnect, as_(0, clients.list_all)[0].key)
    with app.database.reading() as db:
        row = db.one("SELECT reason FROM event WHERE kind = 'login.revoked' AND owner_id = :owner", owner=people[0].id)
    assert row == {"reason": "Program was disconnected."}


def test_a_stranger_neither_sees_nor_ends_it(as_, app, let_in):
    login = let_in()
    key = as_(0, clients.list_all)[0].key
    assert as_(1, clients.list_all) == []
    with pytest.raises(NotFound):
        as_(1, clients.disconnect, key)
    assert app.run(unknown("door"), logins.verify, login.id)


def test_a_program_cannot_look_at_others_or_end_them(app, people, let_in):
    let_in()
    program = Caller(people[0].id, "ann", "rest", scopes=USUAL)
    for op, args in ((clients.list_all, ()), (clients.disconnect, ("0" * 16,))):
        with pytest.raises(Forbidden):
            app.run(program, op, *args)
