"""One worktree per run: made, found again, held, committed, compared, removed. The user's own tree stays as it is."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from taskpilot.agents.repository import branches, changes, disk, git, records, repositories
from taskpilot.agents.repository import copies as copying
from taskpilot.agents.repository.branches import Start
from taskpilot.agents.repository.changes import Diff
from taskpilot.agents.repository.records import Record, Worktree
from taskpilot.agents.repository.repositories import Repository
from taskpilot.domain.errors import Conflict, NotFound, TaskPilotError

__all__ = ["Diff", "Kept", "Saved", "Worktree", "Worktrees"]

CHECKOUT = 600.0
GLANCE = 0.5
"""Seconds that a glance at whether a worktree is in use may take others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    run: int
    path: Path
    branch: str
    bytes: int
    unpushed: int
    dirty: bool
    live: bool
    problem: str = ""
    """Why git could not tell; then `unpushed` and `dirty` are the worst case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    run: int
    bytes: int
    """Freed."""
    ref: str = ""
    """Where what nobody else has was saved; empty if there was nothing."""
    commit: str = ""


class Worktrees:
    def __init__(self, root: Path) -> None:
        self.root = Path(os.path.realpath(root))

    @classmethod
    def below(cls, data_dir: Path) -> Worktrees:
        """Those of one data folder."""
        return cls(data_dir / "worktrees")

    def prepare(
        self,
        *,
        run: int,
        repository: Path,
        branch: str,
        base: str = "",
        copies: Sequence[str] = (),
        made: bool = False,
    ) -> Worktree:
        """Safe to repeat for the same run: gives the existing one back as it is.

        A branch that was `made` up gets a number if it exists; one that was asked for is gone on with.
        """
        if found := self.find(run):
            return found
        copying.check(copies)
        source = repositories.open_at(repository)
        place = self._place(run)
        with git.telling(place), _locked(place, makes=True):
            return self.find(run) or _make(place, run, source, branch, base, copies, made)

    def find(self, run: int) -> Worktree | None:
        record = records.read(self._place(run))
        return record.worktree if record and _is_whole(record) else None

    @contextmanager
    def hold(self, worktree: Worktree) -> Generator[None]:
        """Work there alone. Another process, or another thread, gets a Conflict."""
        with _locked(worktree.place):
            yield

    def commit(self, worktree: Worktree, message: str, guard: Callable[[], None], *, task: int | None = None) -> str:
        """Commit all that was left, if anything, and return the branch's tip. What `guard` raises stops it."""
        return changes.commit(worktree, message, guard, task)

    def diff(self, worktree: Worktree) -> Diff:
        return changes.diff(worktree)

    def list_runs(self) -> list[int]:
        """Runs that have a worktree, be it half made."""
        found = [record.worktree for place in self._places() if (record := records.read(place))]
        return [worktree.run for worktree in found if worktree.path.is_dir()]

    def list_all(self) -> list[Kept]:
        homes = disk.find_inhabited()
        found = [(record, record.worktree) for place in self._places() if (record := records.read(place))]
        return [_describe(worktree, homes) for record, worktree in found if _is_whole(record)]

    def remove(self, run: int, *, keep: bool = True) -> Saved:
        """Never while someone works there. Without `keep` what was not committed is lost; the branch stays."""
        place = self._place(run)
        record = records.read(place)
        if record is None or not record.worktree.path.is_dir():
            raise NotFound(f"Run {run} has no worktree.", hint="It was removed, or never made.")
        worktree = record.worktree
        with _locked(place):
            if disk.is_inhabited(worktree.path):
                raise Conflict(f"A program is still at work in {worktree.path}.", hint="Stop the run first.")
            size = disk.measure(place)
            ref, commit = _save(record) if keep and record.ready else ("", "")
            with git.telling(place):
                _discard(record)
                if commit:
                    records.write(replace(record, ready=False, saved=commit))
                else:
                    _drop_unused_branch(record)
                    disk.drop(place)
        return Saved(run=run, bytes=max(0, size - disk.measure(place)), ref=ref, commit=commit)

    def _place(self, run: int) -> Path:
        return self.root / f"run-{run}"

    def _places(self) -> list[Path]:
        names = (path for path in self.root.glob("run-*") if path.name.removeprefix("run-").isdecimal())
        return sorted(names, key=lambda path: int(path.name.removeprefix("run-")))


