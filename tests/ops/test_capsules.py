from __future__ import annotations

import pytest

from taskpilot.domain.caller import worker
from taskpilot.domain.errors import NotFound
from taskpilot.domain.run import Agent, Kind, Said
from taskpilot.ops import capsules, desk, dispatch, run_orders
from taskpilot.store.runs import Diff


@pytest.fixture
def order(app, me, add, do, tmp_path):
    task = add("Build the wall", description="Of bricks, " * 200, workspace=str(tmp_path))
    run = do(run_orders.start, task.id, agent=Agent.CLAUDECODE).run
    app.run(worker(me.user, "claudecode", run.id), dispatch.admit, run.id)
    return app.run(worker(me.user, "claudecode", run.id), dispatch.take, run.id, "w1", lease=8)


@pytest.fixture
def carry(app, order):
    return lambda op, *args, **kwargs: app.run(worker(order.run.owner, "claudecode", order.run.id), op, *args, **kwargs)


def test_a_capsule_tells_goal_changes_commands_failures_and_what_is_next(carry, order, do):
    said = [
        Said(Kind.TOOL_CALL, "make test", {"id": "1", "kind": "execute"}),
        Said(Kind.TOOL_RESULT, "2 failed", {"id": "1", "ok": False}),
        Said(Kind.TOOL_CALL, "make lint", {"id": "2", "kind": "execute"}),
        Said(Kind.TOOL_RESULT, "", {"id": "2", "ok": True}),
        Said(Kind.ERROR, "the mortar is dry"),
        Said(Kind.MESSAGE, "Almost there.\nNext: point the joints."),
    ]
    carry(dispatch.note, order.hold, said)
    carry(desk.report, {"tried": "lime"})
    carry(dispatch.keep, order.hold, Diff("abc", "diff --git a/wall.py b/wall.py\n+brick\n", 1, 0), ["wall.py"])
    carry(dispatch.finish, order.hold, ok=False, error="gave up")
    written = do(capsules.write, order.run.id)
    for part in (
        *("Build the wall", "make test: failed", "make lint: worked", "the mortar is dry", "gave up"),
        *("Next: point the joints.", "tried: lime", "wall.py", "+brick", order.run.branch),
    ):
        assert part in written


def test_a_capsule_stays_small_whatever_happened(carry, order, do):
    for number in range(40):
        carry(dispatch.note, order.hold, [Said(Kind.ERROR, f"{number} " + "é" * 5_000)])
    files = [f"src/part_{number}/" + "x" * 200 for number in range(300)]
    carry(dispatch.keep, order.hold, Diff("abc", "+ü\n" * 100_000, 100_000, 0), files)
    assert len(do(capsules.write, order.run.id).encode()) <= capsules.TOKENS_MOST * capsules.BYTES_A_TOKEN


def test_strangers_get_none(app, stranger, order):
    with pytest.raises(NotFound):
        app.run(stranger, capsules.write, order.run.id)
