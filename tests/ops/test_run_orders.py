from __future__ import annotations

import pytest

from taskpilot.domain.errors import Conflict, Invalid
from taskpilot.domain.run import Agent, Ended, NotLive, State
from taskpilot.domain.task import Status
from taskpilot.ops import dispatch, history, run_log, run_orders, runs, tasks
from tests.contracts import stage


@pytest.fixture
def task(add, tmp_path):
    return add("Login", workspace=str(tmp_path))


def test_an_agent_is_sent_off_to_do_what_the_task_says(do, task):
    run = do(run_orders.start, task.id, agent=Agent.CODEX).run
    assert (run.state, run.instructions, run.branch) == (State.PENDING, "Login", f"task/{task.id}-login")
    with pytest.raises(Conflict, match="already"):
        do(run_orders.start, task.id, agent=Agent.GEMINI)


def test_a_task_without_a_repository_or_that_is_closed_gets_no_agent(do, add, task):
    with pytest.raises(Invalid, match="repository"):
        do(run_orders.start, add().id, agent=Agent.CODEX)
    do(tasks.complete, task.id)
    with pytest.raises(Conflict, match="Reopen"):
        do(run_orders.start, task.id, agent=Agent.CODEX)


def test_a_follow_up_waits_for_the_agent_at_work_and_sends_the_others_off_again(app, do, task):
    seat = stage.seat(app, task.id, instructions="Begin")
    assert do(run_orders.follow_up, seat.run, "And then this").run.turn == 0
    for said in ("Begin", "And then this", None):
        assert seat.do(dispatch.next_instructions, seat.hold) == said
    seat.finish()
    assert do(run_orders.follow_up, seat.run, "And that").run.turn == 1


def test_stopping_is_asked_of_the_worker_and_safe_to_repeat(app, do, task):
    seat = stage.seat(app, task.id)
    asked = do(run_orders.stop, seat.run)
    assert asked.stopping
    assert do(run_orders.stop, seat.run).run.stop_asked_at == asked.run.stop_asked_at
    with pytest.raises(Conflict, match="about to stop"):
        do(run_orders.follow_up, seat.run, "No, wait")
    ended = seat.finish(ok=False)
    assert (ended.run.state, ended.task.status) == (State.CANCELLED, Status.TODO)
    before = do(history.list_page).items
    assert do(run_orders.stop, seat.run).run.state is State.CANCELLED
    assert do(history.list_page).items == before


def test_what_nobody_has_begun_ends_at_once(do, task):
    run = do(run_orders.start, task.id, agent=Agent.CODEX).run
    assert do(run_orders.stop, run.id).run.state is State.CANCELLED


def test_a_task_goes_from_one_agent_to_another(app, do, task):
    seat = stage.seat(app, task.id)
    seat.say("It is the cache")
    with pytest.raises(Conflict, match="still at work"):
        do(run_orders.hand_over, seat.run, Agent.GEMINI)
    seat.finish(ok=False, error="Gave up")
    handed = do(run_orders.hand_over, seat.run, Agent.GEMINI, instructions="Clear it").run
    assert (handed.agent, handed.branch) == (Agent.GEMINI, f"task/{task.id}-login")
    assert handed.instructions.startswith("Clear it")
    assert "Gave up" in handed.instructions


@pytest.mark.parametrize(("state", "status"), [(State.COMPLETED, Status.DONE), (State.FAILED, Status.TODO)])
def test_ending_a_task_stops_its_agent_and_keeps_what_was_said_came_of_it(app, do, task, state, status):
    seat = stage.seat(app, task.id)
    assert do(run_orders.end, task.id, state, result={"ok": 1}).stopping
    ended = seat.finish(ok=False, result={"summary": "half of it"})
    assert (ended.run.state, ended.run.result, ended.task.status) == (state, {"ok": 1}, status)
    with pytest.raises(Ended):
        do(run_orders.end, task.id, state)


def test_what_was_said_came_of_an_earlier_turn_does_not_stand_for_the_next(app, do, task):
    seat = stage.seat(app, task.id)
    do(run_orders.stop, seat.run, result="old")
    seat.finish(ok=False)
    do(run_orders.follow_up, seat.run, "Once more")
    again = stage.take(app, seat.run, task.id)
    again.do(dispatch.next_instructions, again.hold)
    again.do(dispatch.next_instructions, again.hold)
    assert again.finish(result="new").run.result == "new"


def test_an_update_is_all_or_nothing(app, do, task):
    seat = stage.seat(app, task.id)
    before = do(run_log.read_run, seat.run)
    with pytest.raises(Invalid):
        do(run_orders.update, task.id, instructions="More", log="")
    with pytest.raises(Invalid, match="Nothing to update"):
        do(run_orders.update, task.id)
    assert do(run_log.read_run, seat.run) == before
    do(run_orders.update, task.id, instructions="More", log="Told")
    assert [entry.text for entry in do(run_log.read_run, seat.run)[-2:]] == ["More", "Told"]


def test_what_a_worker_carries_out_is_its_to_begin_and_anybodys_to_end(app, do, task):
    do(run_orders.start, task.id, agent=Agent.CODEX)
    with pytest.raises(Conflict, match="its worker says"):
        do(run_orders.update, task.id, state=State.IN_PROGRESS)
    stage.take_latest(app, task.id)
    assert do(run_orders.update, task.id, state=State.IN_PROGRESS).state is State.IN_PROGRESS
    assert do(run_orders.update, task.id, state=State.FAILED, log="Enough").stopping


def test_nobody_hears_where_nobody_was_sent(do, add):
    task = add()
    with pytest.raises(NotLive):
        do(run_orders.update, task.id, instructions="More")
    assert do(run_orders.update, task.id, state=State.COMPLETED).task.status is Status.DONE
    with pytest.raises(Ended):
        do(run_orders.update, task.id, instructions="More")
    assert do(runs.get, task.id).run is None
