"""From spawn to the first answer on stdio: the bare SDK, ours alone, ours as a relay, and Python doing nothing."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from bench.processes import ECHO, TASKPILOT, Stdio, http_server
from bench.report import at_most, show

ROUNDS = 11
RELAY_MB = 20


def run() -> None:
    times: dict[str, list[float]] = {"python": [], "sdk": [], "alone": [], "relay": []}
    listed: dict[str, list[float]] = {"sdk": [], "alone": []}
    memory: list[float] = []
    with tempfile.TemporaryDirectory() as alone, tempfile.TemporaryDirectory() as shared:
        _first_answer(*TASKPILOT, "mcp", "--data-dir", alone)  # make the database once
        with http_server(*TASKPILOT, "serve", "--port", "{port}", "--data-dir", shared):
            for _ in range(ROUNDS):
                times["python"].append(_nothing())
                for name, command in (("sdk", (*ECHO, "stdio")), ("alone", (*TASKPILOT, "mcp", "--data-dir", alone))):
                    answered, tools, _ = _first_answer(*command)
                    times[name].append(answered)
                    listed[name].append(tools)
                answered, _, megabytes = _first_answer(*TASKPILOT, "mcp", "--data-dir", shared)
                times["relay"].append(answered)
                memory.append(megabytes)
    at_most("cold start alone, of a bare SDK server", times["alone"], times["sdk"], 1.1)
    at_most("… to the list of tools, of the same", listed["alone"], listed["sdk"], 1.5)
    at_most("cold start as a relay, of `python -c pass`", times["relay"], times["python"], 5)
    held = median(memory)
    show("memory held by the relay, MB", held, f"≤ {RELAY_MB}", held <= RELAY_MB)


def _nothing() -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return 1000 * (time.perf_counter() - start)


def _first_answer(*argv: str) -> tuple[float, float, float]:
    """Milliseconds to the answer to `initialize` and to the list of tools, and the megabytes held then."""
    start = time.perf_counter()
    client = Stdio(*argv)
    client.open()
    took = 1000 * (time.perf_counter() - start)
    client.ask("tools/list", {})
    listed = 1000 * (time.perf_counter() - start)
    held = _megabytes(client.process.pid)
    client.close()
    return took, listed, held


def _megabytes(pid: int) -> float:
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return 0.0
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024
