"""The walls around an agent: it reads this machine, and writes where it works.

Built with bubblewrap (`bwrap`), which needs no rights of its own on most systems.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from taskpilot.agents.repository import records
from taskpilot.domain.errors import Unavailable

PRIVATE = tuple(map(Path, ("/tmp", "/var/tmp", "/run", "/dev/shm")))
"""Folders that are empty inside: those of other programs have sockets and secrets in them."""

_NIXOS = Path("/run/current-system")


@dataclass(frozen=True, slots=True)
class Sandbox:
    worktree: Path
    git_dir: Path
    """Of the repository, not of the worktree: agents commit. Its hooks and settings stay as they are."""
    writable: tuple[Path, ...] = ()
    """More to write to, such as the agent's home; what does not exist is left out."""
    network: bool = True
    hidden: tuple[Path, ...] = ()
    """Folders that are empty inside, such as our own data directory; a worktree in one is there all the same."""


@cache
def available() -> bool:
    """Whether it works here: it may be installed and still be forbidden. Tried once."""
    program = shutil.which("bwrap")
    if program is None:
        return False
    try:
        tried = subprocess.run(
            [program, *_wall_off(network=False), sys.executable, "-I", "-S", "-c", ""],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return tried.returncode == 0


def wrap(
    argv: Sequence[str], sandbox: Sandbox, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> tuple[str, ...]:
    """The same program inside the sandbox. `argv[0]` is where it is; what `env` names, it can read.

    Makes the folder of hooks and the settings that the repository lacks, so that an agent cannot.
    """
    program = shutil.which("bwrap")
    if program is None:
        raise Unavailable(
            "The sandbox needs bwrap, which is not installed here.",
            hint="Install the package bubblewrap, or turn the sandbox off for this workspace.",
        )
    return (
        program,
        *_wall_off(network=sandbox.network),
        *_show(_find_needed(argv[0], env or {})),
        *_show((sandbox.git_dir.parent,) if sandbox.git_dir.name == ".git" else ()),
        *_mount("--tmpfs", sandbox.hidden),
        *_mount("--bind", sandbox.writable),
        *_mount("--bind", (sandbox.worktree, sandbox.git_dir)),
        *_guard(sandbox),
        *("--setenv", "TMPDIR", "/tmp", "--chdir", str((cwd or sandbox.worktree).resolve()), "--"),
        *argv,
    )


def _wall_off(*, network: bool) -> Iterator[str]:
    """No --new-session: the supervisor gives it one, and its signals reach who stays in it."""
    yield from ("--die-with-parent", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
    yield from ("--cap-drop", "ALL")  # root would keep them all, and could mount its way out
    if not network:
        yield "--unshare-net"
    yield from ("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")
    for folder in PRIVATE:
        if folder.is_dir() and not folder.is_symlink():
            yield from ("--tmpfs", str(folder))
    yield from _show((Path("/etc/resolv.conf").resolve(),))
    if _NIXOS.is_symlink():
        yield from ("--symlink", os.readlink(_NIXOS), str(_NIXOS))


def _show(paths: Iterable[Path]) -> Iterator[str]:
    """What is in a private folder and needed all the same, to read."""
    real = {path.resolve() for path in paths}
    return _mount("--ro-bind", (path for path in real if any(private in path.parents for private in PRIVATE)))


def _find_needed(program: str, env: Mapping[str, str]) -> Iterator[Path]:
    """The folders of a program, what its environment names, and our own folders for the git hooks it runs."""
    yield from (Path(sys.prefix), Path(sys.base_prefix), Path(__file__).parents[2], _find_prefix(program))
    for name, value in env.items():
        paths = [part for part in value.split(os.pathsep) if part.startswith("/") and name != "TMPDIR"]
        yield from (_find_prefix(path, "program") if name == "PATH" else Path(path) for path in paths)


def _find_prefix(*program: str) -> Path:
    """Where a program was installed, for what it needs beside itself."""
    folder = Path(*program).parent
    return folder.parent if folder.name in ("bin", ".bin") else folder


def _guard(sandbox: Sandbox) -> Iterator[str]:
    """What could make git run something of the agent's choice outside of the sandbox is not to be written."""
    common, link = sandbox.git_dir, sandbox.worktree / ".git"
    _make_settings(common)
    yield from _mount("--ro-bind", (sandbox.worktree.parent / name for name in (records.HOOKS, records.EXCLUDE)))
    yield from _mount("--ro-bind", (common / name for name in ("config", "config.worktree", "hooks", "modules")))
    if link.is_file():
        own = Path(sandbox.worktree, link.read_text().partition("gitdir:")[2].strip())
        _make_settings(own)
        yield from _mount("--ro-bind", (link, common / "worktrees"))
        yield from _mount("--bind", (own,))
        yield from _mount("--ro-bind", (own / name for name in ("config.worktree", "hooks", "commondir", "gitdir")))


def _make_settings(git_dir: Path) -> None:
    with suppress(OSError):  # not ours to write, so not the agent's either
        (git_dir / "hooks").mkdir(exist_ok=True)
        if not (git_dir / "config.worktree").exists():
            (git_dir / "config.worktree").touch()


def _mount(how: str, paths: Iterable[Path]) -> Iterator[str]:
    """Outer folders first. bwrap cannot mount on a symbolic link, so it gets what is behind them."""
    for path in sorted({path.resolve() for path in paths}):
        if path.exists():
            yield from (how, str(path)) if how == "--tmpfs" else (how, str(path), str(path))
