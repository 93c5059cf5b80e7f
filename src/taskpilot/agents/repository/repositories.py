"""A git repository as the source of worktrees: what it has, and what is checked out where."""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from taskpilot.agents.repository import git
from taskpilot.domain.errors import Conflict, Invalid, NotFound, Unavailable

WAIT = 120.0


@dataclass(frozen=True, slots=True)
class Repository:
    path: Path
    """Its folder; of a bare one, the git directory."""
    git_dir: Path
    """What all its worktrees share."""
    bare: bool

    def run(self, *args: str) -> str:
        return git.run(*args, cwd=self.path).strip()

    def says(self, *args: str) -> bool:
        return git.probe(*args, cwd=self.path).code == 0


def open_at(folder: Path) -> Repository:
    """The repository that a folder is in."""
    if not folder.is_dir():
        raise NotFound(f"There is no folder {folder}.", hint="Check the path of the workspace.")
    folder = Path(os.path.realpath(folder))
    said = git.run("rev-parse", "--is-bare-repository", "--is-inside-work-tree", "--git-common-dir", cwd=folder)
    bare, inside, shared = said.splitlines()
    git_dir = Path(os.path.realpath(folder / shared))
    if inside == "true":
        return Repository(Path(git.run("rev-parse", "--show-toplevel", cwd=folder).rstrip("\n")), git_dir, bare=False)
    if bare != "true":  # inside .git
        raise Invalid(f"{folder} is inside a git directory.", hint="Choose the folder of the repository.")
    return Repository(git_dir, git_dir, bare=True)


def find_commit(source: Repository, name: str) -> str:
    """Empty where there is none."""
    if not name or name.startswith("-"):
        return ""
    ran = git.probe("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}", cwd=source.path)
    return "" if ran.code else ran.out.strip()


def has_branch(source: Repository, name: str) -> bool:
    return bool(find_commit(source, f"refs/heads/{name}"))


def find_head(source: Repository) -> str:
    """The branch that is checked out, or the commit where none is."""
    ran = git.probe("symbolic-ref", "--quiet", "--short", "HEAD", cwd=source.path)
    name = ran.out.strip() if not ran.code else find_commit(source, "HEAD")
    if not find_commit(source, "HEAD"):
        raise Conflict(f"{source.path} has no commit yet.", hint="Make a first commit there, then start the run again.")
    return name


def find_base(source: Repository, base: str) -> tuple[str, str]:
    """Its name as git knows it, and its commit. Empty is what is checked out; `main` may be `origin/main`."""
    if not base:
        base = find_head(source)
    for name in (base, f"origin/{base}"):
        if commit := find_commit(source, name):
            return name, commit
    if not source.run("for-each-ref", "--count=1"):
        find_head(source)
    known = ", ".join(source.run("for-each-ref", "--format=%(refname:short)", "--count=5", "refs/heads").split())
    raise NotFound(
        f"There is no branch, tag or commit {base!r} in {source.path}.",
        hint=f"Choose another base: {known}." if known else "Choose another base.",
    )


def find_checkouts(source: Repository) -> dict[str, Path]:
    """Each branch that is checked out, and where."""
    found: dict[str, Path] = {}
    place: Path | None = None
    for line in git.run("worktree", "list", "--porcelain", cwd=source.path).splitlines():
        name, _, value = line.partition(" ")
        if name == "worktree":
            place = Path(value)
        elif name == "branch" and place:
            found[value.removeprefix("refs/heads/")] = place
    return found


def is_ancestor(source: Repository, older: str, newer: str) -> bool:
    return source.says("merge-base", "--is-ancestor", older, newer)


def find_meeting(source: Repository, one: str, other: str) -> str:
    """The last commit that two have in common; empty if there is none."""
    ran = git.probe("merge-base", one, other, cwd=source.path)
    return "" if ran.code else ran.out.strip()


def allow_worktree_settings(source: Repository) -> None:
    """Let each worktree have settings of its own; what holds for the repository's own folder alone moves there.

    See CONFIGURATION FILE in git-worktree(1).
    """
    shared = source.git_dir / "config"

    def read(name: str) -> str:
        return git.probe("config", "--file", str(shared), "--get", name, cwd=source.git_dir).out.strip()

    if read("extensions.worktreeConfig") == "true":
        return
    alone = {name: value for name in ("core.bare", "core.worktree") if (value := read(name)) not in ("", "false")}
    for name, value in alone.items():
        git.run("config", "--file", str(source.git_dir / "config.worktree"), name, value, cwd=source.git_dir)
    git.run("config", "--file", str(shared), "extensions.worktreeConfig", "true", cwd=source.git_dir)
    for name in alone:
        git.run("config", "--file", str(shared), "--unset", name, cwd=source.git_dir)


@contextmanager
def taking_turns(source: Repository) -> Generator[None]:
    """One at a time, in all threads and processes: git gives up where two make worktrees at once."""
    handle = os.open(source.git_dir, os.O_RDONLY)
    try:
        wait_for(handle, f"Another process is preparing a worktree of {source.path}.")
        yield
    finally:
        os.close(handle)


def wait_for(handle: int, otherwise: str) -> None:
    """Take an open file's lock."""
    if not try_lock(handle, WAIT):
        raise Unavailable(otherwise, hint="Try again in a moment.")


def try_lock(handle: int, patience: float) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows
        return True
    until = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                return False
            time.sleep(0.02)
        else:
            return True
