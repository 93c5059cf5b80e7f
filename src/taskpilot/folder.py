"""A workspace's folder on disk: which of its files are there, and our own folder in it.

Nothing outside the workspace is written, whatever links lie in it: our folder must be a real one, and a file is
replaced as a name, never followed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from taskpilot.domain.errors import Conflict, NotFound, TaskPilotError, Unavailable
from taskpilot.domain.workspace import closed, may_enter

if TYPE_CHECKING:
    from taskpilot.app import Errand

OURS = ".task"


def is_open(errand: Errand, root: str) -> bool:
    """Whether its caller may have this server look into a folder; a link counts as where it leads.

    Whoever touches files of a workspace asks this first.
    """
    roots = [os.path.realpath(each) for each in errand.reach.roots]
    return may_enter(errand.caller, os.path.realpath(root), roots)


def enter(errand: Errand, root: str) -> None:
    """Refuse a folder that is not open to the caller."""
    if not is_open(errand, root):
        raise closed()


def look_for(errand: Errand, root: str, paths: Iterable[str]) -> frozenset[str] | None:
    """As `find_missing`; None also where the folder is not open to the caller."""
    return find_missing(root, paths) if is_open(errand, root) else None


@contextmanager
def preparing(root: str) -> Generator[None]:
    """Make our folder first, because that shows whether it can be done; take it away again if what follows fails."""
    if not os.path.isdir(root):
        raise NotFound(f"There is no folder {root}.", hint="Create it first, or check the path.")
    place = Path(os.path.realpath(root), OURS)
    new = not os.path.lexists(place)
    with _own(root, OURS):
        pass
    if not os.access(place, os.W_OK | os.X_OK):
        raise _refused(root, "no permission")
    try:
        yield
    except BaseException:
        if new:
            with suppress(OSError):
                place.rmdir()
        raise


def find_missing(root: str, paths: Iterable[str]) -> frozenset[str] | None:
    """Which of these are not files or folders inside it; None if the folder itself is away.

    A link that leads out of the folder leads nowhere.
    """
    top = os.path.realpath(root)
    if not os.path.isdir(top):
        return None
    return frozenset(path for path in paths if not _is_inside(top, path))


def write(root: str, files: Mapping[str, str]) -> None:
    """Bring files of our folder up to date, each at once or not at all. Equal ones are left alone."""
    for name, content in files.items():
        folder, _, base = f"{OURS}/{name}".rpartition("/")
        with _own(root, folder) as place:
            _put(place / base, content)


@contextmanager
def taking_turns(root: str) -> Generator[None]:
    """One writer at a time in all processes, so that the latest state is the one that stays."""
    with _own(root, OURS) as place:
        try:
            import fcntl
        except ImportError:  # Windows: turns within one process have to do
            yield
            return
        handle = os.open(place, os.O_RDONLY)
        try:
            with suppress(OSError):  # a file system without locks
                fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)


@contextmanager
def _own(root: str, name: str) -> Generator[Path]:
    """A folder of ours, made on first use. A link in its place is refused."""
    place = Path(os.path.realpath(root))
    try:
        for part in name.split("/"):
            place = place / part
            with suppress(FileExistsError):
                place.mkdir()
            _require_folder(place)
        yield place
    except TaskPilotError:
        raise
    except OSError as error:
        raise _refused(root, error.strerror or str(error)) from None


def _require_folder(place: Path) -> None:
    if not stat.S_ISDIR(place.lstat().st_mode):
        raise Conflict(f"{place} is not a folder.", hint="Move it away; TaskPilot keeps its files there.")


def _put(path: Path, content: str) -> None:
    data = content.encode(errors="replace")
    with suppress(OSError):
        if not path.is_symlink() and path.read_bytes() == data:
            return
    part = path.with_name(f".{path.name}.{uuid4().hex[:8]}")
    handle = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(part, path)
    except OSError:
        with suppress(OSError):
            part.unlink()
        raise


def _is_inside(top: str, path: str) -> bool:
    real = os.path.realpath(os.path.join(top, path))
    return os.path.exists(real) and os.path.commonpath([top, real]) == top


def _refused(root: str, why: str) -> Unavailable:
    return Unavailable(f"{os.path.join(root, OURS)} cannot be written: {why}.", hint="Check who may write there.")
