from __future__ import annotations

import pytest

from taskpilot.domain.caller import worker
from taskpilot.domain.errors import Conflict, Invalid, NotFound
from taskpilot.domain.question import CAP, PERMISSION, Asking
from taskpilot.domain.run import Agent, State
from taskpilot.ops import dispatch, policies, questions, run_orders, runs


@pytest.fixture
def order(app, me, add, do, tmp_path):
    """A run in the hands of a worker."""
    task = add(workspace=str(tmp_path))
    run = do(run_orders.start, task.id, agent=Agent.CLAUDECODE).run
    app.run(worker(me.user, "claudecode", run.id), dispatch.admit, run.id)
    return app.run(worker(me.user, "claudecode", run.id), dispatch.take, run.id, "w1", lease=8)


@pytest.fixture
def ask(app, order):
    def ask(asking=Asking.PERMISSION, **data):
        options = PERMISSION if asking is Asking.PERMISSION else CAP
        data = data or {"kind": "execute"}
        caller = worker(order.run.owner, "claudecode", order.run.id)
        return app.run(caller, questions.ask, order.run, asking, "May I?", options, data)

    return ask


@pytest.fixture
def rest(app, order):
    """End the worker's go while something is asked."""
    caller = worker(order.run.owner, "claudecode", order.run.id)
    return lambda: app.run(caller, dispatch.finish, order.hold, ok=False, resting=True)


def test_a_question_is_answered_once(ask, do):
    asked = ask()
    assert [each.id for each in do(questions.list_open)] == [asked.id]
    assert do(questions.answer, asked.id, "allow_once").answer == "allow_once"
    assert do(questions.list_open) == []
    with pytest.raises(Conflict, match="was answered by"):
        do(questions.answer, asked.id, "deny")


def test_only_what_was_offered_is_an_answer(ask, do):
    asked = ask()
    with pytest.raises(Invalid, match="is no answer"):
        do(questions.answer, asked.id, "perhaps")
    assert do(questions.get, asked.id).open


def test_always_holds_for_the_whole_workspace(ask, do, order):
    do(questions.answer, ask(kind="execute").id, "allow_always")
    assert do(policies.get, order.run.workspace).answer("execute") is True


def test_once_holds_once(ask, do, order):
    do(questions.answer, ask(kind="execute").id, "allow_once")
    assert do(policies.get, order.run.workspace).answer("execute") is None


def test_a_run_at_its_cap_rests_and_goes_on_with_as_much_again(ask, rest, do, order):
    asked = ask(Asking.CAP, cap="tokens", limit=1000, used=1004)
    assert rest().run.state is State.WAITING
    do(questions.answer, asked.id, "continue")
    again = do(runs.get, order.task.id).run
    assert (again.state, again.turn, again.config["caps"]) == (State.PENDING, 1, {"tokens": 2000})


def test_a_run_at_its_cap_that_is_told_to_stop_is_over(ask, rest, do, order):
    asked = ask(Asking.CAP, cap="tokens", limit=1000, used=1004)
    rest()
    do(questions.answer, asked.id, "stop")
    assert do(runs.get, order.task.id).run.state is State.CANCELLED


def test_what_a_stopped_run_asked_needs_no_answer(ask, do, order):
    asked = ask()
    do(run_orders.stop, order.run.id)
    assert do(questions.list_open) == []
    with pytest.raises(Conflict):
        do(questions.answer, asked.id, "allow_once")


def test_strangers_neither_see_nor_answer(app, stranger, ask):
    asked = ask()
    assert app.run(stranger, questions.list_open) == []
    for op, args in ((questions.get, ()), (questions.answer, ("allow_once",))):
        with pytest.raises(NotFound):
            app.run(stranger, op, asked.id, *args)
