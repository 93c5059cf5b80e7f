from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from taskpilot.domain.caller import unknown
from taskpilot.domain.errors import Forbidden, Invalid, NotFound, OutOfScope, Unauthenticated
from taskpilot.domain.scopes import EVERY, PERSONAL, USUAL, Scope, parse_scopes
from taskpilot.domain.token import read_token, write_token
from taskpilot.ops import tokens, users

NOBODY = unknown("door")
READ = frozenset({Scope.READ})


def test_a_token_stands_for_its_owner(app, do):
    token = do(tokens.create, " CI\u200b bot ", "hash", READ)
    bearer = app.run(NOBODY, tokens.verify, token.id, "hash")
    assert (bearer.user.handle, bearer.token.name, bearer.token.scopes) == ("dev-user", "CI bot", READ)


def test_wrong_unknown_revoked_and_expired_ones_get_the_same_answer(app, do, clock):
    token = do(tokens.create, "a", "hash", READ, expires_at=clock.now + timedelta(days=1))
    gone = do(tokens.create, "b", "gone", READ)
    do(tokens.revoke, gone.id)
    told = set()
    for number, shown in ((token.id, "other"), (999, "hash"), (gone.id, "gone"), (2**63 - 1, "")):
        with pytest.raises(Unauthenticated) as error:
            app.run(NOBODY, tokens.verify, number, shown)
        told.add(str(error.value))
    clock.forward(days=1)
    with pytest.raises(Unauthenticated) as error:
        app.run(NOBODY, tokens.verify, token.id, "hash")
    assert told == {str(error.value)}


def test_the_log_and_the_table_have_no_secret(app, do):
    token = do(tokens.create, "a", "the hash", READ)
    do(tokens.revoke, token.id)
    with app.database.reading() as db:
        logged = str([(row["before_fields"], row["after_fields"]) for row in db.all("SELECT * FROM event")])
    assert "the hash" not in logged
    assert "tasks:read" in logged


def test_a_token_can_do_at_most_what_its_maker_can(app, do):
    ann = do(users.add, "ann@example.com", "hash")
    signed_in = replace(NOBODY, user=ann.id, scopes=PERSONAL)
    with pytest.raises(OutOfScope):
        app.run(signed_in, tokens.create, "a", "h", frozenset({Scope.ADMIN}))
    with pytest.raises(Forbidden, match="administrator"):
        app.run(replace(NOBODY, user=ann.id, scopes=EVERY), tokens.create, "a", "h", frozenset({Scope.ADMIN}))
    with pytest.raises(OutOfScope, match="signed in"):
        app.run(replace(signed_in, scopes=USUAL), tokens.create, "a", "h", READ)
    do(users.set_admin, ann.id, True)
    assert app.run(replace(NOBODY, user=ann.id, scopes=EVERY), tokens.create, "a", "h", frozenset({Scope.ADMIN}))


@pytest.mark.parametrize("days", [0, -1, 3651])
def test_the_last_day_lies_ahead_and_within_ten_years(do, clock, days):
    with pytest.raises(Invalid, match="last day"):
        do(tokens.create, "a", "h", READ, expires_at=clock.now + timedelta(days=days))
    assert do(tokens.list_all) == ([], 0)


@pytest.mark.parametrize("name", ["", " \u200b ", "x" * 101])
def test_a_token_has_a_name(do, name):
    with pytest.raises(Invalid):
        do(tokens.create, name, "h", READ)


def test_tokens_are_listed_newest_first_without_the_revoked(do):
    made = [do(tokens.create, name, name, READ) for name in "abc"]
    do(tokens.revoke, made[1].id)
    assert do(tokens.list_all) == ([made[2], made[0]], 2)
    assert do(tokens.list_all, limit=1, offset=1) == ([made[0]], 2)
    assert do(tokens.get, made[0].id) == made[0]
    with pytest.raises(NotFound):
        do(tokens.get, made[1].id)
    assert do(tokens.revoke, made[1].id).revoked_at is not None


def test_a_strangers_token_does_not_exist(app, do, stranger):
    token = do(tokens.create, "a", "hash", READ)
    them = replace(stranger, scopes=PERSONAL)
    for op in (tokens.get, tokens.revoke):
        with pytest.raises(NotFound):
            app.run(them, op, token.id)
    assert app.run(them, tokens.list_all) == ([], 0)
    assert app.run(NOBODY, tokens.verify, token.id, "hash")


def test_writing_and_running_include_reading():
    assert parse_scopes(["tasks:write"]) == {Scope.READ, Scope.WRITE}
    assert parse_scopes(["agents:run", "agents:run"]) == {Scope.READ, Scope.RUN}
    assert parse_scopes(["admin"]) == {Scope.ADMIN}
    for wrong in ([], ["account"], ["tasks:read", "root"]):
        with pytest.raises(Invalid):
            parse_scopes(wrong)


@pytest.mark.parametrize(
    "written", ["", "tp_0_" + "a" * 43, "tp_1_a", f"tp_1_{'a' * 43}\n", f"tp_{'9' * 19}_{'a' * 43}"]
)
def test_what_is_no_token_is_not_read_as_one(written):
    assert read_token(written) is None
    assert read_token(write_token(7, "a" * 43)) == (7, "a" * 43)
