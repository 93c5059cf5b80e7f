"""Runs are told more, handed over and stopped while they live and after."""

from __future__ import annotations

import time

import psutil
import pytest

from taskpilot.domain.run import Agent, State
from taskpilot.domain.task import Status
from taskpilot.ops import questions, run_orders
from tests.agents.workshop import Workshop, script, wait

pytestmark = pytest.mark.slow


def test_a_live_agent_hears_what_it_is_told_and_goes_on_in_its_session(shop: Workshop) -> None:
    run = shop.start(script({"say": "begun"}, {"sleep": 5}))
    shop.wait_until_said(run, "begun")

    shop.do(run_orders.follow_up, run.id, script({"edit": "more", "content": "1"}, {"recall": True}))
    shop.wait_until_said(run, "turn 2")

    ended = shop.finish(run)
    assert (ended.state, ended.turn, ended.turns, ended.attempt) == (State.WAITING, 0, 2, 1)
    assert shop.commits(run) == ["Paint the walls"]


def test_a_run_at_rest_is_sent_off_again_in_the_session_it_had(shop: Workshop) -> None:
    run = shop.start(script({"edit": "one", "content": "1"}))
    first = shop.finish(run)

    shop.do(run_orders.follow_up, run.id, script({"edit": "two", "content": "2"}, {"recall": True}))
    shop.wait_until_said(run, "turn 2")
    second = shop.finish(run)

    assert (second.agent_session, second.worktree) == (first.agent_session, first.worktree)
    assert len(shop.commits(run)) == 2
    assert set(second.files_changed) == {"one", "two"}


def test_an_agent_that_has_lost_its_session_is_told_the_whole_story(shop: Workshop) -> None:
    run = shop.start(script({"say": "hello"}, said="Paint it blue."))
    shop.finish(run)
    for file in (shop.home / ".scripted").iterdir():
        file.unlink()

    shop.do(run_orders.follow_up, run.id, script({"recall": True}))

    shop.wait_until_said(run, "turn 1")
    assert any("lost its session" in entry.text for entry in shop.log(run))


def test_a_task_goes_from_one_agent_to_another_on_the_same_branch(shop: Workshop) -> None:
    task = shop.add("Paint")
    first = shop.start(script({"edit": "one", "content": "1"}, {"say": "Half of it."}), task=task)
    shop.finish(first)

    handed = shop.do(run_orders.hand_over, first.id, Agent.CODEX, instructions="Finish it.").run
    ended = shop.finish(handed)

    assert (ended.state, ended.error, ended.branch) == (State.WAITING, "", shop.get(first).branch)
    assert "Half of it" in ended.instructions
    assert shop.show(handed, "one") == "1"


def test_stopping_leaves_nothing_alive_and_keeps_what_was_done(shop: Workshop) -> None:
    orphans = ({"orphan": 300}, {"orphan": 301})
    run = shop.start(script({"edit": "half", "content": "1"}, {"ignore_signals": True}, *orphans, {"hang": True}))
    pids = [int(shop.wait_until_said(run, "orphan").text.split()[1])]
    began = time.monotonic()

    shop.do(run_orders.stop, run.id)
    wait(lambda: not shop.find_left() and not any(map(psutil.pid_exists, pids)), "all to be gone", 10)
    gone = time.monotonic() - began

    assert gone < 5
    ended = shop.finish(run)
    assert (ended.state, shop.task(run).status) == (State.CANCELLED, Status.TODO)
    assert shop.show(run, "half") == "1"


def test_a_run_can_be_stopped_before_it_began_and_as_something_else(shop: Workshop) -> None:
    shop.govern(most_runs=1)
    first, second = shop.start_command("sleep", "30"), shop.start_command("true")
    shop.wait_for(first, State.IN_PROGRESS)

    shop.do(run_orders.stop, second.id)
    shop.do(run_orders.stop, first.id, ends_as=State.COMPLETED, result={"by": "hand"})

    assert shop.get(second).state is State.CANCELLED
    ended = shop.finish(first)
    assert (ended.state, ended.result) == (State.COMPLETED, {"by": "hand"})


def test_a_permission_that_nobody_needs_any_more_lapses(shop: Workshop) -> None:
    run = shop.start(script({"ask": "make", "kind": "execute"}))
    question = shop.wait_for_question(run)

    shop.do(run_orders.stop, run.id)

    assert shop.finish(run).state is State.CANCELLED
    assert not shop.do(questions.get, question.id).open
