"""Git, run as a program: led nowhere by what it inherits, asking nobody, its refusals told as ours."""

from __future__ import annotations

import errno
import os
import random
import re
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from taskpilot.domain.errors import Conflict, DiskFull, NotFound, TaskPilotError, Unavailable

TIMEOUT = 120.0
PATIENCE = 15.0
"""Seconds to wait for the lock of another git."""

_KEPT = {
    *("GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_EXEC_PATH"),
    *("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"),
}
_DROPPED = {"SSH_ASKPASS", "LANGUAGE", "EDITOR", "VISUAL"}
_FIXED = {
    "LC_ALL": "C",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS_REQUIRE": "never",
    "GCM_INTERACTIVE": "never",
    "GIT_EDITOR": "true",
    "GIT_SEQUENCE_EDITOR": "true",
    "GIT_MERGE_AUTOEDIT": "no",
    "GIT_PAGER": "cat",
    "GIT_OPTIONAL_LOCKS": "0",
}
_ALWAYS = (
    *("-c", "core.quotePath=false", "-c", "core.fsmonitor=false", "-c", "submodule.recurse=false"),
    *("-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "commit.gpgSign=false", "-c", "rerere.enabled=false"),
    *("-c", "core.filesRefLockTimeout=5000", "-c", "core.packedRefsTimeout=5000"),
)
_NO_HOOKS = ("-c", f"core.hooksPath={os.devnull}")
_NO_LFS = (
    *("-c", "filter.lfs.process=", "-c", "filter.lfs.smudge=", "-c", "filter.lfs.clean="),
    *("-c", "filter.lfs.required=false"),
)

_LOCKED = re.compile(r"'?([^'\s]*\.lock)'?: File exists|could not lock config file (\S+): File exists")
_FULL = re.compile(r"No space left on device|Disk quota exceeded", re.IGNORECASE)
_USERINFO = re.compile(r"(?<=://)[^/@\s]+@")


@dataclass(frozen=True, slots=True)
class Ran:
    code: int
    out: str
    """Bytes that are not UTF-8 as surrogates, so that a path can be handed back to git."""
    err: str


def run(
    *args: str,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    text: str | None = None,
    timeout: float = TIMEOUT,
    hooks: bool = False,
) -> str:
    """What git printed. Whatever else than success is an error; a lock of another git is waited for."""
    ran = probe(*args, cwd=cwd, env=env, text=text, timeout=timeout, hooks=hooks)
    if ran.code:
        raise explain(args, cwd, ran.err or ran.out)
    return ran.out


def probe(
    *args: str,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    text: str | None = None,
    timeout: float = TIMEOUT,
    hooks: bool = False,
) -> Ran:
    """As `run`, for a command whose exit code is an answer."""
    until = time.monotonic() + PATIENCE
    pause = 0.02
    while True:
        ran = _run_once(args, cwd, env, text, timeout, hooks)
        if not ran.code or not _LOCKED.search(ran.err) or time.monotonic() > until:
            return ran
        time.sleep(pause * random.uniform(0.5, 1.5))
        pause = min(pause * 2, 0.5)


def read_some(*args: str, cwd: Path, env: Mapping[str, str] | None = None, most: int, timeout: float = TIMEOUT) -> str:
    """The beginning of what git prints; it may stop in the middle of a line."""
    with _start(args, cwd, env, hooks=False, errors=subprocess.DEVNULL) as process:
        timer = threading.Timer(timeout, _kill, (process,))
        timer.start()
        try:
            assert process.stdout
            data = process.stdout.read(most)
        finally:
            timer.cancel()
            _kill(process)
    return data.decode(errors="replace").replace("\0", "\ufffd")


def explain(args: Sequence[str], cwd: Path, said: str) -> TaskPilotError:
    """Git's refusal as an error of ours."""
    last = last_line(said)
    if "not a git repository" in said:
        return NotFound(f"{cwd} is not a git repository.", hint="Run `git init` there, or choose another folder.")
    if "dubious ownership" in said:
        fix = f"git config --global --add safe.directory {cwd}"
        return Conflict(f"Git does not trust {cwd}: it belongs to another user.", hint=f"If you do, run `{fix}`.")
    if _FULL.search(said) or ("writ" in said and is_full(cwd)):
        return full(cwd)
    if found := _LOCKED.search(said):
        lock = found[1] or f"{found[2]}.lock"
        return Unavailable(f"Another git is at work in {cwd}.", hint=f"Try again; if none is running, remove {lock}.")
    return Conflict(f"git {_verb(args)} failed: {last}", hint=f"Look at {cwd}.")


def full(place: Path) -> DiskFull:
    return DiskFull(f"The disk with {place} is full; nothing was changed.", hint="Free some space, then try again.")


def is_full(place: Path) -> bool:
    """Git does not always say why it could not write."""
    with suppress(OSError):
        return shutil.disk_usage(place).free < 64 * 1024
    return False


def explain_os(error: OSError, place: Path) -> TaskPilotError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return full(place)
    return Unavailable(f"{place} cannot be written: {error.strerror or error}.", hint="Check who may write there.")


@contextmanager
def telling(place: Path) -> Generator[None]:
    """Where a file of ours cannot be written, that is told as git's own refusals are."""
    try:
        yield
    except OSError as error:
        raise explain_os(error, place) from None


def last_line(said: str) -> str:
    """What git said last that is not advice, without anyone's password."""
    lines = [line.strip() for line in said.splitlines() if line.strip() and not line.startswith("hint:")]
    return readable(_USERINFO.sub("", re.sub(r"^(fatal|error): ", "", lines[-1]))) if lines else "it did not say why"


def readable(text: str) -> str:
    """Text that can be stored: what is not UTF-8 is replaced."""
    try:
        data = text.encode(errors="surrogateescape")
    except UnicodeEncodeError:  # surrogates that do not stand for bytes
        data = text.encode(errors="replace")
    return data.decode(errors="replace").replace("\0", "\ufffd")


def make_environment(source: Mapping[str, str], extra: Mapping[str, str] | None = None) -> dict[str, str]:
    kept = {
        name: value
        for name, value in source.items()
        if (not name.startswith("GIT_") or name in _KEPT) and name not in _DROPPED
    }
    return {**kept, **_FIXED, **(extra or {})}


def _run_once(
    args: Sequence[str], cwd: Path, env: Mapping[str, str] | None, text: str | None, timeout: float, hooks: bool
) -> Ran:
    given = None if text is None else text.encode(errors="surrogateescape")
    with _start(args, cwd, env, hooks=hooks, errors=subprocess.PIPE, reads=given is not None) as process:
        try:
            out, err = process.communicate(given, timeout=timeout)
        except subprocess.TimeoutExpired:
            raise Unavailable(
                f"git {_verb(args)} took longer than {timeout:g} s.", hint="Try again when there is less to do."
            ) from None
        finally:
            _kill(process)
    return Ran(process.returncode, _decode(out), _decode(err))


def _start(
    args: Sequence[str], cwd: Path, env: Mapping[str, str] | None, *, hooks: bool, errors: int, reads: bool = False
) -> subprocess.Popen[bytes]:
    program = shutil.which("git")
    if program is None:
        raise Unavailable("Git is not installed on this machine.", hint="Install it, then try again.")
    if not cwd.is_dir():
        raise NotFound(f"There is no folder {cwd}.", hint="Check the path.")
    lfs = () if shutil.which("git-lfs") else _NO_LFS
    try:
        return subprocess.Popen(
            [program, *_ALWAYS, *(() if hooks else _NO_HOOKS), *lfs, *args],
            cwd=cwd,
            env=make_environment(os.environ, env),
            stdin=subprocess.PIPE if reads else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,  # no terminal to ask at, and one group to end
        )
    except OSError as error:
        raise Unavailable(f"Git could not be started: {error.strerror}.", hint="Try again.") from None


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Git and what it started, as far as it is still there."""
    if process.poll() is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _verb(args: Sequence[str]) -> str:
    return next((arg for arg in args if not arg.startswith("-")), "")


def _decode(data: bytes) -> str:
    return data.decode(errors="surrogateescape")
