from __future__ import annotations

from dataclasses import replace

import pytest

from taskpilot.domain.caller import Caller, unknown
from taskpilot.domain.errors import NotFound, Unauthenticated
from taskpilot.domain.login import LOGIN_LIFETIME, LoginKind
from taskpilot.domain.scopes import EVERY, PERSONAL, Scope
from taskpilot.ops import logins, users

NOBODY = unknown("rest", "10.0.0.1")


@pytest.fixture
def ann(do):
    return do(users.add, "ann@example.com", "hash")


@pytest.fixture
def as_ann(ann):
    return Caller(ann.id, ann.handle, "rest", scopes=PERSONAL)


@pytest.fixture
def enter(app, ann):
    """Ann comes in."""
    return lambda refresh="r1", **more: app.run(NOBODY, logins.open_login, ann.id, refresh, **more).login


def rows(app, table):
    with app.database.reading() as db:
        return db.all(f"SELECT * FROM {table}")


def test_a_login_says_from_where_and_with_what(app, ann, enter):
    login = enter(client="  Fire\x00fox\n" + "x" * 300)
    assert login.client.startswith("Firefox x")
    assert len(login.client) == 200
    assert (login.address, login.owner, login.kind) == ("10.0.0.1", ann.id, LoginKind.SESSION)
    assert app.run(NOBODY, logins.verify, login.id).user == ann


def test_an_administrators_login_may_do_everything_and_a_client_what_was_agreed(app, do, ann, enter):
    assert enter().scopes == PERSONAL
    assert enter("r2", scopes=frozenset({Scope.READ, Scope.ADMIN}), client_id="c").scopes == {Scope.READ}
    do(users.set_admin, ann.id, True)
    assert enter("r3").scopes == EVERY


def test_a_login_ends_a_month_after_it_was_last_refreshed(app, clock, enter):
    login = enter()
    clock.forward(days=29)
    app.run(NOBODY, logins.renew, "r1", "r2")
    clock.forward(days=29)
    assert app.run(NOBODY, logins.verify, login.id).login.expires_at == clock.now - clock_days(29) + LOGIN_LIFETIME
    clock.forward(days=1)
    with pytest.raises(Unauthenticated):
        app.run(NOBODY, logins.verify, login.id)
    with pytest.raises(Unauthenticated):
        app.run(NOBODY, logins.renew, "r2", "r3")


def clock_days(number):
    return LOGIN_LIFETIME / 30 * number


def test_a_refresh_token_is_used_once_and_used_twice_ends_its_login(app, enter):
    login, other = enter(), enter("other")
    assert app.run(NOBODY, logins.renew, "r1", "r2").login.id == login.id
    assert app.run(NOBODY, logins.renew, "r2", "r3").login.id == login.id
    assert app.run(NOBODY, logins.renew, "r1", "r4") is None
    for spent in ("r1", "r2", "r3", "r4"):
        with pytest.raises(Unauthenticated):
            app.run(NOBODY, logins.renew, spent, "new")
    with pytest.raises(Unauthenticated):
        app.run(NOBODY, logins.verify, login.id)
    assert app.run(NOBODY, logins.verify, other.id)
    assert [row["reason"] for row in rows(app, "event") if row["kind"] == "login.revoked"] == [
        "A refresh token was used twice."
    ]


def test_a_refresh_token_of_a_client_is_for_that_client(app, enter):
    enter(client_id="mine")
    for other in ("", "theirs"):
        with pytest.raises(Unauthenticated, match="not known"):
            app.run(NOBODY, logins.renew, "r1", "r2", client_id=other)
    assert app.run(NOBODY, logins.renew, "r1", "r2", client_id="mine")


def test_refresh_tokens_nobody_can_use_are_not_kept(app, clock, as_ann, enter):
    first = enter()
    app.run(as_ann, logins.revoke, first.id)
    enter("r2")
    assert {row["hash"] for row in rows(app, "refresh_token")} == {"r2"}
    for day in range(1, 60):
        clock.forward(days=1)
        app.run(NOBODY, logins.renew, f"r{day + 1}", f"r{day + 2}")
    assert len(rows(app, "refresh_token")) <= 32


def test_a_password_that_was_changed_while_it_was_checked_opens_nothing(app, ann):
    with pytest.raises(Unauthenticated, match="just been changed"):
        app.run(NOBODY, logins.open_login, ann.id, "r", proof="an older hash")
    assert app.run(NOBODY, logins.open_login, ann.id, "r", proof="hash", rehashed="better")
    assert app.run(NOBODY, users.find_proof, ann.email).hashed == "better"


def test_logins_are_listed_newest_first_and_ended_one_by_one(app, as_ann, enter):
    first, second = enter(), enter("r2")
    assert app.run(as_ann, logins.list_all) == ([second, first], 2)
    assert app.run(as_ann, logins.list_all, limit=1, offset=1) == ([first], 2)
    ended = app.run(as_ann, logins.revoke, first.id)
    assert app.run(as_ann, logins.revoke, first.id) == ended
    assert app.run(as_ann, logins.list_all) == ([second], 1)


def test_signing_out_ends_the_login_in_use(app, do, as_ann, enter):
    first, second = enter(), enter("r2")
    assert app.run(replace(as_ann, credential=f"login:{second.id}"), logins.sign_out).revoked_at is not None
    assert app.run(as_ann, logins.list_all) == ([first], 1)
    assert do(logins.sign_out) is None


def test_the_others_can_be_ended_together(app, as_ann, enter):
    first = enter()
    enter("r2"), enter("r3")
    assert app.run(as_ann, logins.revoke_all, but=first.id) == 2
    assert app.run(as_ann, logins.list_all) == ([first], 1)


def test_a_strangers_login_does_not_exist(app, stranger, enter):
    login = enter()
    them = replace(stranger, scopes=PERSONAL)
    with pytest.raises(NotFound) as theirs:
        app.run(them, logins.revoke, login.id)
    with pytest.raises(NotFound) as missing:
        app.run(them, logins.revoke, 999)
    assert str(theirs.value).replace(str(login.id), "N", 1) == str(missing.value).replace("999", "N", 1)
    assert app.run(them, logins.list_all) == ([], 0)
    assert app.run(NOBODY, logins.verify, login.id)
