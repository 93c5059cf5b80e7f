"""Sees to it that there is a worker on this machine when there is something to do."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from taskpilot.app import App
from taskpilot.domain.caller import worker
from taskpilot.domain.errors import Conflict, TaskPilotError
from taskpilot.domain.events import Event
from taskpilot.ops import attempts
from taskpilot.settings import PREFIX, Secret, Settings

IDLE = 60
"""Seconds without work after which a worker that was summoned leaves."""
PATIENCE = 2.0
"""Seconds to wait for a place: whoever looks whether it is taken holds it for a moment."""
LOOK = 5.0
"""Seconds between two looks, if nothing was heard meanwhile: a worker may have died."""
PAUSE = 0.05
"""So that a burst of changes is one look."""
NEWS = ("run", "task", "claim", "question", "policy")
STARTING = 15.0
"""Seconds that a worker may take to be there."""
PASSED_ON = ("database_url", "secret_key", "log_level", "runs_per_user", "worktree_days")
LOG_MOST = 10 * 1024 * 1024

log = logging.getLogger(__name__)


def find_place(data_dir: Path, name: str = "") -> Path:
    return data_dir / (f"worker-{name}.lock" if name else "worker.lock")


@contextmanager
def take_place(data_dir: Path, name: str = "") -> Generator[None]:
    """Be the one worker of that name on a data folder; Conflict if there is one."""
    with _open(find_place(data_dir, name)) as file:
        until = time.monotonic() + PATIENCE
        while not _lock(file, shared=False):
            if time.monotonic() > until:
                raise Conflict(
                    f"There is a worker on {data_dir} already.",
                    hint="Give this one a name of its own with --name, or leave it to that one.",
                )
            time.sleep(0.05)
        yield


def is_taken(data_dir: Path, name: str = "") -> bool:
    """Whether a worker runs there."""
    try:
        with _open(find_place(data_dir, name)) as file:
            return not _lock(file, shared=True)
    except OSError:
        return False


def summon(settings: Settings) -> subprocess.Popen[bytes] | None:
    """Start a worker in the background if there is none, and if that is wanted. It leaves when it is idle."""
    if settings.workers != "auto" or is_taken(settings.data_dir):
        return None
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    argv = [sys.executable, "-m", "taskpilot", "worker", "--leave-when-idle", str(IDLE)]
    with _open_log(settings.data_dir / "worker.log") as said:
        started = subprocess.Popen(
            [*argv, "--data-dir", str(settings.data_dir)],
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            env=_pass_on(settings),
            start_new_session=True,
        )
    log.info("started a worker", extra={"pid": started.pid})
    return started


class Foreman:
    """Stands behind a server, in a thread of its own: looks for work that nobody does, and summons a worker for it."""

    def __init__(self, settings: Settings, app: App) -> None:
        self._settings = settings
        self._app = app
        self._started: list[subprocess.Popen[bytes]] = []
        self._since = 0.0
        self._wake = threading.Event()
        self._over = False
        self._thread: threading.Thread | None = None
        if settings.workers == "auto":
            self._unsubscribe = app.subscribe(self._hear)
            self._thread = threading.Thread(target=self._watch, name="foreman", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Tell the workers that were started here to leave; what they have begun is gone on with next time."""
        if self._thread is None:
            return
        self._unsubscribe()
        self._over = True
        self._wake.set()
        self._thread.join()
        for started in self._started:
            if started.poll() is None:
                with suppress(ProcessLookupError):
                    started.send_signal(signal.SIGTERM)
                started.returncode = 0  # nobody waits for it

    def _hear(self, events: Sequence[Event]) -> None:
        if any(event.noun in NEWS and event.kind != "run.logged" for event in events):
            self._wake.set()

    def _watch(self) -> None:
        while not self._over:
            try:
                self._look()
            except TaskPilotError as error:
                log.warning("cannot look for runs: %s", error)
            except Exception:
                log.exception("looking for runs failed")
            self._wake.wait(LOOK)
            if not self._over:
                self._wake.clear()
                time.sleep(PAUSE)

    def _look(self) -> None:
        self._started = [each for each in self._started if each.poll() is None]
        if self._started and time.monotonic() - self._since < STARTING:
            return  # it is about to take its place
        if is_taken(self._settings.data_dir) or not self._is_needed():
            return
        started = summon(self._settings)
        if started:
            self._started.append(started)
            self._since = time.monotonic()

    def _is_needed(self) -> bool:
        return self._app.run(worker(), attempts.is_work_waiting, user_most=self._settings.runs_per_user)


def _pass_on(settings: Settings) -> dict[str, str]:
    """The settings of whoever starts it, wherever those came from. None shows in a list of processes."""
    told = {name: getattr(settings, name) for name in PASSED_ON}
    plain = {name: value.reveal() if isinstance(value, Secret) else str(value) for name, value in told.items()}
    ours = {f"{PREFIX}{name.upper()}": value for name, value in plain.items() if value}
    return {**os.environ, **ours, f"{PREFIX}LOG_FORMAT": "json"}


def _open(path: Path) -> IO[bytes]:
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600), "rb+")


def _open_log(path: Path) -> IO[bytes]:
    with suppress(OSError):
        if path.stat().st_size > LOG_MOST:
            path.replace(path.with_suffix(".log.1"))
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")


def _lock(file: IO[bytes], *, shared: bool) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows: turns are not taken there
        return True
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
