"""Files that a repository's folder has and git does not, such as `.env`, taken along into a worktree."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from taskpilot.agents.repository import git
from taskpilot.agents.repository.repositories import Repository
from taskpilot.domain.errors import Invalid

_ESCAPED = "\\*?[]!#"


def check(patterns: Sequence[str]) -> None:
    for pattern in patterns:
        parts = PurePosixPath(pattern).parts
        outside = pattern.startswith("/") or ".." in parts or ".git" in parts
        if outside or not parts or not pattern.isprintable():
            raise Invalid(
                f"{pattern!r} cannot be copied into a worktree.",
                hint="Give a path inside the repository, such as .env or config/*.local.",
            )


def copy(source: Repository, target: Path, patterns: Sequence[str]) -> list[str]:
    """Copy what git does not track there, and say what was. Nothing is overwritten, and no link leads out."""
    check(patterns)
    if source.bare or not patterns:
        return []
    specs = [f":(top,glob){pattern}" for pattern in patterns]
    listed = git.run("ls-files", "--others", "-z", "--", *specs, cwd=source.path).split("\0")
    return [name for name in listed if name and not name.endswith("/") and _copy_one(source.path, target, name)]


def exclude(names: Sequence[str]) -> str:
    """Lines for an exclude file that mean exactly these files."""
    return "".join(f"/{_escape(name)}\n" for name in names if "\n" not in name)


def _copy_one(top: Path, target: Path, name: str) -> bool:
    real = os.path.realpath(top / name)
    place = target / name
    if not _is_below(real, top) or not _is_below(os.path.realpath(place.parent), target, itself=True):
        return False
    try:
        handle = os.open(real, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:  # gone, or not ours to read
        return False
    with os.fdopen(handle, "rb") as file:
        mode = os.fstat(handle).st_mode
        if not stat.S_ISREG(mode):
            return False
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            written = os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        except FileExistsError:
            return False
        with os.fdopen(written, "wb") as copied:
            shutil.copyfileobj(file, copied)
        os.chmod(place, stat.S_IMODE(mode) & 0o777)
    return True


def _is_below(path: str, folder: Path, *, itself: bool = False) -> bool:
    top = os.path.realpath(folder)
    return (itself and path == top) or (path.startswith(top + os.sep) and ".git" not in path[len(top) :].split(os.sep))


def _escape(name: str) -> str:
    escaped = "".join(f"\\{char}" if char in _ESCAPED else char for char in name)
    return f"{escaped[:-1]}\\ " if escaped.endswith(" ") else escaped
