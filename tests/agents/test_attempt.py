"""One worker's go at a run, without its engine: what is halted, what is lost, and what is written down."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from taskpilot.agents import course
from taskpilot.agents.attempt import Attempt, Halt, Halted
from taskpilot.agents.caps import Meter
from taskpilot.agents.listener import Scribe
from taskpilot.agents.programs.masks import Mask
from taskpilot.agents.station import Station
from taskpilot.app import App
from taskpilot.domain.caller import worker
from taskpilot.domain.errors import Conflict
from taskpilot.domain.policy import Caps
from taskpilot.domain.run import Agent, Kind, Said, State
from taskpilot.ops import attempts, dispatch, policies, run_log, run_orders, tasks
from tests.agents import repo

pytestmark = pytest.mark.anyio


@pytest.fixture
def start(app: App, do, add, tmp_path: Path):
    """Takes a run of a command as a worker, in a real repository."""
    shop = repo.make(tmp_path / "shop")

    def start(*argv: str) -> Attempt:
        task = add(workspace=str(shop))
        do(policies.change, task.workspace, {"sandbox": "off"})
        run = do(run_orders.start, task.id, agent=Agent.COMMAND, config={"command": list(argv or ("true",))}).run
        station = Station(app=app, data_dir=tmp_path / "data", worker="w")
        caller = worker(run.owner, "command", run.id)
        app.run(caller, dispatch.admit, run.id)
        order = app.run(caller, dispatch.take, run.id, "w", lease=8)
        assert order
        return Attempt(station, order)

    return start


async def once(_: str, do: Callable[[], Awaitable[Any]]) -> Any:
    return await do()


def replaced(app: App, attempt: Attempt, clock) -> None:
    clock.forward(seconds=9)
    app.run(attempt.caller, dispatch.interrupt, attempt.order.run.id)
    app.run(attempt.caller, dispatch.take, attempt.order.run.id, "x", lease=8)


async def test_an_attempt_goes_its_course(start, do) -> None:
    attempt = start("sh", "-c", "echo hi; echo 1 > new")

    await course.follow(attempt, once)

    run = do(attempts.find, attempt.order.run.id)
    assert (run.state, run.files_changed, run.exit_code) == (State.COMPLETED, ("new",), 0)


async def test_what_was_remembered_is_not_done_again(start, do, tmp_path: Path) -> None:
    attempt = start("sh", "-c", f"echo x >> {tmp_path}/times; echo 1 > new")
    known: dict[str, Any] = {}

    async def remember(name: str, do_it: Callable[[], Awaitable[Any]]) -> Any:
        if name == "keep" and not known.get("died"):
            known["died"] = True
            raise asyncio.CancelledError
        if name not in known:
            known[name] = await do_it()
        return known[name]

    with pytest.raises(asyncio.CancelledError):
        await course.follow(attempt, remember)
    await course.follow(Attempt(attempt.station, attempt.order), remember)

    assert (tmp_path / "times").read_text() == "x\n"
    assert do(attempts.find, attempt.order.run.id).state is State.COMPLETED


@pytest.mark.parametrize("why", [Halt.LEAVE, Halt.LOST])
async def test_one_that_is_let_go_ends_its_program_and_says_nothing(start, do, why: Halt) -> None:
    attempt = start("sleep", "60")
    going = asyncio.create_task(course.follow(attempt, once))
    await asyncio.sleep(1)

    attempt.halt(why)

    with pytest.raises(Halted):
        await asyncio.wait_for(going, 10)
    assert do(attempts.find, attempt.order.run.id).state is State.IN_PROGRESS


async def test_one_that_is_stopped_says_so(start, do) -> None:
    attempt = start("sleep", "60")
    going = asyncio.create_task(course.follow(attempt, once))
    await asyncio.sleep(1)
    do(run_orders.stop, attempt.order.run.id)

    attempt.halt(Halt.STOP)
    await asyncio.wait_for(going, 10)

    assert do(attempts.find, attempt.order.run.id).state is State.CANCELLED


async def test_one_that_was_halted_before_it_began_begins_nothing(start) -> None:
    attempt = start("sleep", "60")
    attempt.halt(Halt.LEAVE)

    with pytest.raises(Halted):
        await course.follow(attempt, once)


async def test_being_lost_counts_more_than_any_other_reason(start) -> None:
    attempt = start()
    attempt.halt(Halt.STOP)
    attempt.halt(Halt.LEAVE)
    assert attempt.halted is Halt.STOP

    attempt.halt(Halt.LOST)

    assert attempt.halted is Halt.LOST


async def test_one_that_was_replaced_commits_nothing(start, app: App, clock) -> None:
    attempt = start("sh", "-c", "echo 1 > new")

    async def remember(name: str, do_it: Callable[[], Awaitable[Any]]) -> Any:
        if name == "keep":
            replaced(app, attempt, clock)
        return await do_it()

    with pytest.raises(Halted):
        await course.follow(attempt, remember)

    place = Path(app.run(attempt.caller, attempts.find, attempt.order.run.id).worktree)
    assert repo.sh(place, "log", "--format=%s") == "First"


async def test_a_task_that_somebody_completes_meanwhile_ends_its_run(start, do) -> None:
    attempt = start("sh", "-c", "sleep 1; echo late")
    going = asyncio.create_task(course.follow(attempt, once))
    await asyncio.sleep(0.5)

    do(tasks.complete, attempt.order.task.id)
    await asyncio.wait_for(going, 20)

    assert do(attempts.find, attempt.order.run.id).state is State.FAILED


async def test_what_is_heard_is_written_down_in_batches_and_masked(start, do) -> None:
    attempt = start()
    scribe = Scribe(attempt.station, attempt.caller, attempt.order, Meter(Caps()), Mask(["sesame-open"]))

    for number in range(120):
        await scribe.hear(Said(Kind.MESSAGE, f"{number} sesame-open", {"key": "sesame-open"}))
    await scribe.close()

    said = [entry for entry in do(run_log.read_run, attempt.order.run.id, limit=500) if entry.kind is Kind.MESSAGE]
    assert [entry.text.split()[0] for entry in said] == [str(number) for number in range(120)]
    assert "sesame" not in "".join(f"{entry.text}{entry.data}" for entry in said)
    assert scribe.last.startswith("119 ")


async def test_what_was_said_is_written_down_soon_by_itself(start, do) -> None:
    attempt = start()
    scribe = Scribe(attempt.station, attempt.caller, attempt.order, Meter(Caps()), Mask([]))

    await scribe.hear(Said(Kind.MESSAGE, "soon"))
    await asyncio.sleep(0.6)

    assert do(run_log.read_run, attempt.order.run.id)[-1].text == "soon"
    await scribe.close()


async def test_whoever_was_replaced_hears_nothing_more(start, app: App, clock) -> None:
    attempt = start()
    scribe = Scribe(attempt.station, attempt.caller, attempt.order, Meter(Caps()), Mask([]))
    replaced(app, attempt, clock)
    await scribe.hear(Said(Kind.MESSAGE, "late"))

    with pytest.raises(Conflict):
        await asyncio.wait_for(asyncio.shield(scribe.failed), 5)

    with pytest.raises(Conflict):
        await scribe.hear(Said(Kind.MESSAGE, "later"))
