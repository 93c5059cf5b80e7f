from __future__ import annotations

import sys

import pytest

from taskpilot.agents.repository import hooks, landing
from taskpilot.agents.repository.worktrees import Worktrees
from taskpilot.domain.errors import Conflict, NotFound, Unavailable
from tests.agents.repo import add_remote, allow, commit, make, picture, sh, write


@pytest.fixture
def repository(tmp_path):
    return make(tmp_path / "shop")


@pytest.fixture
def worktrees(tmp_path):
    return Worktrees(tmp_path / "worktrees")


@pytest.fixture
def made(worktrees, repository):
    made = worktrees.prepare(run=1, repository=repository, branch="task/1")
    commit(made.path, {"new": "n"}, "New")
    return made


def refuse():
    raise Conflict("Taken over.")


def look(repository, made):
    beside = sorted(path.name for path in made.place.iterdir())
    return picture(repository), sh(made.path, "rev-parse", "HEAD"), sh(made.path, "status", "--porcelain"), beside


# Rebasing


def test_a_rebase_puts_the_work_on_top_and_compares_with_that_from_then_on(worktrees, repository, made):
    tip = commit(repository, {"later": "l"})
    landed = landing.rebase(made, "main", allow)
    assert landed.text == "task/1 is now on top of main."
    assert sh(repository, "rev-parse", "task/1", "task/1^").split() == [landed.commit, tip]
    assert (made.path / "later").exists()
    again = worktrees.find(1)
    assert again.base_commit == tip
    assert worktrees.diff(again).files == ("new",)
    assert landing.rebase(again, "", allow).text == "task/1 is already on top of main."


def test_a_rebase_in_conflict_names_the_files_and_changes_nothing(repository, made):
    commit(made.path, {"a.txt": "ours\n", "b": "ours"})
    commit(repository, {"a.txt": "theirs\n", "b": "theirs"})
    before = look(repository, made)
    with pytest.raises(Conflict, match=r"task/1 cannot be rebased onto main: conflicts in a\.txt, b\. Nothing was ch"):
        landing.rebase(made, "main", allow)
    assert look(repository, made) == before


@pytest.mark.parametrize("land", [landing.rebase, landing.merge])
def test_what_the_guard_raises_leaves_everything_as_it_was(repository, made, land):
    commit(repository, {"later": "l"})
    before = look(repository, made)
    with pytest.raises(Conflict, match="Taken over"):
        land(made, "main", refuse)
    assert look(repository, made) == before


@pytest.mark.parametrize("land", [landing.rebase, landing.merge])
def test_what_is_not_committed_has_to_be_first(made, land):
    known = sh(made.path, "ls-files").split()[0]
    write(made.path, {known: "o"})
    with pytest.raises(Conflict, match=rf"Not committed yet: {known}\. Commit it"):
        land(made, "main", allow)


@pytest.mark.parametrize("land", [landing.rebase, landing.merge])
def test_new_files_that_a_test_left_are_no_obstacle_and_are_told(repository, made, land):
    commit(repository, {"later": "l"})
    write(made.path, {"cache/left.pyc": "o"})
    assert land(made, "main", allow).text.endswith("Not committed, and left where it is: cache/left.pyc.")
    assert (made.path / "cache/left.pyc").exists()


def test_a_rebase_onto_nothing_is_said(made):
    with pytest.raises(NotFound, match="There is no branch, tag or commit"):
        landing.rebase(made, "nothing", allow)


# Merging


def test_a_merge_reaches_the_users_folder_if_that_is_clean(repository, made):
    write(repository, {"untracked": "u"})
    commit_before = sh(repository, "rev-parse", "main")
    landed = landing.merge(made, "main", allow)
    assert landed.commit == sh(repository, "rev-parse", "main") == sh(repository, "rev-parse", "task/1")
    assert sh(repository, "rev-parse", "main^") == commit_before
    assert (repository / "new").read_text() == "n"
    assert sh(repository, "status", "--porcelain") == "?? untracked"
    assert landing.merge(made, "main", allow).text == "main has all of task/1 already."


def test_a_merge_of_two_lines_makes_a_merge_commit(repository, made):
    commit(repository, {"later": "l"})
    landed = landing.merge(made, "main", allow)
    assert sh(repository, "log", "-1", "--format=%s") == "Merge branch 'task/1' into main"
    assert sh(repository, "rev-parse", "HEAD") == landed.commit
    assert (repository / "new").exists()
    assert (repository / "later").exists()
    assert sh(repository, "status", "--porcelain") == ""


def test_a_merge_into_a_folder_with_changes_is_refused_with_what_to_do(repository, made):
    write(repository, {"a.txt": "mine"})
    before = look(repository, made)
    with pytest.raises(Conflict) as caught:
        landing.merge(made, "main", allow)
    assert str(caught.value) == (
        f"main is checked out in {repository}, with changes in a.txt. "
        "Commit or stash them there, or merge into another branch."
    )
    assert look(repository, made) == before


def test_a_merge_never_overwrites_an_untracked_file(repository, made):
    write(repository, {"new": "mine"})
    before = look(repository, made)
    with pytest.raises(Conflict, match="could not take the merge"):
        landing.merge(made, "main", allow)
    assert look(repository, made) == before


