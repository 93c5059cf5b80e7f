from __future__ import annotations

import pytest

from taskpilot.domain.caller import worker
from taskpilot.domain.evidence import Evidence
from taskpilot.domain.run import Agent
from taskpilot.ops import dispatch, evidence, run_orders
from taskpilot.store.runs import Diff


@pytest.fixture
def order(app, me, add, do, tmp_path):
    task = add(workspace=str(tmp_path), acceptance=["make test", "make lint"])
    run = do(run_orders.start, task.id, agent=Agent.CLAUDECODE).run
    app.run(worker(me.user, "claudecode", run.id), dispatch.admit, run.id)
    return app.run(worker(me.user, "claudecode", run.id), dispatch.take, run.id, "w1", lease=8)


@pytest.fixture
def carry(app, order):
    return lambda op, *args: app.run(worker(order.run.owner, "claudecode", order.run.id), op, order.hold, *args)


def seen(command, exit_code=0, head="c1"):
    return Evidence(
        id=0,
        owner=0,
        task=0,
        run=0,
        command=command,
        exit_code=exit_code,
        head=head,
        digest="0" * 64,
        tail="token=verysecret",
        seconds=0.5,
        at=None,  # given when it is kept
    )


def test_a_task_is_accepted_when_every_command_passed_on_the_last_commit(do, carry, order):
    carry(dispatch.keep, Diff("c1", "", 0, 0), [])
    assert carry(evidence.record, [seen("make test")]).accepted is False
    assert carry(evidence.record, [seen("make lint", 1)]).accepted is False
    assert carry(evidence.record, [seen("make lint")]).accepted is True
    carry(dispatch.keep, Diff("c2", "", 0, 0), [])
    proof = do(evidence.get, order.task.id)
    assert proof.accepted is False
    assert all(each.is_stale(proof.head) for each in proof.found)


def test_what_a_command_printed_is_kept_without_its_secrets(do, carry, order):
    carry(evidence.record, [seen("make test")])
    (kept,) = do(evidence.get, order.task.id).found
    assert kept.tail == "token=***"


def test_a_task_that_asks_for_nothing_is_accepted(do, add):
    assert do(evidence.get, add().id).accepted is True
