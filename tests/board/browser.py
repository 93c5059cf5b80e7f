"""A real Chromium: the one on this machine, or one that is installed here and now.

`python -m tests.board.browser` makes sure that there is one, and says what to do where there cannot be.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, Playwright, sync_playwright

NAMED = "TASKPILOT_CHROMIUM"
USUAL = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FROM_DEBIAN = "apt-get update && apt-get install -y chromium"
FROM_PLAYWRIGHT = f"{sys.executable} -m playwright install --with-deps chromium"
PATIENCE = 600


class NoBrowser(Exception):
    """There is none, and none could be installed."""


def launch(playwright: Playwright) -> Browser:
    """Without a window. As root Chromium has no sandbox to offer, and refuses to start unless it is told so."""
    flags = ["--no-sandbox"] if os.geteuid() == 0 else []
    return playwright.chromium.launch(executable_path=provide(playwright), args=flags)


def provide(playwright: Playwright) -> str:
    """Where Chromium is, installed first if it must be. Of several that want one at once, the first installs it."""
    with Path(__file__).open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return find(playwright) or _install(playwright)


def find(playwright: Playwright) -> str | None:
    if named := os.environ.get(NAMED):
        if shutil.which(named) is None:
            raise NoBrowser(f"{NAMED} says {named}, and there is no program there. Correct it, or unset it.")
        return named
    own = playwright.chromium.executable_path
    return next((path for name in USUAL if (path := shutil.which(name))), own if Path(own).exists() else None)


def _install(playwright: Playwright) -> str:
    tried: list[str] = []
    for command in (FROM_DEBIAN, FROM_PLAYWRIGHT):
        if command == FROM_DEBIAN and (os.geteuid() != 0 or shutil.which("apt-get") is None):
            continue
        done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=PATIENCE, check=False)
        if done.returncode == 0 and (found := find(playwright)):
            return found
        tried.append(f"$ {command}\n{(done.stderr or done.stdout)[-1000:].strip()}")
    raise NoBrowser(
        "The board is proved in a real Chromium, and there is none here. Install one by either of these, then repeat:\n"
        f"    sudo sh -c '{FROM_DEBIAN}'\n    {FROM_PLAYWRIGHT}\n"
        f"Or name the one you have: {NAMED}=/path/to/chromium\n\nWhat was tried:\n" + "\n\n".join(tried)
    )


if __name__ == "__main__":
    with sync_playwright() as started:
        try:
            print(provide(started))
        except NoBrowser as missing:
            sys.exit(str(missing))
