"""A whole run of a real agent: queued, carried out by `taskpilot worker`, followed up and stopped. Inside the walls."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from taskpilot.domain.run import Agent, Run, State
from taskpilot.domain.task import Status
from taskpilot.ops import run_orders
from tests.agents.workshop import Workshop, wait
from tests.end_to_end.model import write

SECONDS = 120.0
STOP_SECONDS = 10.0
"""Five until nothing is alive, and as many for a busy machine to write it down."""


@pytest.fixture
def shop(tmp_path: Path, env: dict[str, str]) -> Iterator[Workshop]:
    shop = Workshop(tmp_path)
    shop.govern(sandbox="auto", allow=["edit", "execute"])
    shop.hire(env=env)
    yield shop
    shop.close()


def test_a_run_is_carried_out_followed_up_and_stopped(shop: Workshop, agent: Agent, way: str) -> None:
    steps = [
        {"call": "log", "arguments": {"text": "half way", "progress": 50}},
        {"edit": "one.txt", "content": "one\n"},
    ]
    run = shop.start(write(*steps), agent, config={"way": way})

    ended = shop.finish(run, SECONDS)

    assert (ended.state, ended.error, ended.way) == (State.WAITING, "", way), shop.log(run)
    assert shop.task(run).status is Status.REVIEW
    assert "half way" in [entry.text for entry in shop.log(run)]
    assert shop.show(run, "one.txt") == "one"
    assert len(shop.commits(run)) == 1
    _follow_up(shop, run)
    _stop(shop, run)


def _follow_up(shop: Workshop, run: Run) -> None:
    """In another process, and in the same session, if the agent can."""
    shop.do(run_orders.follow_up, run.id, write({"edit": "two.txt", "content": "two\n"}))
    ended = shop.finish(run, SECONDS)
    assert (ended.state, ended.error) == (State.WAITING, ""), shop.log(run)
    assert ended.files_changed == ("one.txt", "two.txt")
    assert len(shop.commits(run)) == 2
    assert shop.said(run)[-1] == "turn 2", shop.log(run)
    lost = [entry.text for entry in shop.log(run) if "has lost its session" in entry.text]
    assert bool(lost) is ((ended.agent, ended.way) == (Agent.GEMINI, "acp"))


def _stop(shop: Workshop, run: Run) -> None:
    shop.do(run_orders.follow_up, run.id, write({"run": "setsid sleep 301 & touch started; sleep 302"}))
    started = Path(shop.get(run).worktree) / "started"
    wait(started.exists, "its command to run", SECONDS)
    shop.do(run_orders.stop, run.id)
    assert shop.finish(run, STOP_SECONDS).state is State.CANCELLED
    assert [line for line in shop.find_left() if "/git " not in line] == []  # the worker's own, tidying up
