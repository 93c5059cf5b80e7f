from __future__ import annotations

from dataclasses import replace

import pytest

from taskpilot.domain.caller import unknown
from taskpilot.domain.errors import Conflict, Forbidden, Invalid, NotFound, OutOfScope
from taskpilot.domain.scopes import EVERY
from taskpilot.ops import invitations, users

NOBODY = unknown("rest")


def test_an_invitation_admits_one_person_once(app, do):
    made = do(invitations.create, "code", email="Ann@example.com")
    assert made.email == "ann@example.com"
    with pytest.raises(Forbidden):
        app.run(NOBODY, invitations.redeem, "code", "bob@example.com")
    assert app.run(NOBODY, invitations.redeem, "code", "ann@example.com").used_at is not None
    with pytest.raises(Forbidden):
        app.run(NOBODY, invitations.redeem, "code", "ann@example.com")


def test_an_invitation_runs_out_and_can_be_taken_back(app, do, clock):
    do(invitations.create, "short", days=1)
    made = do(invitations.create, "long", days=365)
    clock.forward(days=1)
    with pytest.raises(Forbidden):
        app.run(NOBODY, invitations.verify, "short", "ann@example.com")
    assert do(invitations.list_all) == ([made], 1)
    do(invitations.revoke, made.id)
    do(invitations.revoke, made.id)
    with pytest.raises(Forbidden):
        app.run(NOBODY, invitations.verify, "long", "ann@example.com")
    assert do(invitations.list_all) == ([], 0)


def test_an_invitation_ends_with_the_account_of_whoever_gave_it(app, do):
    ann = do(users.add, "ann@example.com", "hash", admin=True)
    app.run(replace(NOBODY, user=ann.id, scopes=EVERY), invitations.create, "code")
    assert app.run(NOBODY, invitations.verify, "code", "bob@example.com")
    do(users.disable, "ann")
    with pytest.raises(Forbidden):
        app.run(NOBODY, invitations.verify, "code", "bob@example.com")


def test_what_makes_no_sense_is_refused(app, do, stranger):
    with pytest.raises(Invalid):
        do(invitations.create, "a", days=0)
    with pytest.raises(Invalid):
        do(invitations.create, "a", email="nobody")
    do(users.add, "ann@example.com", "hash")
    with pytest.raises(Conflict, match="already"):
        do(invitations.create, "a", email="ann@example.com")
    with pytest.raises(OutOfScope):
        app.run(stranger, invitations.create, "a")
    assert do(invitations.list_all) == ([], 0)


def test_a_strangers_invitation_does_not_exist(app, do, stranger):
    made = do(invitations.create, "code")
    them = replace(stranger, scopes=EVERY)
    for op in (invitations.get, invitations.revoke):
        with pytest.raises(NotFound):
            app.run(them, op, made.id)
    assert app.run(them, invitations.list_all) == ([], 0)
    assert do(invitations.get, made.id) == made
