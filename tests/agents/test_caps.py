"""How much a run may use, by a clock that the test moves."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from taskpilot.agents.caps import Meter, Reached
from taskpilot.domain.policy import CAPS, Caps
from taskpilot.domain.run import Agent, Run
from tests.conftest import NOON

pytestmark = pytest.mark.anyio

RUN = Run(id=1, owner=1, task=1, session="s", agent=Agent.CODEX, created_at=NOON, updated_at=NOON)
FREE = Caps(seconds=0, idle_seconds=0, turns=0, tokens=0, cost_micros=0)


class Hands:
    """Of a clock."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


async def watch(meter: Meter) -> Reached | None:
    """What it says after a look or two."""
    try:
        return await asyncio.wait_for(meter.watch(), 0.05)
    except TimeoutError:
        return None


async def test_time_is_up_by_the_clock_however_much_is_said() -> None:
    hands = Hands()
    meter = Meter(replace(FREE, seconds=10), hands)
    hands.now += 9
    meter.hear()
    assert await watch(meter) is None

    hands.now += 1

    assert await watch(meter) == Reached("seconds", 10, 10)


async def test_a_sign_of_life_starts_idleness_anew() -> None:
    hands = Hands()
    meter = Meter(replace(FREE, idle_seconds=5), hands)
    for _ in range(3):
        hands.now += 4
        meter.hear()
        assert await watch(meter) is None

    hands.now += 5

    assert await watch(meter) == Reached("idle_seconds", 5, 5)


async def test_no_time_goes_by_while_a_person_is_asked() -> None:
    hands = Hands()
    meter = Meter(replace(FREE, seconds=10, idle_seconds=5), hands)
    hands.now += 4
    with meter.paused(), meter.paused():
        hands.now += 1_000
        assert await watch(meter) is None
    assert await watch(meter) is None

    hands.now += 1

    assert await watch(meter) == Reached("idle_seconds", 5, 5)


@pytest.mark.parametrize(
    ("caps", "run", "reached"),
    [
        (replace(FREE, tokens=10), replace(RUN, tokens_in=6, tokens_out=4), Reached("tokens", 10, 10)),
        (replace(FREE, cost_micros=5), replace(RUN, cost_micros=7), Reached("cost_micros", 5, 7)),
    ],
)
async def test_what_was_used_is_weighed(caps: Caps, run: Run, reached: Reached) -> None:
    meter = Meter(caps)
    meter.weigh(RUN)
    assert not meter.full

    meter.weigh(run)

    assert meter.full
    assert await watch(meter) == reached


async def test_the_first_cap_counts_and_none_means_no_limit() -> None:
    meter = Meter(FREE)
    meter.weigh(replace(RUN, tokens_in=10**12, cost_micros=10**12))
    assert await watch(meter) is None

    meter.reach(Reached("turns", 1, 1))
    meter.reach(Reached("tokens", 2, 2))

    assert await watch(meter) == Reached("turns", 1, 1)


@pytest.mark.parametrize("cap", CAPS)
async def test_each_cap_says_in_words_that_it_was_reached(cap: str) -> None:
    assert "limit" in Reached(cap, 2_000_000, 2_500_000).tell()


async def test_money_is_told_in_dollars() -> None:
    assert Reached("cost_micros", 2_000_000, 2_500_000).tell() == "It has cost $2.50; its limit is $2.00."
