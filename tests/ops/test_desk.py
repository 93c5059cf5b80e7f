from __future__ import annotations

from dataclasses import replace

import pytest

from taskpilot.domain.caller import worker
from taskpilot.domain.errors import Conflict, Forbidden, Invalid, NotFound
from taskpilot.domain.run import Agent
from taskpilot.domain.scopes import Scope
from taskpilot.ops import claims, desk, dispatch, run_log, run_orders, tasks


@pytest.fixture
def order(app, me, add, do, tmp_path):
    task = add("Build", workspace=str(tmp_path))
    run = do(run_orders.start, task.id, agent=Agent.CLAUDECODE).run
    app.run(worker(me.user, "claudecode", run.id), dispatch.admit, run.id)
    return app.run(worker(me.user, "claudecode", run.id), dispatch.take, run.id, "w1", lease=8)


@pytest.fixture
def agent(app, order):
    """Run an operation as the agent of the run, with nothing but its token."""
    caller = replace(worker(order.run.owner, "claudecode", order.run.id), scopes=frozenset({Scope.DESK}))
    return lambda op, *args, **kwargs: app.run(caller, op, *args, **kwargs)


def test_an_agent_reads_its_task_says_how_it_goes_splits_it_and_reports(agent, order, do):
    assert agent(desk.read).focus.task.title == "Build"
    assert agent(desk.log, "half way", progress=50).progress == 50
    first, second = agent(desk.add_subtasks, ["Dig", "Pour"])
    assert (first.parent, first.workspace) == (order.task.id, order.task.workspace)
    assert agent(desk.complete_subtask, first.id).completed
    agent(desk.report, {"done": "dug", "next": "pour"})
    assert do(claims.find, order.task.id)[0].handoff.next == "pour"
    assert "half way" in [entry.text for entry in do(run_log.read_run, order.run.id)]
    assert second.status.open


def test_an_agent_touches_nothing_else(agent, add, order):
    other = add("Mine")
    with pytest.raises(NotFound):
        agent(desk.complete_subtask, other.id)
    with pytest.raises(NotFound):
        agent(desk.complete_subtask, order.task.id)
    for op in (tasks.get, tasks.complete, tasks.delete):
        with pytest.raises(Forbidden):
            agent(op, other.id)


def test_an_agent_cannot_declare_its_task_done(agent, order, do):
    with pytest.raises(Invalid):
        agent(desk.log, "done!", progress=100)
    assert do(tasks.get, order.task.id).status.open


def test_a_desk_closes_with_its_run(app, agent, order):
    app.run(worker(order.run.owner, "claudecode", order.run.id), dispatch.finish, order.hold, ok=True)
    for op, args in (
        (desk.read, ()),
        (desk.log, ("late",)),
        (desk.add_subtasks, (["x"],)),
        (desk.report, ({"done": "x"},)),
    ):
        with pytest.raises(Conflict, match="Stop here"):
            agent(op, *args)


def test_nobody_else_has_a_desk(app, me):
    with pytest.raises(Forbidden):
        app.run(me, desk.read)
    with pytest.raises(Forbidden):
        app.run(worker(me.user), desk.read)
