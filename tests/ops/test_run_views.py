from __future__ import annotations

import pytest

from taskpilot.domain.errors import NotFound
from taskpilot.domain.question import Asking
from taskpilot.domain.run import Agent, State
from taskpilot.ops import policies, run_orders, run_views, runs, tasks
from tests.contracts.stage import seat, take


@pytest.fixture
def task(add, tmp_path):
    return add(workspace=str(tmp_path), acceptance=["make test"])


def test_a_run_is_shown_with_what_it_asks_and_how_its_proof_stands(app, do, task):
    sat = seat(app, task.id)
    sat.keep("c0ffee")
    sat.prove("make test", code=2)
    asked = sat.ask("May it run make?", kind="execute")
    view = do(run_views.get, sat.run)
    assert (view.run.state, view.question, view.obstacle) == (State.IN_PROGRESS, asked, "")
    assert [each.exit_code for each in view.proof.found] == [2]
    assert not view.proof.accepted


def test_a_run_in_the_queue_says_what_keeps_it_waiting(app, do, add, task, tmp_path):
    first = add("Ground", workspace=str(tmp_path))
    do(tasks.update, task.id, {"blocked_by": [first.id]})
    waiting = do(run_orders.start, task.id, agent=Agent.CODEX).run
    assert do(run_views.get, waiting.id).obstacle == f"Task {task.id} waits on task {first.id}"
    do(tasks.complete, first.id)
    assert do(run_views.get, waiting.id).obstacle == ""
    do(policies.change, task.workspace, {"most_runs": 1})
    seat(app, add("Roof", workspace=str(tmp_path)).id)
    assert "at most 1" in do(run_views.get, waiting.id).obstacle
    do(policies.change, task.workspace, {"most_runs": 0})
    assert "You have 1 of at most 1 runs" in do(run_views.get, waiting.id, user_most=1).obstacle


def test_runs_are_listed_by_state_agent_task_and_workspace(app, do, add, task, tmp_path):
    other = add("Roof", workspace=str(tmp_path / "other"))
    sat = seat(app, task.id, agent=Agent.CODEX)
    asked = sat.ask()
    waits = do(run_orders.start, other.id, agent=Agent.GEMINI).run
    do(runs.end, add("By hand").id, State.FAILED)

    def found(**how):
        rows, total = do(run_views.list_page, limit=10, **how)
        assert total == len(rows)
        return [run.id for run, _ in rows]

    assert found() == [waits.id, sat.run]
    assert found(states=(State.IN_PROGRESS, State.FAILED)) == [sat.run]
    assert found(agent=Agent.GEMINI) == [waits.id]
    assert found(task=task.id) == found(workspace=task.workspace) == [sat.run]
    assert len(found(agent=Agent.HAND)) == 1
    rows, total = do(run_views.list_page, limit=1, offset=1)
    assert ([(run.id, question) for run, question in rows], total) == ([(sat.run, asked)], 2)
    do(tasks.delete, task.id)
    assert found() == [waits.id]


def test_a_log_is_followed_to_its_end_with_nothing_twice_and_nothing_left_out(app, do, task):
    sat = seat(app, task.id)
    sat.say(*"abcde")
    heard, last, steps = [], 0, 0
    while steps < 10:
        news = do(run_views.follow, sat.run, after=last, limit=2)
        heard += [entry.number for entry in news.entries]
        last = news.entries[-1].number if news.entries else last
        steps += 1
        if not news.more:
            break
    assert heard == list(range(1, len(heard) + 1))
    assert not news.complete
    sat.finish()
    news = do(run_views.follow, sat.run, after=last)
    assert news.complete
    assert news.run.state is State.WAITING
    assert news.entries[0].number == last + 1


def test_a_run_that_nobody_has_sent_off_has_no_more_to_tell(do, tmp_path):
    made = do(
        runs.create, agent=Agent.CODEX, description="Walls", instructions="Build", workspace=str(tmp_path), start=False
    )
    assert do(run_views.follow, made.run.id).complete


def test_a_run_that_rests_at_a_cap_has_told_all_and_asks(app, do, task):
    sat = seat(app, task.id)
    asked = sat.ask("Enough?", Asking.CAP, cap="turns", limit=3)
    sat.finish(resting=True)
    news = do(run_views.follow, sat.run)
    assert news.complete
    assert news.question == asked


def test_a_report_tells_of_this_run_and_not_of_the_next(app, do, task, clock):
    sat = seat(app, task.id)
    sat.say("first", "second")
    sat.keep()
    clock.forward(seconds=90)
    sat.finish()
    after = do(run_orders.hand_over, sat.run, Agent.CODEX).run
    take(app, after.id, task.id).say("third")
    told = do(run_views.report, sat.run, lines=2)
    assert told.counts["message"] == 2
    assert told.last[-1].kind == "end"
    assert told.diff.added == 3
    assert told.seconds == 90
    clock.forward(seconds=1_000)
    assert do(run_views.report, sat.run).seconds == 90


def test_a_run_without_changes_has_an_empty_diff(app, do, task):
    sat = seat(app, task.id)
    assert do(run_views.read_diff, sat.run)[1] == run_views.NO_DIFF


@pytest.mark.parametrize("op", [run_views.get, run_views.follow, run_views.read_diff, run_views.report])
def test_strangers_and_huge_numbers_find_nothing(app, stranger, do, task, op):
    sat = seat(app, task.id)
    with pytest.raises(NotFound, match=f"Run {sat.run} not found"):
        app.run(stranger, op, sat.run)
    with pytest.raises(NotFound):
        do(op, 10**30)
    assert app.run(stranger, run_views.list_page, limit=5) == ([], 0)