def _is_whole(record: Record) -> bool:
    return record.ready and record.worktree.path.is_dir() and record.worktree.own_dir.is_dir()


def _make(
    place: Path, run: int, source: Repository, branch: str, base: str, patterns: Sequence[str], made: bool
) -> Worktree:
    left = records.read(place)
    if left:
        _discard(left)
        if left.ready or left.saved:  # this run has had its branch before
            branch, base, made = left.worktree.branch, base or left.worktree.base, False
        else:
            _drop_unused_branch(left)
    saved = left.saved if left else ""
    record: Record | None = None
    try:
        with repositories.taking_turns(source):
            start = branches.choose(source, branch=branch, base=base, made=made, saved=saved)
            record = _plan(place, run, source, start)
            records.write(record)
            repositories.allow_worktree_settings(source)
            record = _add(source, record, start)
        _fill(source, record, patterns)
        record = replace(record, ready=True)
        records.write(record)
    except BaseException as error:
        full = git.is_full(place)
        if record:
            _clear(record)
            with suppress(OSError):
                if left and left.saved:
                    records.write(left)
        if full and isinstance(error, TaskPilotError | OSError):
            raise git.full(place) from None
        raise
    return record.worktree


def _plan(place: Path, run: int, source: Repository, start: Start) -> Record:
    name = source.path.name.removesuffix(".git")
    worktree = Worktree(
        path=place / ("tree" if not name or name.startswith(".") else name),
        repository=source.path,
        branch=start.branch,
        base=start.base,
        base_commit=start.base_commit,
        git_dir=source.git_dir,
        run=run,
    )
    return Record(worktree=worktree, fresh=start.fresh, start=start.commit)


def _add(source: Repository, record: Record, start: Start) -> Record:
    """Let git make it, still empty."""
    worktree = record.worktree
    if start.fresh:
        git.run(
            *("worktree", "add", "--quiet", "--no-checkout", "--no-track", "-b", start.branch),
            *(str(worktree.path), start.commit),
            cwd=source.path,
        )
    else:
        source.run("update-ref", f"refs/heads/{start.branch}", start.commit)
        git.run("worktree", "add", "--quiet", "--no-checkout", str(worktree.path), start.branch, cwd=source.path)
    own = Path(git.run("rev-parse", "--absolute-git-dir", cwd=worktree.path).strip())
    record = replace(record, worktree=replace(worktree, own_dir=own))
    records.write(record)
    return record


def _fill(source: Repository, record: Record, patterns: Sequence[str]) -> None:
    worktree = record.worktree
    config = worktree.own_dir / "config.worktree"
    if config.exists():
        shutil.copyfile(config, worktree.place / records.CONFIG)
    try:
        records.run(worktree, "reset", "--hard", "--quiet", timeout=CHECKOUT)
    except Conflict as error:
        if "filter" not in error.message:
            raise
        # LFS cannot fetch what it needs: its pointers have to do.
        records.run(worktree, "reset", "--hard", "--quiet", timeout=CHECKOUT, env={"GIT_LFS_SKIP_SMUDGE": "1"})
    copied = copying.copy(source, worktree.path, patterns)
    if copied:
        theirs = git.probe("config", "--type=path", "--get", "core.excludesFile", cwd=source.path).out.strip()
        known = ""
        with suppress(OSError):
            known = Path(theirs or os.path.expanduser("~/.config/git/ignore")).read_text(errors="surrogateescape")
        records.put(worktree.place / records.EXCLUDE, f"{known}\n{copying.exclude(copied)}", mode=0o644)
    records.configure(worktree)


