"""What an agent says is done is in review until the task's acceptance commands pass."""

from __future__ import annotations

import pytest

from taskpilot.domain.caller import local
from taskpilot.domain.run import Agent
from taskpilot.domain.task import Status
from taskpilot.ops import bulk, evidence, history, run_orders, runs, tasks
from tests.contracts import stage

CONTRACTS = ("native", "manager", "simple", "todo", "taskpilot", "coder")
PEOPLE = ("cli", "rest", "web", "chat")


@pytest.fixture
def asked(add, tmp_path):
    """A task that asks for proof."""
    return add("Login", workspace=str(tmp_path), acceptance=["make test", "make lint"], progress=40)


@pytest.fixture
def agent(app):
    """Run an operation as an agent does, through a contract."""
    return lambda op, *args, door="native", **kwargs: app.run(local(door, "agent"), op, *args, **kwargs)


@pytest.mark.parametrize("door", CONTRACTS)
@pytest.mark.parametrize(
    "finish",
    [
        lambda agent, id, door: agent(tasks.complete, id, door=door),
        lambda agent, id, door: agent(tasks.toggle, id, door=door),
        lambda agent, id, door: agent(tasks.update, id, {"status": "done"}, door=door),
        lambda agent, id, door: agent(tasks.update, id, {"progress": 100}, door=door),
        lambda agent, id, door: agent(tasks.update, id, {"notes": "hm"}, completed=True, door=door),
    ],
    ids=["complete", "toggle", "status", "progress", "completed"],
)
def test_said_done_by_an_agent_it_is_in_review(agent, asked, finish, door):
    changed = finish(agent, asked.id, door)
    assert (changed.task.status, changed.task.progress, changed.task.completed_at) == (Status.REVIEW, 40, None)
    assert changed.unproved == "In review until its acceptance commands pass: make test, make lint."
    assert changed.freed == ()


@pytest.mark.parametrize("door", PEOPLE)
def test_a_person_is_believed(app, asked, door):
    changed = app.run(local(door), tasks.complete, asked.id)
    assert (changed.task.status, changed.unproved) == (Status.DONE, "")


def test_a_task_that_asks_for_nothing_is_done(agent, add):
    assert agent(tasks.complete, add().id).task.status is Status.DONE


def test_saying_it_again_changes_nothing(agent, asked, do):
    agent(tasks.complete, asked.id)
    before = do(history.list_page).items
    again = agent(tasks.complete, asked.id)
    assert again.task.status is Status.REVIEW
    assert "make test" in again.unproved
    assert do(history.list_page).items == before


def test_what_waits_on_it_waits_on(agent, asked, add, do):
    add("Deploy", blocked_by=[asked.id])
    assert agent(tasks.complete, asked.id).freed == ()
    assert [task.title for task in do(tasks.complete, asked.id).freed] == ["Deploy"]


def test_other_changes_beside_it_are_kept(agent, asked):
    changed = agent(tasks.update, asked.id, {"status": "done", "notes": "All green here"})
    assert (changed.task.status, changed.task.notes) == (Status.REVIEW, "All green here")
    assert changed.task.version == asked.version + 1


def test_a_new_task_cannot_be_done_unproved(agent):
    (made,) = agent(tasks.create, [{"title": "Old news", "status": "done", "acceptance": ["true"]}]).tasks
    assert made.status is Status.REVIEW


def test_many_at_once_are_held_to_it_too(agent, asked):
    changed = agent(bulk.change, complete=[asked.id])
    assert changed.completed[0].status is Status.REVIEW


def test_only_what_has_not_passed_on_the_last_commit_is_named(app, agent, asked):
    seat = stage.seat(app, asked.id)
    seat.keep("c0ffee")
    seat.prove("make test", 0, "c0ffee")
    seat.prove("make lint", 1, "c0ffee")
    assert agent(tasks.complete, asked.id).unproved.endswith("pass: make lint.")
    seat.prove("make lint", 0, "c0ffee")
    seat.keep("decaf0")
    assert agent(tasks.complete, asked.id).unproved.endswith("pass: make test, make lint.")


def test_many_commands_are_told_in_one_line(agent, add):
    task = add(acceptance=[f"check {number} {'x' * 90}" for number in range(9)])
    told = agent(tasks.complete, task.id).unproved
    assert "and 6 more" in told
    assert "\n" not in told
    assert len(told) < 300


def test_once_it_is_proved_an_agent_is_believed(app, agent, asked, do):
    seat = stage.seat(app, asked.id)
    seat.keep()
    seat.prove("make test")
    seat.prove("make lint")
    seat.finish(resting=True)
    assert do(evidence.get, asked.id).accepted
    assert agent(tasks.complete, asked.id).task.status is Status.DONE


def test_said_done_too_early_it_is_done_when_the_proof_comes(app, agent, asked, do):
    seat = stage.seat(app, asked.id)
    assert agent(tasks.complete, asked.id).task.status is Status.REVIEW
    seat.keep()
    seat.prove("make test")
    accepted = seat.prove("make lint").accepted
    assert do(tasks.get, asked.id).status is Status.REVIEW
    assert seat.finish(accepted=accepted).task.status is Status.DONE


def test_a_follow_up_that_passes_makes_it_done(app, asked, do):
    seat = stage.seat(app, asked.id)
    seat.keep()
    assert seat.finish(accepted=seat.prove("make test", 1).accepted).task.status is Status.REVIEW
    do(run_orders.follow_up, seat.run, "Mend it")
    again = stage.take(app, seat.run, asked.id)
    again.keep("decaf0")
    again.prove("make test", 0, "decaf0")
    assert again.finish(accepted=again.prove("make lint", 0, "decaf0").accepted).task.status is Status.DONE


def test_a_program_that_ran_well_is_no_proof(app, asked):
    seat = stage.seat(app, asked.id, agent=Agent.COMMAND, config={"command": ["make"]})
    ended = seat.finish()
    assert (ended.run.state, ended.task.status) == ("completed", Status.REVIEW)


def test_a_session_said_to_be_completed_says_why_its_task_is_not(agent, asked):
    ended = agent(runs.end, asked.id, runs.State.COMPLETED, door="coder")
    assert ended.task.status is Status.REVIEW
    assert "make test" in ended.unproved
