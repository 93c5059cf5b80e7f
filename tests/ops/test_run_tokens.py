from __future__ import annotations

import pytest

from taskpilot.domain.caller import unknown, worker
from taskpilot.domain.errors import Conflict, Unauthenticated
from taskpilot.domain.run import Agent
from taskpilot.domain.scopes import Scope
from taskpilot.ops import dispatch, run_orders, run_tokens, tokens

HASH = "a" * 64


@pytest.fixture
def order(app, me, add, do, tmp_path):
    run = do(run_orders.start, add(workspace=str(tmp_path)).id, agent=Agent.CLAUDECODE).run
    app.run(worker(me.user, "claudecode", run.id), dispatch.admit, run.id)
    return app.run(worker(me.user, "claudecode", run.id), dispatch.take, run.id, "w1", lease=8)


@pytest.fixture
def carry(app, order):
    caller = worker(order.run.owner, "claudecode", order.run.id)
    return lambda op, *args, **kwargs: app.run(caller, op, *args, **kwargs)


def test_a_token_opens_the_desk_of_its_run_and_nothing_else(app, carry, order):
    token = carry(run_tokens.issue, order.hold, HASH)
    shown = app.run(unknown("door"), tokens.verify, token.id, HASH).token
    assert (shown.run, shown.scopes) == (order.run.id, frozenset({Scope.DESK}))


def test_a_new_one_and_the_end_of_the_run_end_it(app, carry, order):
    first = carry(run_tokens.issue, order.hold, HASH)
    second = carry(run_tokens.issue, order.hold, "b" * 64)
    with pytest.raises(Unauthenticated):
        app.run(unknown("door"), tokens.verify, first.id, HASH)
    carry(tokens.close_desk, order.run.id)
    with pytest.raises(Unauthenticated):
        app.run(unknown("door"), tokens.verify, second.id, "b" * 64)


def test_it_lasts_a_day_at_most(app, carry, order, clock):
    token = carry(run_tokens.issue, order.hold, HASH)
    clock.forward(days=1)
    with pytest.raises(Unauthenticated):
        app.run(unknown("door"), tokens.verify, token.id, HASH)


def test_whoever_was_replaced_gets_none(carry, order, clock):
    clock.forward(seconds=9)
    carry(dispatch.interrupt, order.run.id)
    carry(dispatch.take, order.run.id, "w2", lease=8)
    with pytest.raises(Conflict):
        carry(run_tokens.issue, order.hold, HASH)


def test_people_do_not_see_it_among_their_own(do, carry, order):
    carry(run_tokens.issue, order.hold, HASH)
    assert do(tokens.list_all) == ([], 0)
