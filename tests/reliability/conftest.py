"""Processes that are killed without warning."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

CHILD = Path(__file__).with_name("child.py")


@pytest.fixture
def start() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start the child and wait until it is at work."""
    children: list[subprocess.Popen[str]] = []

    def start(what: str, place: str | Path, *arguments: object, wait: bool = True) -> subprocess.Popen[str]:
        child = subprocess.Popen(
            [sys.executable, "-X", "frozen_modules", CHILD, what, str(place), *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        children.append(child)
        if wait:
            assert child.stdout is not None
            assert child.stdout.readline() == "ready\n"
        return child

    yield start
    for child in children:
        child.kill()
        child.communicate()
