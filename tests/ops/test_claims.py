from __future__ import annotations

from dataclasses import replace

import pytest

from taskpilot.domain.claim import Ending
from taskpilot.domain.errors import Conflict, Invalid, NotFound
from taskpilot.domain.task import Status
from taskpilot.domain.wip import LimitKind, WipLimit
from taskpilot.ops import claims, history, projects, queue, tasks
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


def test_a_projects_limit_stays_with_it_under_another_name(agent, add, do):
    home = add("A", project="Home").project_id
    add("B", project="Home")
    do(claims.limit, LimitKind.PROJECT, "Home", 1)
    do(projects.save, "Home", rename="House")
    assert do(claims.list_limits) == [WipLimit(LimitKind.PROJECT, "House", 1, home)]
    agent("ann")(claims.take_next, ANY)
    assert "Project 'House' has 1 of at most 1" in agent("bob")(claims.take_next, ANY).reason
    with pytest.raises(NotFound, match="There is no project 'Home'"):
        do(claims.limit, LimitKind.PROJECT, "Home", 2)
    add("C", project="Home")
    assert agent("bob")(claims.take_next, ANY).task.title == "C"
    do(claims.limit, LimitKind.PROJECT, "House", 2)
    assert do(claims.list_limits) == [WipLimit(LimitKind.PROJECT, "House", 2, home)]
    assert do(history.list_page).items[0].reason == "project House"


def test_a_deleted_project_has_no_limit_until_it_is_back(agent, add, do):
    add("A", project="Home")
    do(claims.limit, LimitKind.PROJECT, "Home", 1)
    do(projects.delete, "Home")
    assert do(claims.list_limits) == []
    add("B", project="Home")
    add("C", project="Home")
    for _ in range(3):
        assert agent("ann")(claims.take_next, ANY).task is not None


def test_undo_brings_a_projects_limit_back_with_it(add, do):
    home = add("A", project="Home").project_id
    do(claims.limit, LimitKind.PROJECT, "Home", 1)
    do(projects.delete, "Home")
    do(history.undo)
    assert do(claims.list_limits) == [WipLimit(LimitKind.PROJECT, "Home", 1, home)]


def test_limits_of_the_same_name_are_told_apart(app, add, do, stranger):
    add("A", project="bob")
    app.run(stranger, tasks.create, [{"title": "T", "project": "bob"}])
    do(claims.limit, LimitKind.PROJECT, "bob", 1)
    do(claims.limit, LimitKind.AGENT, "bob", 2)
    app.run(stranger, claims.limit, LimitKind.PROJECT, "bob", 3)
    assert [(each.kind, each.name, each.most) for each in do(claims.list_limits)] == [
        (LimitKind.AGENT, "bob", 2),
        (LimitKind.PROJECT, "bob", 1),
    ]
    do(claims.limit, LimitKind.PROJECT, "bob", 0)
    assert [each.kind for each in do(claims.list_limits)] == [LimitKind.AGENT]
    assert [each.most for each in app.run(stranger, claims.list_limits)] == [3]


def test_what_is_only_looked_at_is_not_held_by_a_lease_that_ran_out(agent, add, clock, do):
    task = add("Only", project="Home", connected_files=["a.py"])
    do(claims.limit, LimitKind.PROJECT, "Home", 1)
    agent("ann")(claims.take_next, ANY, lease=60)
    assert do(queue.next_task).task is None
    clock.forward(seconds=61)
    found = do(queue.next_task)
    assert found.task.id == task.id
    assert found.reason.endswith("a lease on it ran out")
    assert do(queue.next_task, project="Elsewhere").task is None
    assert do(claims.list_live) == []
    assert do(claims.find, task.id) == (None, None)


def test_one_put_elsewhere_by_hand_is_offered_once_the_lease_ran_out(agent, add, clock, do):
    task = add()
    agent("ann")(claims.take_next, ANY, lease=60)
    do(tasks.update, task.id, {"status": "todo"})
    assert do(queue.next_task).task is None
    clock.forward(seconds=61)
    assert do(queue.next_task).task.id == task.id
    do(tasks.update, task.id, {"status": "review"})
    assert do(queue.next_task).task is None


def test_more_leases_than_are_swept_at_once_keep_nobody_waiting(agent, add, clock, monkeypatch):
    for title in "ABC":
        add(title)
        agent("ann")(claims.take_next, ANY, lease=60)
    clock.forward(seconds=61)
    monkeypatch.setattr(claims, "SWEPT_AT_ONCE", 1)
    taken = [agent("bob")(claims.take_next, ANY) for _ in range(3)]
    assert sorted(each.task.title for each in taken) == ["A", "B", "C"]
    assert {(each.before.actor, each.before.ending) for each in taken} == {("ann", Ending.EXPIRED)}


def test_who_holds_a_task_and_who_had_it_are_told_together(agent, add, do, stranger, app):
    task = add()
    assert do(claims.find, task.id) == (None, None)
    first = agent("ann")(claims.take, task.id).claim
    assert do(claims.find, task.id) == (first, None)
    agent("ann")(claims.release, task.id, first.id)
    held, last = do(claims.find, task.id)
    assert (held, last.actor, last.ending) == (None, "ann", Ending.RELEASED)
    second = agent("bob")(claims.take, task.id).claim
    held, last = do(claims.find, task.id)
    assert (held, last.id) == (second, first.id)
    for caller_run in (do, lambda op, number: app.run(stranger, op, number)):
        for number in (task.id + 1, 0, -1, 2**63, 10**30):
            with pytest.raises(NotFound):
                caller_run(claims.find, number)
    with pytest.raises(NotFound):
        app.run(stranger, claims.find, task.id)
    do(tasks.delete, task.id)
    with pytest.raises(NotFound):
        do(claims.find, task.id)


def test_a_handoff_outlives_whoever_left_no_word(agent, add, clock):
    task = add()
    token = agent("ann")(claims.take, task.id).claim.id
    agent("ann")(claims.release, task.id, token, handoff={"next": "the roof"})
    agent("bob")(claims.take, task.id, lease=5)
    clock.forward(seconds=6)
    taken = agent("carl")(claims.take, task.id)
    assert (taken.before.actor, taken.before.handoff.next) == ("ann", "the roof")
