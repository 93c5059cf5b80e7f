"""What an agent left in a worktree: looked at, committed, or saved."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from taskpilot.agents.repository import branches, disk, git, records
from taskpilot.agents.repository.records import Worktree
from taskpilot.domain.errors import Conflict

MOST_PATCH = 1_000_000
MOST_FILE = 50 * 1024 * 1024
NAME, MAIL = "TaskPilot", "taskpilot@localhost"


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    commit: str
    files: tuple[str, ...]
    patch: str
    added: int
    removed: int
    left: tuple[str, ...] = ()
    """Not committed: too big, or repositories of their own."""


@dataclass(frozen=True, slots=True)
class Status:
    changed: tuple[str, ...]
    conflicts: tuple[str, ...]
    foreign: tuple[str, ...]
    """Repositories inside, and submodules with changes of their own: git cannot take these along."""
    new: tuple[str, ...] = ()
    """Those of `changed` that git does not know."""


def inspect(worktree: Worktree) -> Status:
    """What differs from the last commit."""
    with git.telling(worktree.place):
        records.configure(worktree)
        _unlock(worktree)
    said = records.run(worktree, "status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames")
    changed: list[str] = []
    conflicts: list[str] = []
    foreign: list[str] = []
    new: list[str] = []
    for line in said.split("\0"):
        kind = line[:1]
        if kind == "?":
            name = line[2:]
            (foreign if name.endswith("/") else new).append(name)
        elif kind == "1":
            _, _, submodule, *_, name = line.split(" ", 8)
            if submodule[0] == "S" and submodule[2:] != "..":
                foreign.append(name)
            if submodule[:2] in ("N.", "SC") or line[2] != ".":
                changed.append(name)
        elif kind == "u":
            conflicts.append(line.split(" ", 10)[-1])
    return Status((*changed, *new), tuple(conflicts), tuple(foreign), tuple(new))


def find_head(worktree: Worktree) -> str:
    return records.run(worktree, "rev-parse", "--verify", "HEAD^{commit}").strip()


def find_left(worktree: Worktree, status: Status) -> tuple[str, ...]:
    """What is not to be committed: what is huge, unless LFS takes it, and other repositories."""
    huge = [name for name in status.changed if _measure(worktree.path / name) > MOST_FILE]
    if huge and shutil.which("git-lfs"):
        said = records.run(worktree, "check-attr", "-z", "--stdin", "filter", text="\0".join([*huge, ""])).split("\0")
        large = {name for name, value in zip(said[::3], said[2::3], strict=False) if value == "lfs"}
        huge = [name for name in huge if name not in large]
    return (*huge, *(name for name in status.foreign if name.endswith("/")))


def commit(worktree: Worktree, message: str, guard: Callable[[], None], task: int | None) -> str:
    status = inspect(worktree)
    if status.conflicts:
        raise Conflict(
            f"A merge was left unfinished, with conflicts in {tell(status.conflicts)}.",
            hint="Tell the agent to resolve them, or resolve them in the worktree.",
        )
    staged = False
    if status.changed:
        _stage(worktree, find_left(worktree, status))
        staged = records.ask(worktree, "diff", "--cached", "--quiet").code != 0
    head = _come_back(worktree, guard, strict=staged)
    if not staged:
        return head
    options = ("--quiet", "--no-verify", "--cleanup=whitespace", "-F", "-")
    text = _sign(message, worktree, task)
    author = name_author(worktree)
    guard()
    records.run(worktree, "commit", *options, text=text, env=author)
    return find_head(worktree)


def diff(worktree: Worktree) -> Diff:
    """Against the commit it began with; what was never added to git counts as added."""
    status = inspect(worktree)
    left = find_left(worktree, status)
    options = ("--no-color", "--no-ext-diff", "--no-textconv", "-M", "--ignore-submodules=dirty")
    with _copied_index(worktree) as index:
        _stage(worktree, left, "--intent-to-add", index=index)
        counts = records.run(worktree, "diff", *options, "--numstat", "-z", worktree.base_commit, index=index)
        names, added, removed = _count(counts)
        patch = git.read_some(
            *("diff", *options, worktree.base_commit),
            cwd=worktree.path,
            env=records.lead(worktree, index),
            most=MOST_PATCH + 1,
        )
    if len(patch) > MOST_PATCH:
        patch = patch[:MOST_PATCH].rpartition("\n")[0]
        patch += (
            f"\n[The patch is longer than {MOST_PATCH:,} characters; the rest is in the branch {worktree.branch}.]\n"
        )
    return Diff(
        commit=find_head(worktree),
        files=tuple(map(git.readable, names)),
        patch=patch,
        added=added,
        removed=removed,
        left=tuple(map(git.readable, left)),
    )


def count_unpushed(worktree: Worktree) -> int:
    """Commits that neither a remote nor the base has."""
    base = worktree.base if _knows(worktree, worktree.base) else worktree.base_commit
    tips = ["HEAD", *([name] if _knows(worktree, name := f"refs/heads/{worktree.branch}") else [])]
    return int(records.run(worktree, "rev-list", "--count", *tips, "--not", "--remotes", base))


def save(worktree: Worktree) -> tuple[str, str]:
    """Put HEAD, with all that is not committed on top, under a ref of its own; its name and the commit."""
    status = inspect(worktree)
    if status.foreign:
        raise Conflict(
            f"{worktree.path} holds changes of another repository in {tell(status.foreign)}, which cannot be saved.",
            hint="Move that away, or discard the worktree.",
        )
    head = find_head(worktree)
    with _copied_index(worktree) as index:
        _stage(worktree, (), index=index)
        tree = records.run(worktree, "write-tree", index=index).strip()
    kept = head
    if tree != records.run(worktree, "rev-parse", f"{head}^{{tree}}").strip():
        text = f"What run {worktree.run} had not committed\n"
        author = name_author(worktree)
        kept = records.run(worktree, "commit-tree", tree, "-p", head, text=text, env=author).strip()
    ref = _find_free_ref(worktree, kept)
    records.run(worktree, "update-ref", "-m", "taskpilot: saved", ref, kept)
    return ref, kept


def name_author(worktree: Worktree) -> dict[str, str]:
    """Whoever commits in this repository, if it says so."""
    said = records.ask(worktree, "config", "--get-regexp", r"^user\.(name|email)$").out.splitlines()
    known = dict(line.split(" ", 1) for line in said if " " in line)
    named = known.get("user.name", "").strip()
    who = {"NAME": named or NAME, "EMAIL": (named and known.get("user.email", "").strip()) or MAIL}
    return {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()}


def tell(names: tuple[str, ...] | list[str], most: int = 5) -> str:
    shown = ", ".join(git.readable(name) for name in names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def _stage(worktree: Worktree, left: tuple[str, ...], *options: str, index: Path | None = None) -> None:
    specs = ["."] + [f":(top,exclude,literal){name.rstrip('/')}" for name in left]
    how = (*(options or ("--all",)), "--pathspec-from-file=-", "--pathspec-file-nul")
    records.run(worktree, "-c", "advice.addEmbeddedRepo=false", "add", *how, text="\0".join(specs), index=index)


def _come_back(worktree: Worktree, guard: Callable[[], None], *, strict: bool) -> str:
    """Have the run's branch at HEAD, wherever the agent went, if that leads on from it; where the branch then is."""
    head = find_head(worktree)
    if _is_on_branch(worktree):
        return head
    ours = f"refs/heads/{worktree.branch}"
    tip = records.ask(worktree, "rev-parse", "--verify", "--quiet", ours).out.strip()
    if tip and records.ask(worktree, "merge-base", "--is-ancestor", tip, head).code:
        if not strict:
            return tip
        raise Conflict(
            f"The agent left {worktree.branch}, and what it changed does not follow from there.",
            hint=f"See what it did in {worktree.path}.",
        )
    guard()
    records.run(worktree, "update-ref", ours, head, tip or "0" * len(head))
    records.run(worktree, "symbolic-ref", "HEAD", ours)
    return head