@pytest.mark.parametrize("diverged", [False, True])
def test_a_merge_into_a_branch_that_is_not_checked_out_leaves_the_users_folder(repository, made, diverged):
    sh(repository, "branch", "release")
    if diverged:
        sh(repository, "checkout", "-q", "release")
        commit(repository, {"fix": "f"})
        sh(repository, "checkout", "-q", "main")
    write(repository, {"a.txt": "mine"})
    landed = landing.merge(made, "release", allow)
    assert sh(repository, "rev-parse", "release") == landed.commit
    assert sh(repository, "show", "release:new") == "n"
    assert sh(repository, "status", "--porcelain") == "M a.txt"
    assert sh(repository, "worktree", "list").count("\n") == 1


def test_a_merge_in_conflict_names_the_files_and_changes_nothing(repository, made):
    commit(made.path, {"a.txt": "ours\n"})
    commit(repository, {"a.txt": "theirs\n"})
    before = look(repository, made)
    with pytest.raises(Conflict, match=r"task/1 cannot be merged into main: conflicts in a\.txt\. Nothing was changed"):
        landing.merge(made, "main", allow)
    assert look(repository, made) == before


def test_a_merge_into_nothing_or_itself_is_said(made):
    with pytest.raises(NotFound, match="There is no branch 'nothing'"):
        landing.merge(made, "nothing", allow)
    with pytest.raises(Conflict, match="the run's own branch"):
        landing.merge(made, "task/1", allow)


def test_a_merge_works_in_a_bare_repository(worktrees, repository, tmp_path):
    bare = add_remote(repository)
    sh(bare, "branch", "release")
    made = worktrees.prepare(run=1, repository=bare, branch="b")
    commit(made.path, {"x": "x"})
    assert landing.merge(made, "release", allow).commit == sh(bare, "rev-parse", "release")


# Pushing


def test_a_push_brings_the_branch_to_the_remote(repository, made):
    remote = add_remote(repository)
    landed = landing.push(made, "origin", allow)
    assert landed.text == "task/1 is pushed to origin."
    assert sh(remote, "rev-parse", "task/1") == landed.commit
    assert landing.push(made, "", allow).commit == landed.commit


def test_a_push_is_guarded_and_by_the_hook_too(repository, made):
    remote = add_remote(repository)
    sh(remote, "branch", "-D", "task/1")
    with pytest.raises(Conflict, match="Taken over"):
        landing.push(made, "origin", refuse)
    hooks.install(made, [sys.executable, "-c", "raise SystemExit('Task 1 was taken over.')"])
    with pytest.raises(Conflict, match=r"The push was refused: Task 1 was taken over\."):
        landing.push(made, "origin", allow)
    assert sh(remote, "branch", "--list", "task/1") == ""


def test_a_push_after_a_rebase_overwrites_what_was_the_runs_own(worktrees, repository, made):
    remote = add_remote(repository)
    landing.push(made, "origin", allow)
    for name in ("later", "latest"):
        commit(repository, {name: "l"})
        landed = landing.rebase(worktrees.find(1), "main", allow)
    assert landing.push(worktrees.find(1), "origin", allow).commit == landed.commit
    assert sh(remote, "rev-parse", "task/1") == landed.commit


def test_a_push_never_overwrites_what_others_pushed(worktrees, repository, made, tmp_path):
    remote = add_remote(repository)
    landing.push(made, "origin", allow)
    sh(tmp_path, "clone", "-q", "-b", "task/1", str(remote), "colleague")
    theirs = commit(tmp_path / "colleague", {"theirs": "t"})
    sh(tmp_path / "colleague", "push", "-q", "origin", "task/1")
    commit(repository, {"later": "l"})
    landing.rebase(made, "main", allow)
    for _ in range(2):  # before and after we hear of it
        with pytest.raises(Conflict, match="origin has commits on task/1 that the run does not have"):
            landing.push(worktrees.find(1), "origin", allow)
        assert sh(remote, "rev-parse", "task/1") == theirs
        sh(repository, "fetch", "-q", "origin")


def test_a_branch_that_diverged_without_a_rebase_is_not_forced(worktrees, repository, made):
    remote = add_remote(repository)
    landing.push(made, "origin", allow)
    before = sh(remote, "rev-parse", "task/1")
    sh(made.path, "reset", "-q", "--hard", "main")
    commit(made.path, {"other": "o"})
    with pytest.raises(Conflict, match="that the run does not have"):
        landing.push(made, "origin", allow)
    assert sh(remote, "rev-parse", "task/1") == before


def test_a_remote_that_is_not_there_or_away_is_said(repository, made, tmp_path):
    with pytest.raises(NotFound, match=r"has no remote\. Add one"):
        landing.push(made, "", allow)
    sh(repository, "remote", "add", "origin", str(tmp_path / "away.git"))
    with pytest.raises(NotFound, match=r"has no remote 'other'\. It has origin"):
        landing.push(made, "other", allow)
    with pytest.raises(NotFound, match="has no remote '--mirror'"):
        landing.push(made, "--mirror", allow)
    with pytest.raises(Unavailable, match="The push to origin failed"):
        landing.push(made, "origin", allow)


def test_a_remote_that_declines_is_quoted(repository, made):
    remote = add_remote(repository)
    commit(made.path, {"y": "y"})
    hook = remote / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    with pytest.raises(Conflict, match=r"origin refused the push: .*pre-receive hook declined"):
        landing.push(made, "origin", allow)
