"""What the engine remembers, on both databases, from one process to the next."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PROGRAM = """
import asyncio, json, os, sys
from pathlib import Path
from taskpilot.agents.attempt import Halt, Halted
from taskpilot.agents.engine import Engine, remember
from taskpilot.store.run_queue import Ticket

address, log, how = sys.argv[1], Path(sys.argv[2]), sys.argv[3]

def note(word):
    with log.open("a") as file:
        file.write(word + "\\n")

async def first():
    note("first")
    return {"n": 1}

async def second():
    note("second")
    if how == "die":
        os._exit(9)
    if how == "leave":
        raise Halted(Halt.LEAVE)
    return {"n": 2}

async def main():
    engine = Engine(address if "://" in address else Path(address), "w")
    done = asyncio.Event()
    async def carry_out(run, owner):
        try:
            one = await remember("first", first)
            two = await remember("second", second)
            note(f"end {run} {owner} {one['n'] + two['n']}")
            return "done"
        finally:
            done.set()
    await engine.open(carry_out)
    await engine.begin(Ticket(7, 3, 0))
    await asyncio.wait_for(done.wait(), 20)
    await asyncio.sleep(0.5)
    await engine.close()

asyncio.run(main())
"""


@pytest.fixture
def go(place: str, tmp_path: Path):
    """Another process on the same records; what it noted, and its exit code."""
    address = place if "://" in place else str(tmp_path / "engine.db")
    log = tmp_path / "log"
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")}

    def go(how: str = "") -> tuple[list[str], int]:
        log.write_text("")
        argv = [sys.executable, "-c", PROGRAM, address, str(log), how]
        done = subprocess.run(argv, env=env, capture_output=True, text=True, timeout=60, check=False)
        assert not done.stderr, done.stderr
        return log.read_text().split("\n")[:-1], done.returncode

    return go


def test_a_part_that_was_done_is_not_done_again_by_the_next_worker(go) -> None:
    assert go("die") == (["first", "second"], 9)

    assert go() == (["second", "end 7 3 3"], 0)


def test_a_part_that_was_let_go_is_not_remembered(go) -> None:
    assert go("leave") == (["first", "second"], 0)

    assert go() == (["second", "end 7 3 3"], 0)


def test_a_run_that_the_engine_believes_to_be_over_can_be_begun_anew(go) -> None:
    assert go() == (["first", "second", "end 7 3 3"], 0)

    assert go() == (["first", "second", "end 7 3 3"], 0)


def test_workers_that_start_at_once_make_its_records_together(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    argv = [sys.executable, "-c", PROGRAM, str(tmp_path / "engine.db")]
    started = [
        subprocess.Popen([*argv, str(tmp_path / f"log-{n}"), ""], env=env, stderr=subprocess.PIPE) for n in range(2)
    ]

    said = [each.communicate(timeout=90)[1] for each in started]

    assert not any(b"already exists" in each for each in said), json.dumps([each.decode() for each in said])
