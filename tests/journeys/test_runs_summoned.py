"""Nobody has to start a worker: one comes when there is a run, and goes when there is none."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from taskpilot.agents.foreman import is_taken
from taskpilot.domain.run import State
from tests.agents.workshop import Workshop, script, wait

pytestmark = pytest.mark.slow


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Workshop]:
    shop = Workshop(tmp_path)
    shop.govern()
    yield shop
    for process in find_workers(shop):
        process.terminate()
        process.wait(20)
    shop.close()


def find_workers(shop: Workshop) -> list[psutil.Process]:
    found: list[psutil.Process] = []
    for process in psutil.process_iter():
        try:
            words = process.cmdline()
        except psutil.Error:
            continue
        if "worker" in words and str(shop.data) in words:
            found.append(process)
    return found


def serve(shop: Workshop) -> subprocess.Popen[bytes]:
    said = shop.folder / "server.log"
    argv = [sys.executable, "-m", "taskpilot", "serve", "--port", "0", "--data-dir", str(shop.data)]
    with said.open("wb") as file:
        server = subprocess.Popen(argv, env={**shop.env, "TASKPILOT_WORKERS": "auto"}, stderr=file)
    wait(lambda: b"listening" in said.read_bytes(), "the server")
    return server


def test_a_server_summons_a_worker_and_takes_it_along_when_it_ends(shop: Workshop) -> None:
    server = serve(shop)
    assert find_workers(shop) == []

    run = shop.start_command("true")
    assert shop.finish(run).state is State.COMPLETED
    assert len(find_workers(shop)) == 1
    assert is_taken(shop.data)
    server.send_signal(signal.SIGTERM)
    server.wait(20)

    wait(lambda: not find_workers(shop), "the worker to go", 20)
    assert not is_taken(shop.data)


def test_a_server_that_is_killed_takes_no_run_with_it(shop: Workshop) -> None:
    server = serve(shop)
    run = shop.start(script({"say": "begun"}, {"sleep": 2}, {"say": "end"}))
    shop.wait_until_said(run, "begun")

    server.send_signal(signal.SIGKILL)
    server.wait()
    ended = shop.finish(run)

    assert (ended.state, ended.attempt, shop.said(run)) == (State.WAITING, 1, ["begun", "end"])


def test_a_server_that_starts_finds_what_was_left_lying(shop: Workshop) -> None:
    run = shop.start_command("true")

    server = serve(shop)

    assert shop.finish(run).state is State.COMPLETED
    server.send_signal(signal.SIGTERM)
    server.wait(20)


def test_a_worker_that_dies_is_replaced_and_its_run_goes_on(shop: Workshop) -> None:
    server = serve(shop)
    run = shop.start(script({"say": "begun"}, {"sleep": 2}, {"say": "end"}))
    shop.wait_until_said(run, "begun")

    (found,) = find_workers(shop)
    found.kill()

    assert shop.finish(run).state is State.WAITING
    assert shop.get(run).attempt == 2
    server.send_signal(signal.SIGTERM)
    server.wait(20)


def test_the_command_line_summons_one_too(shop: Workshop) -> None:
    task = shop.add()
    argv = [sys.executable, "-m", "taskpilot", "run", "start", str(task.id), "--agent", "command"]
    done = subprocess.run(
        [*argv, "--data-dir", str(shop.data), "--json", "--", "true"],
        env={**shop.env, "TASKPILOT_WORKERS": "auto"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr

    run = shop.get(int(re.search(r'"id": (\d+)', done.stdout)[1]))  # pyright: ignore[reportOptionalSubscript]

    assert shop.finish(run).state is State.COMPLETED
