from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import argon2
import pytest

from taskpilot.access import passwords
from taskpilot.access.passwords import AT_ONCE, hash_password, is_right, needs_rehash


@pytest.fixture
def vault():
    """No store is needed here."""


def test_a_password_is_kept_as_argon2id_with_a_salt():
    first, second = hash_password("correct horse"), hash_password("correct horse")
    assert first.startswith("$argon2id$")
    assert first != second
    assert is_right(first, "correct horse")
    assert not is_right(first, "correct horse ")
    assert not needs_rehash(first)


@pytest.mark.parametrize("password", ["pass\0word", "\ud800half pair", "ü" * 1000, " " * 8])
def test_every_character_counts(password):
    hashed = hash_password(password)
    assert is_right(hashed, password)
    assert not is_right(hashed, password[:-1])


@pytest.mark.parametrize("hashed", [None, "", "no hash", "$argon2id$v=19$m=8,t=1,p=1$broken"])
def test_without_a_hash_nothing_is_right(hashed):
    assert not is_right(hashed, "nobody has this password")
    assert not is_right(hashed, "")


def test_weaker_settings_of_old_are_noticed():
    assert needs_rehash(argon2.PasswordHasher(time_cost=1, memory_cost=64).hash("x"))


class Watched:
    """A hasher that notes how many are at work at the same time."""

    def __init__(self):
        self.real = argon2.PasswordHasher(time_cost=1, memory_cost=64)
        self.lock, self.now, self.most, self.verified = threading.Lock(), 0, 0, []

    def __enter__(self):
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(0.01)

    def __exit__(self, *_):
        with self.lock:
            self.now -= 1

    def hash(self, password):
        with self:
            return self.real.hash(password)

    def verify(self, hashed, password):
        self.verified.append(hashed)
        with self:
            return self.real.verify(hashed, password)


@pytest.fixture
def watched(monkeypatch):
    found = Watched()
    passwords._nobody.cache_clear()
    monkeypatch.setattr(passwords, "_hasher", lambda: found)
    yield found
    passwords._nobody.cache_clear()


def test_at_most_two_are_at_work_at_once(watched):
    with ThreadPoolExecutor(12) as threads:
        list(threads.map(lambda number: hash_password("x") if number % 2 else is_right(None, "x"), range(24)))
    assert watched.most == AT_ONCE == 2


def test_an_account_that_is_not_there_takes_as_much_work(watched):
    assert not is_right(None, "x")
    assert not is_right(hash_password("y"), "x")
    assert len(watched.verified) == 2
    assert all(hashed.startswith("$argon2id$") for hashed in watched.verified)
