"""A run rests and asks where it has used up what it was given; it asks before it does what it may not do unasked."""

from __future__ import annotations

from itertools import pairwise

import pytest

from taskpilot.domain.question import Asking
from taskpilot.domain.run import Agent, Kind, State
from taskpilot.domain.task import Status
from taskpilot.ops import policies, questions, run_orders
from tests.agents.workshop import Workshop, script, wait

pytestmark = pytest.mark.slow


def caps(**limits: int) -> dict[str, object]:
    return {"caps": limits}


@pytest.mark.parametrize(("cap", "steps"), [("seconds", {"sleep": 3}), ("idle_seconds", {"sleep": 3})])
def test_time_that_is_up_lets_a_run_rest_until_it_is_told_to_go_on(shop: Workshop, cap: str, steps: dict) -> None:
    run = shop.start(script({"edit": "a", "content": "1"}, steps, {"recall": True}), config=caps(**{cap: 2}))

    rested = shop.finish(run)

    assert (rested.state, rested.worker) == (State.WAITING, "")
    assert shop.task(run).status is Status.IN_PROGRESS
    assert shop.commits(run) == ["Paint the walls"]
    question = shop.wait_for_question(run)
    assert question.asking is Asking.CAP
    assert (question.data["cap"], question.data["limit"], question.data["used"]) == (cap, 2, 2)
    assert "2 s" in question.text
    assert shop.find_left() == []

    shop.do(questions.answer, question.id, "continue")
    ended = shop.wait_for(run, State.WAITING, State.FAILED)
    shop.wait_until_said(run, "turn 2")
    ended = shop.finish(run)

    assert (ended.state, ended.config["caps"][cap]) == (State.WAITING, 4)
    assert shop.task(run).status is Status.REVIEW
    assert shop.commits(run) == ["Paint the walls"]


def test_a_run_that_is_not_to_go_on_is_cancelled(shop: Workshop) -> None:
    run = shop.start(script({"sleep": 30}), config=caps(seconds=1))
    shop.finish(run)

    shop.do(questions.answer, shop.wait_for_question(run).id, "stop")

    assert shop.get(run).state is State.CANCELLED


def test_money_is_counted_while_it_is_spent(shop: Workshop) -> None:
    run = shop.start(script({"usage": [1, 1, 0.6]}, {"sleep": 30}), config=caps(cost_micros=500_000))

    shop.finish(run)

    question = shop.wait_for_question(run)
    assert (question.data["cap"], question.data["used"]) == ("cost_micros", 600_000)
    assert "$0.60" in question.text


def test_tokens_used_up_by_a_turn_that_is_over_keep_the_next_from_being_begun(shop: Workshop) -> None:
    run = shop.start(script({"usage": [80, 30, 0.0]}, {"say": "one"}), config=caps(tokens=100))
    assert shop.finish(run).state is State.WAITING
    assert shop.do(questions.list_of_run, run.id) == []

    shop.do(run_orders.follow_up, run.id, script({"say": "two"}))
    question = shop.wait_for_question(run)
    assert (question.data["cap"], question.data["limit"], question.data["used"]) == ("tokens", 100, 110)
    shop.finish(run)
    shop.do(questions.answer, question.id, "continue")

    wait(lambda: shop.said(run) == ["one", "two"], "the second turn")


def test_a_run_is_told_no_more_than_its_turns_allow(shop: Workshop) -> None:
    run = shop.start(script({"say": "one"}), config=caps(turns=1))
    shop.finish(run)

    shop.do(run_orders.follow_up, run.id, script({"say": "two"}))
    question = shop.wait_for_question(run)
    assert question.data["cap"] == "turns"
    shop.finish(run)
    assert shop.said(run) == ["one"]

    shop.do(questions.answer, question.id, "continue")
    wait(lambda: shop.said(run) == ["one", "two"], "the second turn")
    assert shop.finish(run).turns == 2


def test_a_command_has_no_session_to_rest_in_and_fails_at_its_cap(shop: Workshop) -> None:
    ended = shop.finish(shop.start_command("sleep", "30", seconds=1))

    assert ended.state is State.FAILED
    assert "1 s" in ended.error
    assert shop.find_left() == []


@pytest.mark.parametrize(
    ("answer", "heard"), [("allow_once", "allowed"), ("allow_always", "allowed"), ("deny", "denied")]
)
def test_a_permission_is_asked_and_the_agent_waits_for_it(shop: Workshop, answer: str, heard: str) -> None:
    shop.govern(caps={"idle_seconds": 2})
    run = shop.start(script({"ask": "rm -rf build", "kind": "execute"}, {"ask": "make", "kind": "execute"}))
    question = shop.wait_for_question(run)

    assert (question.asking, question.data["kind"]) == (Asking.PERMISSION, "execute")
    assert "rm -rf build" in question.text
    assert shop.get(run).state is State.IN_PROGRESS
    shop.do(questions.answer, question.id, answer)
    if answer != "allow_always":
        shop.do(questions.answer, shop.wait_for_question(run).id, answer)
    shop.finish(run)

    told = shop.said(run)
    assert len(told) == 2 or "\n" in told[0]
    assert all(heard in text for text in told)
    always = "execute" in shop.do(policies.get, run.workspace).allow
    assert always is (answer == "allow_always")


def test_waiting_for_a_person_is_not_idling(shop: Workshop) -> None:
    shop.govern(caps={"idle_seconds": 1, "seconds": 2})
    run = shop.start(script({"ask": "make", "kind": "execute"}))
    question = shop.wait_for_question(run)

    with pytest.raises(AssertionError):
        shop.finish(run, seconds=3)
    shop.do(questions.answer, question.id, "allow_once")

    assert shop.finish(run).state is State.WAITING
    assert "allowed" in shop.said(run)[0]


def test_a_policy_answers_for_its_person(shop: Workshop) -> None:
    shop.govern(allow=["execute"], deny=["fetch"])
    run = shop.start(script({"ask": "make", "kind": "execute"}, {"ask": "curl", "kind": "fetch"}))

    shop.finish(run)

    told = "\n".join(shop.said(run))
    assert told.index("allowed") < told.index("denied")
    assert [entry.data["answer"] for entry in shop.log(run, Kind.PERMISSION_REQUEST)] == ["allow_once", "deny"]


def test_an_agent_by_json_is_allowed_to_start_or_not(shop: Workshop) -> None:
    run = shop.start(script({"say": "hi"}), Agent.CODEX, config={"way": "cli_json"})
    shop.do(questions.answer, shop.wait_for_question(run).id, "deny")

    ended = shop.finish(run)

    assert ended.state is State.FAILED
    assert "not allowed" in ended.error


def test_a_task_that_waits_on_another_is_not_begun(shop: Workshop) -> None:
    first = shop.add("First")
    second = shop.add("Second", blocked_by=[first.id])
    late = shop.start_command("true", task=second)
    early = shop.start_command("true", task=first)

    shop.finish(early)
    shop.finish(late)

    assert shop.get(late).started_at >= shop.get(early).ended_at


def test_a_workspace_has_no_more_runs_at_a_time_than_it_may(shop: Workshop) -> None:
    shop.govern(most_runs=1)
    runs = [shop.start_command("sleep", "0.3") for _ in range(3)]

    ended = sorted((shop.finish(run) for run in runs), key=lambda run: run.started_at)

    assert all(later.started_at >= earlier.ended_at for earlier, later in pairwise(ended))
