from __future__ import annotations

from dataclasses import replace

import pytest

from taskpilot.domain.claim import Ending
from taskpilot.domain.errors import Conflict, Invalid, NotFound
from taskpilot.domain.task import Status
from taskpilot.domain.wip import LimitKind
from taskpilot.ops import claims, history, tasks
from taskpilot.ops.queue import Wish

ANY = Wish()


@pytest.fixture
def agent(app, me):
    """Run an operation as one of several agents of the same user."""

    def agent(name):
        return lambda op, *args, **kwargs: app.run(replace(me, actor=name), op, *args, **kwargs)

    return agent


def test_the_best_ready_task_goes_to_exactly_one_agent(agent, add):
    high, low = add("High", priority="high"), add("Low", priority="low")
    first = agent("ann")(claims.take_next, ANY)
    second = agent("bob")(claims.take_next, ANY)
    third = agent("cat")(claims.take_next, ANY)
    assert (first.task.id, second.task.id, third.task) == (high.id, low.id, None)
    assert first.task.status is Status.IN_PROGRESS
    assert second.claim.id > first.claim.id
    assert "high priority" in first.reason


def test_a_stale_token_is_refused_and_says_who_holds_it_now(agent, add, clock):
    task = add()
    old = agent("ann")(claims.take_next, ANY, lease=60).claim
    clock.forward(seconds=61)
    new = agent("bob")(claims.take, task.id).claim
    with pytest.raises(Conflict, match=r"Claim \d+ on task 1 has ended \(expired\); bob holds it now, until"):
        agent("ann")(tasks.update, task.id, {"title": "Mine"}, claim=old.id)
    with pytest.raises(Conflict, match="bob holds it now"):
        agent("ann")(tasks.complete, task.id, claim=old.id)
    with pytest.raises(Conflict):
        agent("ann")(tasks.delete, task.id, claim=old.id)
    assert agent("bob")(tasks.complete, task.id, claim=new.id).task.completed


def test_any_write_with_the_token_renews_the_lease(agent, add, clock):
    task = add()
    token = agent("ann")(claims.take_next, ANY, lease=60).claim.id
    for _ in range(5):
        clock.forward(seconds=50)
        agent("ann")(tasks.update, task.id, {"progress": 10 + _}, claim=token)
    assert agent("ann")(claims.check, task.id, token).holds(clock.now)


def test_a_task_whose_lease_ran_out_returns_with_a_note_of_who_had_it_and_what_it_did(agent, add, clock, do):
    task = add()
    token = agent("ann")(claims.take_next, ANY, lease=60).claim.id
    agent("ann")(tasks.update, task.id, {"progress": 40}, claim=token)
    clock.forward(seconds=61)
    taken = agent("bob")(claims.take_next, ANY)
    assert (taken.task.id, taken.before.actor, taken.before.ending) == (task.id, "ann", Ending.EXPIRED)
    assert any("progress" in line for line in taken.did)
    told = [event.reason for event in do(history.list_page, task_id=task.id).items]
    assert any("The lease of ann ran out" in reason for reason in told)


def test_what_is_handed_off_reaches_the_next_claimer(agent, add):
    task = add()
    token = agent("ann")(claims.take_next, ANY).claim.id
    handoff = {"done": "walls", "tried": "glue", "failed": "glue", "next": "roof"}
    back, ended = agent("ann")(claims.release, task.id, token, handoff=handoff)
    assert (back.status, ended.ending) == (Status.TODO, Ending.RELEASED)
    taken = agent("bob")(claims.take_next, ANY)
    assert taken.before.handoff.lines == ("done: walls", "tried: glue", "failed: glue", "next: roof")


def test_completing_ends_the_claim_and_repeating_it_is_safe(agent, add):
    task = add()
    token = agent("ann")(claims.take_next, ANY).claim.id
    agent("ann")(tasks.complete, task.id, claim=token)
    assert agent("ann")(tasks.complete, task.id, claim=token).task.completed
    with pytest.raises(Conflict, match="has ended"):
        agent("ann")(claims.check, task.id, token)


def test_a_person_may_complete_what_an_agent_holds_and_the_agent_is_told(agent, add, do):
    task = add()
    token = agent("ann")(claims.take_next, ANY).claim.id
    do(tasks.complete, task.id)
    with pytest.raises(Conflict, match="nobody holds it now"):
        agent("ann")(tasks.update, task.id, {"notes": "more"}, claim=token)


def test_a_held_task_cannot_be_taken_by_another(agent, add):
    task = add()
    agent("ann")(claims.take, task.id)
    with pytest.raises(Conflict, match="ann holds task 1 until"):
        agent("bob")(claims.take, task.id)


def test_a_strangers_task_and_token_are_not_there(app, stranger, agent, add):
    task = add()
    token = agent("ann")(claims.take_next, ANY).claim.id
    with pytest.raises(NotFound):
        app.run(stranger, claims.take, task.id)
    with pytest.raises(Conflict, match="is not a claim on task"):
        app.run(stranger, claims.check, task.id, token)
    assert app.run(stranger, claims.list_live) == []


@pytest.mark.parametrize("lease", [0, 4, 86_401, -1])
def test_a_lease_has_limits(agent, add, lease):
    add()
    with pytest.raises(Invalid, match="A lease cannot be"):
        agent("ann")(claims.take_next, ANY, lease=lease)
    assert agent("ann")(claims.list_live) == []


def test_limits_of_work_in_progress_hold_for_projects_workspaces_and_agents(agent, add, do, tmp_path):
    for title in ("A", "B"):
        add(title, project="Home", priority="high")
    other = add("C", priority="low", workspace=str(tmp_path))
    do(claims.limit, LimitKind.PROJECT, "Home", 1)
    assert agent("ann")(claims.take_next, ANY).task.project == "Home"
    taken = agent("bob")(claims.take_next, ANY)
    assert taken.task.id == other.id
    assert "Project 'Home' has 1 of at most 1 tasks in progress" in taken.held_back[0].why
    do(claims.limit, LimitKind.AGENT, "", 1)
    with pytest.raises(Conflict, match="bob holds 1 of at most 1"):
        agent("bob")(claims.take_next, ANY)
    do(claims.limit, LimitKind.AGENT, "bob", 5)
    do(claims.limit, LimitKind.PROJECT, "Home", 0)
    assert agent("bob")(claims.take_next, ANY).task.project == "Home"
    assert len(do(claims.list_limits)) == 2


def test_tasks_that_touch_files_of_a_live_claim_are_held_back_and_the_answer_says_so(agent, add):
    add("First", priority="critical", connected_files=["src/a.py"])
    second = add("Second", priority="high", connected_files=["src/a.py", "src/b.py"])
    third = add("Third", priority="low", connected_files=["src/c.py"])
    agent("ann")(claims.take_next, ANY)
    taken = agent("bob")(claims.take_next, ANY)
    assert taken.task.id == third.id
    assert [(each.task, each.why) for each in taken.held_back] == [(second.id, "src/a.py is in the hands of task 1")]
    nothing = agent("cat")(claims.take_next, ANY)
    assert nothing.task is None
    assert "src/a.py" in nothing.reason


def test_deleting_a_held_task_ends_its_claim(agent, add, do):
    task = add()
    token = agent("ann")(claims.take_next, ANY).claim.id
    do(tasks.delete, task.id)
    with pytest.raises(Conflict):
        agent("ann")(claims.check, task.id, token)