def _is_on_branch(worktree: Worktree) -> bool:
    return records.ask(worktree, "symbolic-ref", "--quiet", "HEAD").out.strip() == f"refs/heads/{worktree.branch}"


def _knows(worktree: Worktree, name: str) -> bool:
    return records.ask(worktree, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}").code == 0


def _find_free_ref(worktree: Worktree, kept: str) -> str:
    """Another TaskPilot may have saved a run of the same number in this repository."""
    n = 1
    while True:
        ref = f"{branches.SAVED}/run-{worktree.run}" + (f"-{n}" if n > 1 else "")
        there = records.ask(worktree, "rev-parse", "--verify", "--quiet", ref).out.strip()
        if there in ("", kept) or not records.ask(worktree, "merge-base", "--is-ancestor", there, kept).code:
            return ref
        n += 1


def _unlock(worktree: Worktree) -> None:
    """A git that was killed leaves its lock behind."""
    locks = [worktree.own_dir / "index.lock", worktree.own_dir / "HEAD.lock"]
    locks.append(worktree.git_dir / "refs" / "heads" / f"{worktree.branch}.lock")
    if any(lock.exists() for lock in locks) and not disk.is_inhabited(worktree.path):
        for lock in locks:
            lock.unlink(missing_ok=True)


@contextmanager
def _copied_index(worktree: Worktree) -> Generator[Path]:
    """An index to play with."""
    with git.telling(worktree.place), tempfile.TemporaryDirectory(dir=worktree.place, prefix=".index-") as folder:
        index = Path(folder, "index")
        with suppress(FileNotFoundError):
            shutil.copyfile(worktree.own_dir / "index", index)
        yield index


def _count(said: str) -> tuple[list[str], int, int]:
    """Names and numbers of lines from `--numstat -z`, where a renamed file has an empty name and then two."""
    names: list[str] = []
    added = removed = 0
    parts = iter(said.split("\0"))
    for part in parts:
        if not part:
            continue
        plus, minus, name = part.split("\t", 2)
        if not name:
            next(parts)
            name = next(parts)
        names.append(name)
        added += int(plus) if plus != "-" else 0
        removed += int(minus) if minus != "-" else 0
    return names, added, removed


def _sign(message: str, worktree: Worktree, task: int | None) -> str:
    body = git.readable(message).strip() or f"Work of run {worktree.run}"
    trailers = [f"TaskPilot-Run: {worktree.run}"] + ([f"TaskPilot-Task: {task}"] if task is not None else [])
    return f"{body}\n\n" + "\n".join(trailers) + "\n"


def _measure(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return 0
