"""What a worker begins, what it leaves to others, and what it hears. The engine here only takes orders."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from taskpilot.agents.attempt import Attempt, Halt
from taskpilot.agents.station import Station, name_worker
from taskpilot.agents.worker import Terms, Worker
from taskpilot.app import App
from taskpilot.domain.caller import worker
from taskpilot.domain.run import Agent, Run, State
from taskpilot.ops import attempts, dispatch, run_orders, tasks
from taskpilot.store.run_queue import Ticket

pytestmark = pytest.mark.anyio


class Orders:
    """An engine that does nothing."""

    def __init__(self) -> None:
        self.begun: list[int] = []

    async def begin(self, ticket: Ticket) -> None:
        self.begun.append(ticket.run)


@pytest.fixture
def queue(do, add, tmp_path: Path):
    def queue(title: str = "Paint", **fields: object) -> Run:
        task = add(title, workspace=str(tmp_path), **fields)
        return do(run_orders.start, task.id, agent=Agent.COMMAND, config={"command": ["true"]}).run

    return queue


def hire(app: App, tmp_path: Path, name: str = "w", **terms: int) -> tuple[Worker, Orders]:
    orders = Orders()
    return Worker(Station(app=app, data_dir=tmp_path, worker=name), orders, Terms(**terms)), orders  # type: ignore[arg-type]


async def take(one: Worker, run: Run) -> Attempt:
    """As the engine would have it taken."""
    attempt = await one._take(run.id, run.owner)
    assert attempt
    one._attempts[run.id] = attempt
    return attempt


async def test_it_begins_as_much_as_it_has_room_for_oldest_first(app: App, queue, tmp_path: Path) -> None:
    runs = [queue(f"Wall {number}") for number in range(4)]
    one, orders = hire(app, tmp_path, concurrency=2)

    assert await one._look()
    await one._look()

    assert orders.begun == [run.id for run in runs[:2]]


async def test_two_workers_never_begin_the_same_run(app: App, queue, tmp_path: Path) -> None:
    runs = [queue(f"Wall {number}") for number in range(4)]
    (one, first), (other, second) = (hire(app, tmp_path, name, concurrency=2) for name in "ab")

    await asyncio.gather(one._look(), other._look())
    await asyncio.gather(one._look(), other._look())

    assert sorted([*first.begun, *second.begun]) == [run.id for run in runs]


async def test_what_waits_on_something_is_begun_when_it_no_longer_does(
    app: App, do, add, queue, tmp_path: Path
) -> None:
    first = add("First")
    run = queue("Second", blocked_by=[first.id])
    one, orders = hire(app, tmp_path)
    await one._look()
    assert orders.begun == []

    do(tasks.complete, first.id)
    one._news = True
    await one._look()

    assert orders.begun == [run.id]


async def test_a_user_has_no_more_runs_at_a_time_than_the_worker_allows(app: App, queue, tmp_path: Path) -> None:
    runs = [queue(f"Wall {number}") for number in range(3)]
    one, orders = hire(app, tmp_path, concurrency=8, user_most=2)

    await one._look()

    assert orders.begun == [run.id for run in runs[:2]]


async def test_a_silent_workers_run_is_begun_by_another(app: App, do, queue, clock, tmp_path: Path) -> None:
    run = queue()
    one, _ = hire(app, tmp_path, "a")
    other, orders = hire(app, tmp_path, "b")
    await one._look()
    await take(one, run)
    await other._look()
    assert orders.begun == []

    clock.forward(seconds=9)
    await other._look()

    assert orders.begun == [run.id]
    assert do(attempts.find, run.id).state is State.INTERRUPTED
    assert (await take(other, run)).order.hold.attempt == 2


async def test_it_lets_go_of_what_is_no_longer_its_own(app: App, queue, clock, tmp_path: Path) -> None:
    run, kept = queue("Lost"), queue("Kept")
    one, _ = hire(app, tmp_path, "a")
    await one._look()
    lost, held = await take(one, run), await take(one, kept)
    clock.forward(seconds=5)
    app.run(worker(), dispatch.renew, "a", lease=8)
    app.run(worker(), attempts.forsake, "a")
    app.run(held.caller, dispatch.interrupt, kept.id)
    held = await take(one, kept)

    beating = asyncio.create_task(one._live())
    await asyncio.sleep(0.3)
    beating.cancel()

    assert (lost.halted, held.halted) == (Halt.LOST, None)


async def test_it_hears_that_a_run_is_to_stop(app: App, do, queue, tmp_path: Path) -> None:
    run = queue()
    one, _ = hire(app, tmp_path)
    await one._look()
    attempt = await take(one, run)
    loop = asyncio.get_running_loop()
    unsubscribe = app.subscribe(lambda events: loop.call_soon_threadsafe(one._hear, events) and None)

    do(run_orders.stop, run.id)
    for _ in range(100):
        await asyncio.sleep(0.05)
        if attempt.halted:
            break
    unsubscribe()

    assert attempt.halted is Halt.STOP


async def test_a_run_that_was_stopped_before_it_was_taken_is_over(app: App, do, queue, tmp_path: Path) -> None:
    run = queue()
    one, _ = hire(app, tmp_path)
    await one._look()
    do(run_orders.stop, run.id)

    assert await one.carry_out(run.id, run.owner) == "over"
    assert do(attempts.find, run.id).state is State.CANCELLED


def test_a_worker_has_the_same_name_when_it_is_started_again(tmp_path: Path) -> None:
    assert name_worker(tmp_path) == name_worker(tmp_path)
    assert name_worker(tmp_path) != name_worker(tmp_path / "other")
    assert name_worker(tmp_path, "b") == f"{name_worker(tmp_path)}-b"