def _clear(record: Record) -> None:
    """Undo what was made so far."""
    with suppress(OSError, TaskPilotError):
        _discard(record)
        _drop_unused_branch(record)
        (record.worktree.place / records.RECORD).unlink(missing_ok=True)


def _discard(record: Record) -> None:
    """The folder, what lies beside it, and git's own note of it; other worktrees' notes are not looked at."""
    worktree = record.worktree
    for path in [worktree.path, *worktree.place.iterdir()]:
        if path.name not in (records.RECORD, records.LOCK):
            disk.drop(path)
    for own in _find_own_dirs(worktree):
        disk.drop(own)


def _find_own_dirs(worktree: Worktree) -> list[Path]:
    """Git's directories for whatever was checked out in the place of this run."""
    found: list[Path] = []
    for gitdir in (worktree.git_dir / "worktrees").glob("*/gitdir"):
        with suppress(OSError):
            if worktree.place in Path(gitdir.read_text(errors="surrogateescape").strip()).parents:
                found.append(gitdir.parent)
    return found


def _drop_unused_branch(record: Record) -> None:
    """The branch was made for the run, and nothing came of it."""
    worktree = record.worktree
    if record.fresh and worktree.git_dir.is_dir():
        ref = f"refs/heads/{worktree.branch}"
        git.probe("update-ref", "-d", ref, record.start, cwd=worktree.git_dir)


def _save(record: Record) -> tuple[str, str]:
    worktree = record.worktree
    if not _is_whole(record) or not worktree.git_dir.is_dir():
        raise NotFound(
            f"The repository of {worktree.path} is gone, so that nothing can be saved there.",
            hint="Take out what you need, then discard the worktree.",
        )
    status = changes.inspect(worktree)
    if status.changed or status.conflicts or status.foreign or changes.count_unpushed(worktree):
        return changes.save(worktree)
    return "", ""


def _describe(worktree: Worktree, homes: list[str]) -> Kept:
    unpushed, dirty, problem = 1, True, ""
    try:
        status = changes.inspect(worktree)
        dirty = bool(status.changed or status.conflicts or status.foreign)
        unpushed = changes.count_unpushed(worktree)
    except (TaskPilotError, OSError) as error:
        problem = str(error)
    return Kept(
        run=worktree.run,
        path=worktree.path,
        branch=worktree.branch,
        bytes=disk.measure(worktree.place),
        unpushed=unpushed,
        dirty=dirty,
        live=_is_held(worktree.place) or disk.is_inhabited(worktree.path, homes),
        problem=problem,
    )


def _is_held(place: Path) -> bool:
    try:
        with _locked(place):
            return False
    except (Conflict, NotFound):
        return True


@contextmanager
def _locked(place: Path, *, makes: bool = False) -> Generator[None]:
    """Hold the place of a run. Whoever makes it waits for others who do, and leaves nothing where nothing was made."""
    while True:
        if makes:
            place.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            handle = os.open(place / records.LOCK, os.O_CREAT | os.O_RDWR, 0o600)
        except FileNotFoundError:
            if makes:
                continue
            raise NotFound(f"There is no worktree in {place}.", hint="It was removed, or never made.") from None
        try:
            if makes:
                repositories.wait_for(handle, f"Another process is preparing {place}.")
            elif not repositories.try_lock(handle, patience=GLANCE):
                raise Conflict(f"{place} is in use by another process.", hint="Wait until it is done, or stop the run.")
            if _is_same(handle, place / records.LOCK):  # else it was removed while we waited
                yield
                return
        finally:
            with suppress(OSError):
                if makes and {path.name for path in place.iterdir()} == {records.LOCK}:
                    disk.drop(place)
            os.close(handle)


def _is_same(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except OSError:
        return False
