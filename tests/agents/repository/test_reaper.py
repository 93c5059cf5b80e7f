from __future__ import annotations

import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from taskpilot.agents.repository import disk
from taskpilot.agents.repository.reaper import reap
from taskpilot.agents.repository.worktrees import Worktrees
from taskpilot.domain.errors import Conflict, NotFound
from tests.agents.repo import add_remote, allow, commit, make, sh, write

NOW = datetime(2026, 1, 31, tzinfo=UTC)
OLD = NOW - timedelta(days=8)


@pytest.fixture
def repository(tmp_path):
    return make(tmp_path / "shop")


@pytest.fixture
def worktrees(tmp_path):
    return Worktrees(tmp_path / "worktrees")


@pytest.fixture
def made(worktrees, repository):
    return worktrees.prepare(run=1, repository=repository, branch="task/1")


def reap_all(worktrees):
    return reap(worktrees, 7, dict.fromkeys(worktrees.list_runs(), OLD), now=NOW)


def test_only_runs_that_ended_long_ago_are_reaped(worktrees, repository):
    for run in (1, 2, 3):
        worktrees.prepare(run=run, repository=repository, branch=f"task/{run}")
    done = reap(worktrees, 7, {1: OLD, 2: NOW - timedelta(days=6), 99: OLD}, now=NOW)
    assert [(each.run, each.ref, each.problem) for each in done] == [(1, "", "")]
    assert done[0].bytes > 0
    assert [kept.run for kept in worktrees.list_all()] == [2, 3]


def test_one_without_work_leaves_nothing(worktrees, made, repository):
    reap_all(worktrees)
    assert list(worktrees.root.iterdir()) == []
    assert sh(repository, "branch", "--format=%(refname:short)") == "main"
    assert sh(repository, "worktree", "list").count("\n") == 0
    assert sh(repository, "for-each-ref", "refs/taskpilot") == ""


def test_unpushed_commits_are_saved_first(worktrees, made, repository):
    tip = commit(made.path, {"new": "n"})
    (done,) = reap_all(worktrees)
    assert done.ref == "refs/taskpilot/saved/run-1"
    assert sh(repository, "rev-parse", done.ref, "task/1").split() == [tip, tip]
    assert not made.path.exists()


def test_uncommitted_changes_are_saved_as_a_commit_on_top(worktrees, made, repository):
    tip = commit(made.path, {"new": "n"})
    write(made.path, {"staged": "s", "untracked": "u", "a.txt": "changed\n", ".env": "ignored"})
    sh(made.path, "add", "staged")
    (made.path / "new").unlink()
    (done,) = reap_all(worktrees)
    assert sh(repository, "rev-parse", f"{done.ref}^") == tip
    assert sh(repository, "ls-tree", "--name-only", done.ref).split() == [".gitignore", "a.txt", "staged", "untracked"]
    assert sh(repository, "show", f"{done.ref}:a.txt") == "changed"
    assert sh(repository, "rev-parse", "task/1") == tip


def test_huge_files_are_saved_too(worktrees, made, repository):
    with (made.path / "huge").open("wb") as file:
        file.truncate(51 * 1024 * 1024)
    (done,) = reap_all(worktrees)
    assert sh(repository, "cat-file", "-s", f"{done.ref}:huge") == str(51 * 1024 * 1024)


def test_pushed_and_merged_commits_need_no_saving(worktrees, repository):
    add_remote(repository)
    pushed = worktrees.prepare(run=1, repository=repository, branch="pushed")
    commit(pushed.path, {"x": "x"})
    sh(pushed.path, "push", "-q", "origin", "pushed")
    merged = worktrees.prepare(run=2, repository=repository, branch="merged")
    commit(merged.path, {"y": "y"})
    assert [kept.unpushed for kept in worktrees.list_all()] == [0, 1]
    sh(repository, "merge", "-q", "merged")
    assert [kept.unpushed for kept in worktrees.list_all()] == [0, 0]
    assert [done.ref for done in reap_all(worktrees)] == ["", ""]
    assert sh(repository, "branch", "--list", "--format=%(refname:short)").split() == ["main", "merged", "pushed"]


def test_commits_on_no_branch_are_saved(worktrees, made, repository):
    sh(made.path, "checkout", "-q", "--detach")
    tip = commit(made.path, {"x": "x"})
    (done,) = reap_all(worktrees)
    assert sh(repository, "rev-parse", done.ref) == tip


def test_what_another_taskpilot_saved_is_not_overwritten(worktrees, made, repository):
    commit(repository, {"theirs": "t"})
    sh(repository, "update-ref", "refs/taskpilot/saved/run-1", "HEAD")
    before = sh(repository, "rev-parse", "refs/taskpilot/saved/run-1")
    write(made.path, {"ours": "o"})
    (done,) = reap_all(worktrees)
    assert done.ref == "refs/taskpilot/saved/run-1-2"
    assert sh(repository, "rev-parse", "refs/taskpilot/saved/run-1") == before


