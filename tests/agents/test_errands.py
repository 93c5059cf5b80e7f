from __future__ import annotations

import pytest

from taskpilot.agents import errands
from taskpilot.agents.errands import Asked
from taskpilot.agents.repository import hooks
from taskpilot.agents.repository.worktrees import Worktrees
from taskpilot.app import Errand
from taskpilot.domain.errors import Conflict, NotFound
from taskpilot.ops import run_log, run_orders, run_views
from tests.agents.repo import add_remote, commit, make, sh, write
from tests.contracts.stage import seat


@pytest.fixture
def place(tmp_path):
    """Git has nothing to do with the database."""
    return str(tmp_path / "taskpilot.db")


@pytest.fixture
def repository(tmp_path):
    return make(tmp_path / "shop")


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


@pytest.fixture
def sat(app, add, repository, data):
    """A run at rest that has committed something in its worktree."""
    sat = seat(app, add(workspace=str(repository)).id)
    made = Worktrees(data / "worktrees").prepare(run=sat.run, repository=repository, branch="task/1")
    head = commit(made.path, {"new": "n\n"}, "New")
    sat.keep(head, ["new"])
    sat.finish()
    return sat


@pytest.fixture
def send(app, me, data):
    def send(errand, run=0, target="", *, caller=me, **how):
        return errand(Errand(app, caller), Asked(data_dir=data, run=run, target=target, **how))

    return send


def test_a_run_is_merged_into_the_branch_it_came_from_and_its_log_says_so(send, do, sat, repository):
    assert send(errands.merge, sat.run).text == "task/1 is merged into main."
    assert (repository / "new").read_text() == "n\n"
    assert do(run_log.read_run, sat.run)[-1].text == "task/1 is merged into main."


def test_after_a_rebase_the_run_is_compared_with_its_new_base(send, do, sat, repository):
    tip = commit(repository, {"later": "l\n"})
    landed = send(errands.rebase, sat.run)
    run, diff = do(run_views.read_diff, sat.run)
    assert (run.head, run.base_head, diff.head, run.files_changed) == (landed.commit, tip, landed.commit, ("new",))
    assert "later" not in diff.patch


def test_a_push_works_although_a_dead_worker_left_its_hook(send, sat, repository, data):
    remote = add_remote(repository)
    hooks.install(Worktrees(data / "worktrees").find(sat.run), ["false"])
    assert send(errands.push, sat.run).text == "task/1 is pushed to origin."
    assert sh(remote, "rev-parse", "task/1")


def test_worktrees_are_listed_with_their_size_and_removed_with_nothing_lost(send, do, sat, data, repository, stranger):
    (kept,) = send(errands.list_worktrees)
    assert (kept.run, kept.unpushed, kept.dirty) == (sat.run, 1, False)
    assert kept.bytes > 0
    assert send(errands.list_worktrees, caller=stranger) == []
    write(kept.path, {"left": "l"})
    saved = send(errands.remove_worktree, sat.run)
    assert sh(repository, "show", f"{saved.ref}:left") == "l"
    assert saved.ref in do(run_log.read_run, sat.run)[-1].text
    assert send(errands.list_worktrees) == []
    with pytest.raises(NotFound, match="has no worktree"):
        send(errands.remove_worktree, sat.run)
    with pytest.raises(NotFound, match="no worktree on this machine"):
        send(errands.merge, sat.run)


def test_what_is_to_be_discarded_is_gone(send, sat):
    (kept,) = send(errands.list_worktrees)
    write(kept.path, {"left": "l"})
    assert send(errands.remove_worktree, sat.run, discard=True).ref == ""


@pytest.mark.parametrize("errand", [errands.rebase, errands.merge, errands.push, errands.remove_worktree])
def test_an_agent_at_work_is_left_alone_and_strangers_find_nothing(send, do, sat, stranger, errand):
    with pytest.raises(NotFound):
        send(errand, sat.run, caller=stranger)
    do(run_orders.follow_up, sat.run, "more")
    with pytest.raises(Conflict, match="is pending"):
        send(errand, sat.run)
    assert len(send(errands.list_worktrees)) == 1
