"""Folders as the disk sees them: how much they take, who is in them, and their end."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any


def measure(folder: Path) -> int:
    """The bytes it takes. Links are not followed; what goes away meanwhile is not counted."""
    total = 0
    waiting = [str(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    with suppress(OSError):
                        found = entry.stat(follow_symlinks=False)
                        total += _occupied(found)
                        if stat.S_ISDIR(found.st_mode):
                            waiting.append(entry.path)
        except OSError:
            continue
    return total


def find_inhabited() -> list[str]:
    """Where processes of this machine are at home, as far as we may know."""
    found: list[str] = []
    with suppress(OSError), os.scandir("/proc") as entries:
        for entry in entries:
            if entry.name.isdecimal():
                with suppress(OSError):
                    found.append(os.readlink(f"{entry.path}/cwd"))
    return found


def is_inhabited(folder: Path, homes: list[str] | None = None) -> bool:
    """Whether a process has it, or a folder in it, as its working directory."""
    top = os.path.realpath(folder)
    return any(home == top or home.startswith(top + os.sep) for home in homes or find_inhabited())


def drop(folder: Path) -> None:
    """Remove a folder and all in it, also what is read-only, or a file. Safe to repeat."""
    if folder.is_symlink() or folder.is_file():
        folder.unlink()
    elif folder.exists():
        shutil.rmtree(folder, onerror=_insist)


def _insist(_: Callable[..., Any], path: str, error: object) -> None:
    """Programs like to leave folders that are read-only."""
    if not os.path.lexists(path):
        return
    for each in (os.path.dirname(path), path):
        if os.path.isdir(each) and not os.path.islink(each):
            with suppress(OSError):
                os.chmod(each, 0o700)
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, ignore_errors=True)
        if os.path.lexists(path):
            raise OSError(f"{path} cannot be removed: {error}")
    else:
        os.unlink(path)


def _occupied(found: os.stat_result) -> int:
    return found.st_blocks * 512 if hasattr(found, "st_blocks") else found.st_size