def test_one_that_is_held_stays(worktrees, made):
    with worktrees.hold(made):
        (done,) = reap_all(worktrees)
    assert "in use by another process" in done.problem
    assert made.path.exists()


def test_one_with_a_living_process_stays(worktrees, made):
    (made.path / "deep").mkdir()
    with subprocess.Popen(["sleep", "60"], cwd=made.path / "deep", start_new_session=True) as child:
        try:
            assert worktrees.list_all()[0].live
            (done,) = reap_all(worktrees)
            assert "A program is still at work" in done.problem
            assert made.path.exists()
        finally:
            child.kill()
    assert not reap_all(worktrees)[0].problem


def test_one_that_cannot_be_saved_stays_and_does_not_keep_the_others(worktrees, made, repository):
    make(made.path / "clone")
    worktrees.prepare(run=2, repository=repository, branch="task/2")
    first, second = reap_all(worktrees)
    assert "another repository in clone/" in first.problem
    assert (made.path / "clone").exists()
    assert not second.problem


def test_changes_in_a_submodule_keep_it(worktrees, repository, tmp_path):
    library = make(tmp_path / "library")
    sh(repository, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library), "lib")
    commit(repository, {})
    made = worktrees.prepare(run=1, repository=repository, branch="b")
    sh(made.path, "-c", "protocol.file.allow=always", "submodule", "update", "--init", "-q")
    write(made.path, {"lib/a.txt": "changed"})
    assert "lib" in reap_all(worktrees)[0].problem
    sh(made.path / "lib", "checkout", "-q", ".")
    assert not reap_all(worktrees)[0].problem


def test_a_repository_that_is_gone_takes_no_work_with_it(worktrees, made, repository):
    write(made.path, {"work": "w"})
    repository.rename(repository.with_name("moved"))
    (done,) = reap_all(worktrees)
    assert "nothing can be saved" in done.problem
    assert (made.path / "work").exists()
    worktrees.remove(1, keep=False)
    assert list(worktrees.root.iterdir()) == []


def test_a_run_that_goes_on_finds_what_was_saved(worktrees, made, repository):
    commit(made.path, {"new": "n"})
    write(made.path, {"open": "o"})
    reap_all(worktrees)
    assert worktrees.find(1) is None
    assert worktrees.list_all() == []
    again = worktrees.prepare(run=1, repository=repository, branch="task/1", made=True)
    assert (again.branch, again.base_commit) == ("task/1", made.base_commit)
    assert (again.path / "open").read_text() == "o"
    assert (again.path / "new").read_text() == "n"


def test_removing_without_keeping_loses_only_what_was_not_committed(worktrees, made, repository):
    tip = commit(made.path, {"new": "n"})
    write(made.path, {"open": "o"})
    saved = worktrees.remove(1, keep=False)
    assert (saved.ref, saved.commit) == ("", "")
    assert sh(repository, "rev-parse", "task/1") == tip
    assert sh(repository, "for-each-ref", "refs/taskpilot") == ""
    with pytest.raises(NotFound, match="Run 1 has no worktree"):
        worktrees.remove(1)


def test_other_worktrees_of_the_user_are_not_pruned(worktrees, made, repository, tmp_path):
    sh(repository, "worktree", "add", "-q", str(tmp_path / "theirs"), "-b", "theirs")
    (tmp_path / "theirs").rename(tmp_path / "on-a-drive-that-is-away")
    reap_all(worktrees)
    assert "theirs" in sh(repository, "worktree", "list")


def test_folders_that_are_read_only_go_too(worktrees, made):
    write(made.path, {"build/x/y": "z"})
    (made.path / "build" / "x").chmod(0o500)
    assert not reap_all(worktrees)[0].problem
    assert not made.path.exists()


def test_it_is_told_what_each_takes(worktrees, made, tmp_path):
    (kept,) = worktrees.list_all()
    write(made.path, {"build/big": b"x" * 1_000_000})
    (made.path / "build" / "link").symlink_to(tmp_path)
    (bigger,) = worktrees.list_all()
    assert 1_000_000 <= bigger.bytes - kept.bytes < 1_100_000
    assert (kept.run, kept.branch, kept.path, kept.dirty) == (1, "task/1", made.path, False)
    write(made.path, {"new": "n"})
    assert worktrees.list_all()[0].dirty
    assert disk.measure(tmp_path / "nothing") == 0


def test_a_held_worktree_is_listed_as_it_is(worktrees, made):
    with worktrees.hold(made):
        write(made.path, {"new": "n"})
        worktrees.commit(made, "x", allow)
        with pytest.raises(Conflict):
            worktrees.remove(1)
