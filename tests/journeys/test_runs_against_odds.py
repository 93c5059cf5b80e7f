"""What can be wrong where a run is to take place: each a clear state, and words that say what to do."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from taskpilot.agents.programs import sandbox
from taskpilot.domain.run import Agent, State
from taskpilot.domain.task import Status
from tests.agents.workshop import Workshop, script

pytestmark = pytest.mark.slow


def test_a_repository_that_is_gone(shop: Workshop) -> None:
    task = shop.add()
    shutil.rmtree(shop.repository)

    ended = shop.finish(shop.start_command("true", task=task))

    assert (ended.state, shop.task(ended).status) == (State.FAILED, Status.TODO)
    assert f"There is no folder {shop.repository}" in ended.error


def test_a_folder_that_is_not_open_to_whoever_asks(shop: Workshop) -> None:
    with shop.as_another():
        ended = shop.finish(shop.start_command("touch", str(shop.folder / "was here")))

    assert ended.state is State.FAILED
    assert "This server does not look into that folder for you." in ended.error
    assert not (shop.folder / "was here").exists()


def test_a_folder_that_is_no_repository(shop: Workshop) -> None:
    shutil.rmtree(shop.repository / ".git")

    ended = shop.finish(shop.start_command("true"))

    assert ended.state is State.FAILED
    assert "not a git repository" in ended.error


def test_a_branch_that_is_checked_out_elsewhere(shop: Workshop) -> None:
    ended = shop.finish(shop.start("Go", Agent.COMMAND, branch="main", config={"command": ["true"]}))

    assert ended.state is State.FAILED
    assert "main is checked out in" in ended.error


def test_a_branch_that_exists_is_gone_on_with_if_it_was_asked_for_and_else_left_alone(shop: Workshop) -> None:
    shop.git("branch", "wanted")
    task = shop.add("Made up")
    shop.git("branch", f"task/{task.id}-made-up")
    command = {"command": ["touch", "new"]}

    asked = shop.finish(shop.start("Go", Agent.COMMAND, branch="wanted", config=command))
    made = shop.finish(shop.start("Go", Agent.COMMAND, task, config=command))

    assert (asked.state, asked.branch) == (State.COMPLETED, "wanted")
    assert shop.commits(asked)
    assert (made.state, made.branch) == (State.COMPLETED, f"task/{task.id}-made-up-2")


def test_a_base_that_is_not_there(shop: Workshop) -> None:
    ended = shop.finish(shop.start("Go", Agent.COMMAND, base="nowhere", config={"command": ["true"]}))

    assert ended.state is State.FAILED
    assert "nowhere" in ended.error


def test_a_dirty_tree_is_left_as_it_is(shop: Workshop) -> None:
    (shop.repository / "README").write_text("Mine, not committed.\n")

    ended = shop.finish(shop.start_command("sh", "-c", "cat README; echo theirs > README"))

    assert (ended.state, shop.said(ended)) == (State.COMPLETED, ["A shop."])
    assert (shop.repository / "README").read_text() == "Mine, not committed.\n"


def test_a_program_that_is_not_installed(shop: Workshop) -> None:
    ended = shop.finish(shop.start_command("no-such-program"))

    assert ended.state is State.FAILED
    assert "no-such-program is not installed" in ended.error


def test_an_agent_that_is_not_installed(tmp_path: Path) -> None:
    shop = Workshop(tmp_path)
    try:
        shop.govern()
        (shop.bin / "codex").unlink()
        (shop.bin / "codex-acp").unlink()
        shop.hire(env={"PATH": f"{shop.bin}{os.pathsep}/usr/bin:/bin"})
        ended = shop.finish(shop.start("Go", Agent.CODEX))
        assert ended.state is State.FAILED
        assert "not installed here" in ended.error
        assert "npm install" in ended.error
    finally:
        shop.close()


@pytest.mark.skipif(not sandbox.available(), reason="bubblewrap does not work here")
def test_inside_its_walls_an_agent_writes_nothing_but_its_worktree(shop: Workshop) -> None:
    shop.govern(sandbox="on")
    outside = shop.repository / "README"
    run = shop.start_command("sh", "-c", f"echo in > inside; echo out > {outside}; ls {shop.data}; true")

    ended = shop.finish(run)

    assert ended.state is State.COMPLETED
    assert shop.show(ended, "inside") == "in"
    assert outside.read_text() == "A shop.\n"
    assert "taskpilot.db" not in "".join(shop.said(run))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "small"
    place.mkdir()
    if os.geteuid() or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "none", place], check=False).returncode:
        pytest.skip("only root can mount a small disk")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def test_a_disk_that_is_full(tmp_path: Path, small_disk: Path) -> None:
    """The worktrees are on a disk of their own, which has no room for another."""
    shop = Workshop(tmp_path / "shop") if (tmp_path / "shop").mkdir() is None else None
    assert shop
    try:
        shop.govern()
        (shop.repository / "big").write_bytes(os.urandom(3_000_000))
        shop.git("add", "-A")
        shop.git("commit", "-q", "-m", "Big")
        (shop.data / "worktrees").symlink_to(small_disk)
        shop.hire()
        ended = shop.finish(shop.start_command("true"))
        assert ended.state is State.FAILED
        assert "is full" in ended.error
        assert list(small_disk.glob("run-*")) == []

        shop.git("rm", "-q", "big")
        shop.git("commit", "-q", "-m", "Small again")
        filled = shop.finish(
            shop.start(script({"run": ["sh", "-c", "head -c 9000000 /dev/urandom > huge"]}, {"say": "so"}))
        )
        assert filled.state in (State.WAITING, State.FAILED)
        assert filled.worker == ""
    finally:
        shop.close()
