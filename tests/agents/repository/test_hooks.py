from __future__ import annotations

import subprocess
import sys

import pytest

from taskpilot.agents.repository import hooks
from taskpilot.agents.repository.worktrees import Worktrees
from tests.agents.repo import CLEAN, WHO, add_remote, commit, make, sh

CHECK = """
import pathlib, sys
claim = pathlib.Path(sys.argv[1])
if claim.read_text() != sys.argv[2]:
    sys.exit("Task 4 was taken over.\\nStop here; 'nothing' is lost.")
"""


@pytest.fixture
def repository(tmp_path):
    return make(tmp_path / "my shop")


@pytest.fixture
def remote(repository):
    return add_remote(repository)


@pytest.fixture
def claim(tmp_path):
    claim = tmp_path / "the claim"
    claim.write_text("token 1")
    return claim


@pytest.fixture
def worktree(repository, remote, tmp_path, claim):
    made = Worktrees(tmp_path / "the data").prepare(run=1, repository=repository, branch="task/4")
    hooks.install(made, [sys.executable, "-c", CHECK, str(claim), "token 1"])
    commit(made.path, {"new": "n"})
    return made


def add_hook(repository, name, script, folder=".git/hooks"):
    hook = repository / folder / name
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\n{script}\n")
    hook.chmod(0o755)


def push(worktree):
    """As an agent would."""
    return subprocess.run(
        ["git", *WHO, "push", "origin", "HEAD:task/4"], cwd=worktree.path, env=CLEAN, capture_output=True, text=True
    )


def test_a_run_that_holds_its_claim_may_push(worktree, remote):
    assert push(worktree).returncode == 0
    assert sh(remote, "rev-parse", "task/4") == sh(worktree.path, "rev-parse", "HEAD")


def test_a_run_that_lost_its_claim_may_not_and_is_told_why(worktree, remote, claim):
    claim.write_text("token 2")
    pushed = push(worktree)
    assert pushed.returncode != 0
    assert "taskpilot: Task 4 was taken over.\ntaskpilot: Stop here; 'nothing' is lost.\n" in pushed.stderr
    assert sh(remote, "branch", "--list", "task/4") == ""


def test_a_check_that_cannot_run_refuses(worktree, remote):
    hooks.install(worktree, ["/nowhere/taskpilot", "claim-check"])
    assert push(worktree).returncode != 0
    assert sh(remote, "branch", "--list", "task/4") == ""


def test_the_last_check_installed_counts(worktree, claim):
    claim.write_text("token 2")
    hooks.install(worktree, [sys.executable, "-c", CHECK, str(claim), "token 2"])
    assert push(worktree).returncode == 0


def test_the_repositorys_own_check_runs_afterwards_with_the_same_input(worktree, repository, tmp_path, claim):
    add_hook(repository, "pre-push", f'echo "$0 $@" > "{tmp_path}/said"; cat >> "{tmp_path}/said"; exit ${{FAIL:-0}}')
    hooks.install(worktree, [sys.executable, "-c", CHECK, str(claim), "token 1"])
    assert push(worktree).returncode == 0
    first, second = (tmp_path / "said").read_text().splitlines()
    assert first == f"{repository}/.git/hooks/pre-push origin {repository.parent}/my shop-origin.git"
    assert second.split()[2] == "refs/heads/task/4"
    add_hook(repository, "pre-push", "exit 1")
    commit(worktree.path, {"more": "m"})
    assert push(worktree).returncode != 0


def test_its_own_check_is_not_asked_once_the_claim_is_lost(worktree, repository, tmp_path, claim):
    add_hook(repository, "pre-push", f'touch "{tmp_path}/ran"')
    claim.write_text("token 2")
    assert push(worktree).returncode != 0
    assert not (tmp_path / "ran").exists()


def test_other_hooks_go_on_working_under_their_own_names(worktree, repository, tmp_path):
    add_hook(repository, "pre-commit", f'echo "$0" >> "{tmp_path}/said"')
    add_hook(repository, "commit-msg", f'cat "$1" >> "{tmp_path}/said"')
    add_hook(repository, "update.sample", "exit 1")
    hooks.install(worktree, ["true"])
    commit(worktree.path, {"x": "x"}, "Told")
    assert (tmp_path / "said").read_text() == f"{repository}/.git/hooks/pre-commit\nTold\n"


def test_a_hook_that_was_removed_is_gone_after_the_next_install(worktree, repository):
    add_hook(repository, "pre-commit", "exit 1")
    hooks.install(worktree, ["true"])
    (repository / ".git/hooks/pre-commit").unlink()
    commit(worktree.path, {"x": "x"})
    hooks.install(worktree, ["true"])
    assert [path.name for path in (worktree.own_dir / "hooks").iterdir()] == ["pre-push"]


def test_a_hooks_path_of_the_repository_is_found_in_its_own_folder(worktree, repository, tmp_path):
    sh(repository, "config", "core.hooksPath", ".husky")
    add_hook(repository, "pre-commit", f'echo "$0" > "{tmp_path}/said"', folder=".husky")
    hooks.install(worktree, ["true"])
    add_hook(worktree.path, "pre-commit", "exit 1", folder=".husky")
    commit(worktree.path, {"x": "x"})
    assert (tmp_path / "said").read_text() == f"{repository}/.husky/pre-commit\n"


def test_the_users_own_folder_has_the_hooks_it_had(worktree, repository, claim):
    claim.write_text("token 2")
    commit(repository, {"mine": "m"})
    sh(repository, "push", "-q", "origin", "main")
    assert sh(repository, "rev-parse", "--git-path", "hooks") == ".git/hooks"


def test_a_worktree_of_a_bare_repository_gets_them_too(remote, tmp_path):
    made = Worktrees(tmp_path / "data").prepare(run=1, repository=remote, branch="b")
    hooks.install(made, ["false"])
    commit(made.path, {"x": "x"})
    assert "taskpilot: This run may not push." in push(made).stderr
    assert sh(remote, "rev-parse", "--is-bare-repository") == "true"


def test_what_an_agent_makes_of_the_hooks_is_undone_before_we_push(worktree):
    script = worktree.own_dir / "hooks" / "pre-push"
    wanted = script.read_text()
    script.write_text("#!/bin/sh\nexit 0\n")
    (worktree.own_dir / "hooks" / "post-commit").write_text("#!/bin/sh\n")
    Worktrees(worktree.place.parent).diff(worktree)
    assert script.read_text() == wanted
    assert [path.name for path in script.parent.iterdir()] == ["pre-push"]
