"""Workshops for whole runs: one whose worker a file's tests share, and one for tests that are rough with workers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.agents.workshop import Workshop

NUMBERS = count(1)


@pytest.fixture(scope="module")
def busy_shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    shop = Workshop(tmp_path_factory.mktemp("shop"))
    shop.hire("--concurrency", "4")
    yield shop
    shop.close()


@pytest.fixture
def shop(busy_shop: Workshop) -> Workshop:
    """With a worker at work, and a repository of its own."""
    busy_shop.found(f"shop-{next(NUMBERS)}")
    busy_shop.govern()
    return busy_shop


@pytest.fixture(params=["sqlite", "postgres"])
def empty_shop(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workshop]:
    """Without a worker."""
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else ""
    shop = Workshop(tmp_path, url)
    shop.govern()
    yield shop
    shop.close()
