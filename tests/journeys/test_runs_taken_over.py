"""Workers come and go: what one has begun another finishes, and whoever was replaced changes nothing."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from taskpilot.domain.caller import worker
from taskpilot.domain.errors import Conflict
from taskpilot.domain.run import Hold, Kind, Said, State
from taskpilot.ops import dispatch, run_orders, run_tokens
from taskpilot.store.runs import Diff
from tests.agents.workshop import Workshop, script, wait

pytestmark = pytest.mark.slow

STEPS = script({"say": "begun"}, {"edit": "wall", "content": "white"}, {"sleep": 4}, {"recall": True})


@pytest.fixture
def two(tmp_path: Path, postgres_url: str) -> Iterator[Workshop]:
    """PostgreSQL, for workers with data folders of their own."""
    shop = Workshop(tmp_path, postgres_url)
    shop.govern()
    yield shop
    shop.close()


def find_holder(shop: Workshop) -> subprocess.Popen[bytes]:
    """The worker that carries a run out: its program is below it."""
    alive = [each for each in shop.workers if each.poll() is None]
    return next(each for each in alive if psutil.Process(each.pid).children())


def test_a_killed_workers_run_is_finished_by_the_other_in_the_session_it_had(two: Workshop) -> None:
    one, other = two.hire(data=two.folder / "one"), two.hire(data=two.folder / "other")
    run = two.start(STEPS)
    two.wait_until_said(run, "begun")
    session = two.get(run).agent_session
    killed = find_holder(two)

    killed.send_signal(signal.SIGKILL)
    began = time.monotonic()
    wait(lambda: not two.find_left(), "what it had started to be gone", 5)
    two.wait_for(run, State.INTERRUPTED, seconds=15)
    two.wait_for(run, State.IN_PROGRESS, seconds=15)
    taken = time.monotonic() - began
    two.wait_until_said(run, "turn 2")
    ended = two.finish(run)

    assert taken < 15
    assert killed in (one, other)
    assert (ended.state, ended.attempt, ended.agent_session) == (State.WAITING, 2, session)
    assert two.commits(run) == ["Paint the walls"]
    assert two.show(run, "wall") == "white"
    assert sum(entry.kind is Kind.END and entry.text == "waiting" for entry in two.log(run)) == 1


def test_a_worker_that_is_started_again_goes_on_at_once(tmp_path: Path) -> None:
    shop = Workshop(tmp_path)
    try:
        shop.govern()
        first = shop.hire()
        run = shop.start(STEPS)
        shop.wait_until_said(run, "begun")

        first.send_signal(signal.SIGKILL)
        first.wait()
        began = time.monotonic()
        shop.hire()
        shop.wait_until_said(run, "turn 2", seconds=30)
        ended = shop.finish(run)

        assert time.monotonic() - began < 20
        assert (ended.state, ended.attempt) == (State.WAITING, 2)
        assert shop.commits(run) == ["Paint the walls"]
    finally:
        shop.close()


def test_a_worker_that_is_asked_to_go_gives_its_runs_back(empty_shop: Workshop) -> None:
    first = empty_shop.hire()
    run = empty_shop.start(script({"ignore_signals": True}, {"orphan": 100}, {"say": "begun"}, {"sleep": 3}))
    empty_shop.wait_until_said(run, "begun")
    began = time.monotonic()

    first.send_signal(signal.SIGTERM)
    assert first.wait(15) == 0

    assert time.monotonic() - began < 10
    assert empty_shop.find_left() == []
    given = empty_shop.get(run)
    assert (given.state, given.worker) == (State.INTERRUPTED, "")
    empty_shop.hire()
    assert empty_shop.finish(run).state is State.WAITING
    assert empty_shop.get(run).attempt == 2


def test_a_command_is_run_again_by_the_next_worker(empty_shop: Workshop) -> None:
    first = empty_shop.hire()
    run = empty_shop.start_command("sh", "-c", "echo try; sleep 2; echo made > made")
    empty_shop.wait_until_said(run, "try")

    first.send_signal(signal.SIGKILL)
    first.wait()
    empty_shop.hire()
    ended = empty_shop.finish(run)

    assert (ended.state, ended.attempt, empty_shop.said(run)) == (State.COMPLETED, 2, ["try", "try"])
    assert len(empty_shop.commits(run)) == 1


def test_there_is_one_worker_for_a_data_folder_unless_it_has_a_name(empty_shop: Workshop) -> None:
    empty_shop.hire()

    second = empty_shop.hire()
    assert second.wait(20) == 5
    third = empty_shop.hire("--name", "third")

    assert third.poll() is None


def test_a_worker_without_work_leaves(empty_shop: Workshop) -> None:
    worker = empty_shop.hire("--leave-when-idle", "1")
    run = empty_shop.start_command("sleep", "2")

    assert worker.wait(30) == 0
    assert empty_shop.get(run).state is State.COMPLETED


def test_an_attempt_that_was_replaced_can_neither_write_nor_commit_nor_end(empty_shop: Workshop) -> None:
    shop = empty_shop
    run = shop.start(script({"say": "hi"}))
    caller = worker(run.owner, "claudecode", run.id)
    shop.app.run(caller, dispatch.admit, run.id)
    old = shop.app.run(caller, dispatch.take, run.id, "old", lease=-1)
    assert old
    shop.app.run(caller, dispatch.interrupt, run.id)
    shop.app.run(caller, dispatch.take, run.id, "new", lease=60)

    for op, given in (
        (dispatch.note, ([Said(Kind.MESSAGE, "late")],)),
        (dispatch.next_instructions, ()),
        (dispatch.keep, (Diff("abc", "", 0, 0), [])),
        (run_tokens.issue, ("h" * 64,)),
    ):
        with pytest.raises(Conflict):
            shop.app.run(caller, op, old.hold, *given)
    with pytest.raises(Conflict):
        shop.app.run(caller, dispatch.finish, old.hold, ok=True)
    assert not any("late" in entry.text for entry in shop.log(run))


def test_an_old_attempt_cannot_push(empty_shop: Workshop) -> None:
    shop = empty_shop
    remote = shop.folder / "remote.git"
    shop.git("init", "-q", "--bare", str(remote))
    shop.git("remote", "add", "origin", str(remote))
    shop.hire()
    push = ["git", "push", "-q", "origin", "HEAD:refs/heads/pushed"]
    run = shop.start(script({"run": push}, {"say": "pushed"}, {"sleep": 60}))
    shop.wait_until_said(run, "pushed")
    assert "pushed" in shop.git("branch", "--list", cwd=remote)
    place = Path(shop.get(run).worktree)

    def try_push() -> subprocess.CompletedProcess[str]:
        (place / "late").write_text(str(time.monotonic()))
        for argv in (["git", "add", "-A"], ["git", "commit", "-q", "--no-verify", "-m", "late"]):
            subprocess.run(argv, cwd=place, check=True, capture_output=True)
        return subprocess.run(push, cwd=place, capture_output=True, text=True, check=False)

    assert try_push().returncode == 0
    hold = Hold(run=run.id, owner=run.owner, attempt=shop.get(run).attempt, claim=shop.get(run).claim or 0)
    shop.app.run(worker(run.owner, "x", run.id), run_tokens.issue, hold, "h" * 64)

    refused = try_push()

    assert refused.returncode != 0
    assert "may not push" in refused.stderr
    shop.do(run_orders.stop, run.id)
    shop.finish(run)
    wait(lambda: try_push().returncode == 0, "people to be able to push again", 10)


def test_a_worker_that_was_frozen_lets_go_of_what_another_has(two: Workshop) -> None:
    run = two.start(script({"say": "begun"}, {"sleep": 3}, {"say": "end"}))
    two.hire(data=two.folder / "one")
    two.wait_until_said(run, "begun")
    frozen = two.workers[0]

    frozen.send_signal(signal.SIGSTOP)
    two.hire(data=two.folder / "other")
    two.wait_for(run, State.INTERRUPTED, seconds=20)
    two.wait_for(run, State.IN_PROGRESS, seconds=20)
    frozen.send_signal(signal.SIGCONT)
    ended = two.finish(run)

    assert (ended.state, ended.attempt) == (State.WAITING, 2)
