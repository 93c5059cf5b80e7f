"""How a worker gets hold of a run, what it tells its agent, and how it stops half-way."""

from __future__ import annotations

from dataclasses import replace

import pytest

from taskpilot.app import App
from taskpilot.domain.caller import worker
from taskpilot.domain.errors import Conflict
from taskpilot.domain.question import PERMISSION, Asking
from taskpilot.domain.run import Agent, Run, State
from taskpilot.domain.scopes import Scope
from taskpilot.ops import attempts, dispatch, questions, run_orders, run_tokens, tasks


@pytest.fixture
def queued(do, add, tmp_path) -> Run:
    task = add(workspace=str(tmp_path))
    return do(run_orders.start, task.id, agent=Agent.CODEX, instructions="Paint").run


@pytest.fixture
def hand(app: App, queued: Run):
    """Run an operation as the worker of the run."""
    caller = worker(queued.owner, "codex", queued.id)
    return lambda op, *args, **kwargs: app.run(caller, op, *args, **kwargs)


@pytest.fixture
def hold(hand, queued: Run):
    hand(dispatch.admit, queued.id)
    return hand(dispatch.take, queued.id, "w", lease=8).hold


def test_one_worker_reserves_a_run_and_the_others_do_not_until_its_time_is_up(hand, queued: Run, clock) -> None:
    hand(dispatch.admit, queued.id)

    assert hand(attempts.reserve, queued.id, lease=8)
    assert not hand(attempts.reserve, queued.id, lease=8)
    clock.forward(seconds=9)
    assert hand(attempts.reserve, queued.id, lease=8)
    assert hand(dispatch.take, queued.id, "w", lease=8)
    clock.forward(seconds=9)
    assert not hand(attempts.reserve, queued.id, lease=8)


def test_what_a_worker_held_before_it_began_anew_can_be_taken_at_once(hand, queued: Run, hold, app: App) -> None:
    assert hand(attempts.forsake, "another") == 0
    assert not app.run(worker(), dispatch.list_agenda).silent

    assert hand(attempts.forsake, "w") == 1

    assert [ticket.run for ticket in app.run(worker(), dispatch.list_agenda).silent] == [queued.id]
    assert hand(dispatch.interrupt, queued.id).state is State.INTERRUPTED


def test_an_agent_is_briefed_with_the_last_orders_and_with_all_of_them(hand, do, queued: Run, hold) -> None:
    first = hand(attempts.brief, hold)
    assert (first.last, first.whole, first.again) == ("Paint", "Paint", False)
    assert not hand(attempts.has_more, hold)
    again = hand(attempts.brief, hold)
    assert (again.last, again.again) == ("Paint", True)

    do(run_orders.follow_up, queued.id, "Blue")
    do(run_orders.follow_up, queued.id, "And white")
    assert hand(attempts.has_more, hold)
    more = hand(attempts.brief, hold)

    assert (more.last, more.whole, more.again) == ("Blue\n\nAnd white", "Paint\n\nBlue\n\nAnd white", False)
    assert hand(attempts.brief, hold).again


def test_a_run_that_pauses_at_a_cap_asks_and_goes_on_with_more(hand, do, queued: Run, hold) -> None:
    rested = hand(attempts.pause, hold, "seconds", limit=60, used=61, words="It took long.").run

    assert (rested.state, rested.worker) == (State.WAITING, "")
    (question,) = do(questions.list_of_run, queued.id)
    assert (question.asking, question.open, question.data["more"]) == (Asking.CAP, True, 60)
    do(questions.answer, question.id, "continue")
    again = do(attempts.find, queued.id)
    assert (again.state, again.turn, again.config["caps"]) == (State.PENDING, 1, {"seconds": 120})


def test_a_run_that_was_to_stop_does_not_ask(hand, do, queued: Run, hold) -> None:
    do(run_orders.stop, queued.id)

    ended = hand(attempts.pause, hold, "seconds", limit=60, used=61, words="It took long.").run

    assert ended.state is State.CANCELLED
    assert do(questions.list_of_run, queued.id) == []


def test_an_attempt_that_was_replaced_asks_and_pauses_no_more(hand, queued: Run, hold, clock) -> None:
    clock.forward(seconds=9)
    hand(dispatch.interrupt, queued.id)
    hand(dispatch.take, queued.id, "x", lease=8)

    assert not hand(attempts.is_current, hold)
    with pytest.raises(Conflict):
        hand(attempts.ask, hold, "May I?", PERMISSION)
    with pytest.raises(Conflict):
        hand(attempts.pause, hold, "turns", limit=1, used=1, words="")


def test_a_permission_that_was_open_lapses_when_another_goes_on(hand, do, queued: Run, hold, clock) -> None:
    asked = hand(attempts.ask, hold, "May I?", PERMISSION, {"kind": "execute"})
    clock.forward(seconds=9)
    hand(dispatch.interrupt, queued.id)

    hand(dispatch.take, queued.id, "x", lease=8)

    assert not do(questions.get, asked.id).open


def test_what_was_said_in_the_moment_a_run_ended_is_not_lost(hand, do, queued: Run, hold) -> None:
    hand(attempts.brief, hold)
    do(run_orders.follow_up, queued.id, "One more thing")

    ended = hand(dispatch.finish, hold, ok=True).run

    assert (ended.state, ended.turn) == (State.PENDING, 1)


def test_there_is_work_for_a_worker_only_where_nothing_stands_in_its_way(hand, do, add, queued, app, tmp_path) -> None:
    assert app.run(worker(), attempts.is_work_waiting)
    do(run_orders.stop, queued.id)
    assert not app.run(worker(), attempts.is_work_waiting)
    blocker = add("First")
    late = add("Second", workspace=str(tmp_path), blocked_by=[blocker.id])
    do(run_orders.start, late.id, agent=Agent.CODEX)
    assert not app.run(worker(), attempts.is_work_waiting)

    do(tasks.complete, blocker.id)

    assert app.run(worker(), attempts.is_work_waiting)
    do(tasks.delete, late.id)
    assert app.run(worker(), attempts.is_work_waiting)


def test_an_agent_may_push_with_the_token_of_the_attempt_that_is_under_way(hand, app, queued: Run, hold) -> None:
    token = hand(run_tokens.issue, hold, "a" * 64)
    base = worker(queued.owner, "codex", queued.id)
    agent = replace(base, scopes=frozenset({Scope.DESK}), credential=f"token:{token.id}")
    assert app.run(agent, attempts.check_push).id == queued.id

    hand(run_tokens.issue, hold, "b" * 64)

    with pytest.raises(Conflict):
        app.run(agent, attempts.check_push)
    with pytest.raises(Conflict):
        app.run(replace(agent, run=None), attempts.check_push)


def test_runs_at_rest_are_told_with_since_when(hand, do, queued: Run, hold, clock) -> None:
    assert hand(attempts.list_at_rest, [queued.id, 99]) == {}
    hand(dispatch.finish, hold, ok=False, error="no")

    assert hand(attempts.list_at_rest, [queued.id, 99]) == {queued.id: clock.now}
    assert hand(attempts.list_at_rest, []) == {}


def test_a_run_that_no_worker_can_take_fails_with_the_reason(hand, do, queued: Run) -> None:
    ended = hand(attempts.refuse, queued.id, "It has no repository.").run

    assert (ended.state, ended.error) == (State.FAILED, "It has no repository.")
