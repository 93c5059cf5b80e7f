"""Commands in a worktree: how they end, what they printed, and that nothing of them stays."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from taskpilot.agents.programs import commands
from taskpilot.agents.programs.commands import CANNOT_START, TOO_LONG, Place

pytestmark = pytest.mark.anyio


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(cwd=tmp_path, env={"PATH": os.environ["PATH"]})


async def test_all_it_prints_is_digested_and_the_end_is_kept(place: Place) -> None:
    ended = await commands.run("sh -c 'yes no | head -c 100000; echo; echo bad; exit 3'", place, limit=20)

    assert (ended.exit_code, ended.ok) == (3, False)
    assert len(ended.tail) <= commands.TAIL
    assert ended.tail.endswith("bad\n")
    assert len(ended.digest) == 64
    assert ended.tell().startswith("sh -c")


async def test_its_complaints_are_kept_too(place: Place) -> None:
    ended = await commands.run("sh -c 'echo good; echo bad >&2'", place, limit=20)

    assert sorted(ended.tail.split()) == ["bad", "good"]


async def test_the_digest_is_that_of_what_it_printed(place: Place) -> None:
    ended = await commands.run("printf hello", place, limit=20)

    assert (ended.digest, ended.tail) == (hashlib.sha256(b"hello").hexdigest(), "hello")


async def test_no_shell_reads_a_command(place: Place) -> None:
    ended = await commands.run("echo '$HOME; touch x' > y", place, limit=20)

    assert ended.tail == "$HOME; touch x > y\n"
    assert list(place.cwd.iterdir()) == []


async def test_one_that_takes_too_long_is_stopped(place: Place) -> None:
    ended = await commands.run("sh -c 'echo begun; sleep 60'", place, limit=0.5)

    assert ended.exit_code == TOO_LONG
    assert "begun" in ended.tail
    assert "Stopped after 0.5 s" in ended.tail
    assert ended.seconds < 10


async def test_one_that_is_not_there_says_so(place: Place) -> None:
    ended = await commands.run("no-such-program --version", place, limit=5)

    assert ended.exit_code == CANNOT_START
    assert "not installed" in ended.tail
