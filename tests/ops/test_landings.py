from __future__ import annotations

import pytest

from taskpilot.domain.caller import local
from taskpilot.domain.errors import Conflict, NotFound
from taskpilot.ops import claims, landings, run_log, run_orders, run_views
from taskpilot.store.runs import Diff
from tests.contracts.stage import seat


@pytest.fixture
def sat(app, add, tmp_path):
    return seat(app, add(workspace=str(tmp_path)).id)


def test_nothing_lands_while_an_agent_is_at_work_or_about_to_be(do, sat):
    with pytest.raises(Conflict, match=f"Run {sat.run} is in_progress"):
        do(landings.check, sat.run)
    sat.finish()
    assert do(landings.check, sat.run).id == sat.run
    do(run_orders.follow_up, sat.run, "more")
    with pytest.raises(Conflict, match="is pending"):
        do(landings.check, sat.run)


def test_nothing_lands_while_somebody_else_holds_the_task(app, do, sat, clock):
    sat.finish()
    bob = local("cli", "bob")
    app.run(bob, claims.take, sat.task, lease=60)
    with pytest.raises(Conflict, match=f"bob holds task {sat.task}"):
        do(landings.check, sat.run)
    assert app.run(bob, landings.check, sat.run)
    clock.forward(seconds=61)
    assert do(landings.check, sat.run)


def test_what_landed_is_in_the_log_and_what_changed_is_kept(do, sat):
    sat.keep("old", ["a.py"])
    sat.finish()
    diff = Diff("new", "the patch", 7, 2)
    after = do(landings.record, sat.run, "On top of main.", diff=diff, files=["b.py"], base="main", base_head="tip")
    assert (after.head, after.base, after.base_head, after.files_changed) == ("new", "main", "tip", ("b.py",))
    assert do(run_views.read_diff, sat.run) == (after, diff)
    assert do(run_log.read_run, sat.run)[-1].text == "On top of main."


def test_a_word_alone_changes_nothing_else(do, sat):
    sat.finish()
    before = do(run_views.get, sat.run).run
    assert do(landings.record, sat.run, "The worktree was removed.") == before


def test_a_run_that_was_just_sent_off_keeps_its_own_account(do, sat):
    sat.keep("old", ["a.py"])
    sat.finish()
    do(run_orders.follow_up, sat.run, "more")
    after = do(landings.record, sat.run, "Merged.", diff=Diff("new", "", 0, 0), base="main", base_head="x")
    assert after.head == "old"


def test_only_ones_own_runs_are_known(app, do, sat, stranger):
    assert do(landings.list_own, [sat.run, 99]) == {sat.run}
    assert app.run(stranger, landings.list_own, [sat.run]) == set()
    with pytest.raises(NotFound):
        app.run(stranger, landings.check, sat.run)
    with pytest.raises(NotFound):
        app.run(stranger, landings.record, sat.run, "Mine.")
