from __future__ import annotations

import pytest

from taskpilot.access.guesses import AT_ONCE, REFILL_SECONDS, Guesses
from taskpilot.domain.errors import Unavailable


@pytest.fixture
def vault():
    """No store is needed here."""


@pytest.fixture
def time():
    return [0.0]


@pytest.fixture
def guesses(time):
    return Guesses(lambda: time[0])


def exhaust(guesses, account, address="1.1.1.1"):
    for _ in range(AT_ONCE):
        guesses.take(account, address)
    with pytest.raises(Unavailable, match="too many wrong passwords"):
        guesses.take(account, address)


def test_tries_for_one_account_are_few_wherever_they_come_from(guesses):
    exhaust(guesses, "ann")
    with pytest.raises(Unavailable):
        guesses.take("ann", "2.2.2.2")
    guesses.take("bob", "1.1.1.1")


def test_they_come_back_with_time(guesses, time):
    exhaust(guesses, "ann")
    time[0] += REFILL_SECONDS
    guesses.take("ann", "1.1.1.1")
    with pytest.raises(Unavailable):
        guesses.take("ann", "1.1.1.1")
    time[0] += REFILL_SECONDS * 100
    exhaust(guesses, "ann")


def test_somebody_who_was_in_before_is_not_kept_out_by_a_stranger(guesses):
    guesses.take("ann", "9.9.9.9")
    guesses.forgive("ann", "9.9.9.9")
    exhaust(guesses, "ann")
    exhaust(guesses, "ann", "9.9.9.9")


def test_a_right_password_forgives_the_wrong_ones(guesses):
    for _ in range(AT_ONCE):
        guesses.take("ann")
    guesses.forgive("ann")
    exhaust(guesses, "ann", "")
