from __future__ import annotations

import pytest

from taskpilot.surfaces.web import limits
from taskpilot.surfaces.web.limits import Buckets


class Seconds:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


def test_a_minutes_worth_goes_through_at_once_and_then_as_fast_as_it_refills(seconds):
    buckets = Buckets(60, seconds)
    assert [buckets.take("ann").wait for _ in range(62)] == [0] * 60 + [1, 1]
    seconds.now += 1
    assert [buckets.take("ann").wait for _ in range(2)] == [0, 1]
    seconds.now += 3_600
    assert [buckets.take("ann").wait for _ in range(61)] == [0] * 60 + [1]


def test_the_wait_that_is_told_is_long_enough(seconds):
    buckets = Buckets(7, seconds)
    for _ in range(7):
        buckets.take("ann")
    wait = buckets.take("ann").wait
    assert wait == 9
    seconds.now += wait
    assert buckets.take("ann").wait == 0


def test_one_does_not_wait_for_another(seconds):
    buckets = Buckets(1, seconds)
    assert [buckets.take(who).wait for who in ("ann", "ann", "bob", "bob")] == [0, 60, 0, 60]


def test_the_usual_headers_say_how_much_is_left(seconds):
    buckets = Buckets(2, seconds)
    first, second, third = (dict(buckets.take("ann").headers) for _ in range(3))
    assert first == {b"ratelimit-limit": b"2", b"ratelimit-remaining": b"1", b"ratelimit-reset": b"30"}
    assert second == {b"ratelimit-limit": b"2", b"ratelimit-remaining": b"0", b"ratelimit-reset": b"60"}
    assert third == {b"ratelimit-limit": b"2", b"ratelimit-remaining": b"0", b"ratelimit-reset": b"30"}


def test_no_limit_is_no_limit(seconds):
    assert Buckets(0, seconds).take("ann") is None


def test_strangers_cannot_fill_the_memory(seconds, monkeypatch):
    monkeypatch.setattr(limits, "REMEMBERED", 10)
    buckets = Buckets(1, seconds)
    buckets.take("ann")
    for number in range(9):
        buckets.take(number)
    assert buckets.take("ann").wait
    for number in range(100):
        buckets.take(number)
    assert len(buckets._levels) == 10
