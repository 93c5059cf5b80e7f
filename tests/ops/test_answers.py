from __future__ import annotations

from dataclasses import replace

import pytest

from taskpilot.domain.errors import Conflict, Invalid, OutOfScope
from taskpilot.domain.operation import writes
from taskpilot.domain.scopes import USUAL, Scope
from taskpilot.domain.selection import Selection
from taskpilot.ops import answers, tasks


@pytest.fixture
def make():
    @writes
    def make(work):
        return {"id": tasks.create(work, [{"title": "Walls"}]).tasks[0].id}

    return make


def test_the_same_key_gets_the_same_answer_and_makes_nothing(do, make):
    first, repeated = do(answers.keep, "key", "asked", make)
    assert not repeated
    assert do(answers.keep, "key", "asked", make) == (first, True)
    assert do(answers.keep, "other", "asked", make) == ({"id": first["id"] + 1}, False)


def test_a_key_is_for_one_request(do, make):
    do(answers.keep, "key", "asked", make)
    with pytest.raises(Conflict, match="another request"):
        do(answers.keep, "key", "something else", make)


def test_another_users_key_is_another_key(app, do, stranger, make):
    do(answers.keep, "key", "asked", make)
    assert app.run(stranger, answers.keep, "key", "something else", make)[1] is False


def test_what_fails_is_not_kept(do, make):
    @writes
    def fail(work):
        make(work)
        raise Conflict("No.")

    with pytest.raises(Conflict, match="No"):
        do(answers.keep, "key", "asked", fail)
    assert do(answers.keep, "key", "asked", make)[1] is False
    assert len(do(tasks.list_page, Selection()).items) == 1


def test_a_key_opens_no_door_that_is_closed_without_one(app, me, make):
    @writes(scope=Scope.ACCOUNT)
    def make_token(work):
        return make(work)

    with pytest.raises(OutOfScope):
        app.run(replace(me, scopes=USUAL), answers.keep, "key", "asked", make_token)


@pytest.mark.parametrize("key", ["", "x" * 201])
def test_a_key_has_a_length(do, make, key):
    with pytest.raises(Invalid):
        do(answers.keep, key, "asked", make)
