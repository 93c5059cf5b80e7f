from __future__ import annotations

import pytest

from taskpilot.domain.errors import Invalid
from taskpilot.ops import users
from taskpilot.store.users import Users


def test_the_local_user_is_there_from_the_start(do):
    assert do(users.me).handle == "dev-user"


def test_a_user_named_by_number_is_made_once(do):
    assert do(users.ensure, 42) == do(users.ensure, 42)


def test_a_generated_number_never_meets_a_named_one(app, do, clock):
    do(users.ensure, 2**31 - 1)
    with app.database.writing() as db:
        generated = Users(db).add("ada", clock.now)
    assert generated.id == 2**31


@pytest.mark.parametrize("number", [0, -1, 2**31])
def test_a_number_out_of_range_is_refused(do, number):
    with pytest.raises(Invalid, match="cannot be"):
        do(users.ensure, number)
