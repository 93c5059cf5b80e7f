from __future__ import annotations

import pytest

from taskpilot.agents.repository.worktrees import Worktrees
from taskpilot.surfaces.cli.worktrees import write_size
from tests.agents.repo import add_remote, commit, make, sh, write
from tests.contracts.stage import seat
from tests.surfaces.cli.conftest import Cli
from tests.surfaces.cli.run_stage import open_store


@pytest.fixture
def repository(home):
    return make(home / "shop")


@pytest.fixture
def made(cli: Cli, home, repository):
    """The worktree of run 1, which is at rest."""
    cli("add", "Walls", "--workspace", str(repository))
    made = Worktrees(home / ".local" / "taskpilot" / "worktrees").prepare(run=1, repository=repository, branch="b")
    with open_store(home) as app:
        sat = seat(app, 1)
        sat.keep(commit(made.path, {"new": "n\n"}, "New"), ["new"])
        sat.finish()
    return made


def test_what_a_run_did_is_rebased_merged_and_pushed(cli: Cli, made, repository) -> None:
    commit(repository, {"later": "l\n"})
    assert cli("run", "rebase", "1").out == "b is now on top of main.\n"
    assert cli("run", "merge", "1", "--json").json["text"] == "b is merged into main."
    assert (repository / "new").exists()
    assert "no remote" in cli("run", "push", "1", code=3).err
    remote = add_remote(repository, "backup")
    assert cli("run", "push", "1", "--remote", "backup").out == "b is pushed to backup.\n"
    assert sh(remote, "rev-parse", "b") == sh(made.path, "rev-parse", "HEAD")


def test_conflicts_leave_everything_as_it_was(cli: Cli, made, repository) -> None:
    commit(repository, {"new": "theirs\n"})
    before = sh(repository, "for-each-ref")
    assert "conflicts in new" in cli("run", "merge", "1", "--into", "main", code=5).err
    assert sh(repository, "for-each-ref") == before


def test_worktrees_are_listed_and_removed_with_nothing_lost(cli: Cli, made, repository) -> None:
    write(made.path, {"left": "l"})
    said = cli("run", "worktrees").out
    assert "1 not pushed" in said
    assert "not all committed" in said
    assert "in all." in said
    assert cli("run", "worktrees", "--json").json[0]["branch"] == "b"
    assert "refs/taskpilot/saved/run-1" in cli("run", "worktrees", "--remove", "1").out
    assert sh(repository, "show", "refs/taskpilot/saved/run-1:left") == "l"
    assert cli("run", "worktrees").out == "No run has a worktree here.\n"
    cli("run", "worktrees", "--remove", "1", code=3)


def test_what_is_discarded_is_asked_about(cli: Cli, made) -> None:
    cli("run", "worktrees", "--discard", code=2)
    assert "nobody here to answer" in cli("run", "worktrees", "--remove", "1", "--discard", code=2).err
    assert cli("run", "worktrees", "--remove", "1", "--discard", "--yes", "--json").json["ref"] == ""


@pytest.mark.parametrize(
    ("size", "said"), [(0, "0 bytes"), (999, "999 bytes"), (1_500, "1.5 KB"), (2e6, "2.0 MB"), (3e15, "3000.0 TB")]
)
def test_sizes_are_told_in_words(size, said) -> None:
    assert write_size(size) == said
