"""Where the work of a run goes: rebased, merged or pushed. What does not work out leaves everything as it was."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from taskpilot.agents.repository import changes, disk, git, records, repositories
from taskpilot.agents.repository.hooks import REFUSED
from taskpilot.agents.repository.records import Worktree
from taskpilot.agents.repository.repositories import Repository
from taskpilot.domain.errors import Conflict, NotFound, TaskPilotError, Unavailable

LONG = 600.0


@dataclass(frozen=True, slots=True)
class Landed:
    text: str
    commit: str


def rebase(worktree: Worktree, onto: str, guard: Callable[[], None]) -> Landed:
    """Put the run's commits on top of another branch. Its diff is against that from then on."""
    source = _open(worktree)
    aside = _require_clean(worktree)
    name, target = repositories.find_base(source, onto or worktree.base)
    tip = changes.find_head(worktree)
    if repositories.is_ancestor(source, target, tip):
        guard()
        records.update(worktree, base=name, base_commit=target)
        return Landed(f"{worktree.branch} is already on top of {name}.", tip)
    with _scratch(worktree, source, tip) as scratch:
        _try(scratch, f"{worktree.branch} cannot be rebased onto {name}", "rebase", "--no-autostash", "--quiet", target)
        new = changes.find_head(scratch)
    guard()
    records.run(worktree, "reset", "--keep", "--quiet", new, timeout=LONG)
    record = records.read(worktree.place)
    before = (*(record.rebased_from if record else ()), tip)
    records.update(worktree, base=name, base_commit=target, rebased_from=before)
    return Landed(f"{worktree.branch} is now on top of {name}.{aside}", new)


def merge(worktree: Worktree, into: str, guard: Callable[[], None]) -> Landed:
    """Bring the run's commits into a branch. Where that is checked out, its folder must have no changes."""
    source = _open(worktree)
    aside = _require_clean(worktree)
    target = repositories.find_commit(source, f"refs/heads/{into}")
    if not target:
        raise NotFound(f"There is no branch {into!r} in {source.path}.", hint="Create it, or choose another.")
    if into == worktree.branch:
        raise Conflict(f"{into} is the run's own branch.", hint="Choose the branch to merge it into.")
    tip = changes.find_head(worktree)
    if repositories.is_ancestor(source, tip, target):
        return Landed(f"{into} has all of {worktree.branch} already.", target)
    folder = repositories.find_checkouts(source).get(into)
    if folder and folder.is_dir():
        _require_untouched(folder, into)
    new = tip
    if not repositories.is_ancestor(source, target, tip):
        message = f"Merge branch '{worktree.branch}' into {into}"
        with _scratch(worktree, source, target) as scratch:
            what = f"{worktree.branch} cannot be merged into {into}"
            _try(scratch, what, "merge", "--no-ff", "--no-verify", "--quiet", "-m", message, tip)
            new = changes.find_head(scratch)
    guard()
    _advance(source, into, folder, target, new)
    return Landed(f"{worktree.branch} is merged into {into}.{aside}", new)


def push(worktree: Worktree, remote: str, guard: Callable[[], None]) -> Landed:
    """Push the run's branch. What is there is overwritten only where it is what the run itself had before a rebase."""
    source = _open(worktree)
    known = source.run("remote").split()
    remote = remote or ("origin" if "origin" in known else "".join(known[:1]))
    if remote not in known:
        raise NotFound(
            f"{source.path} has no remote {remote!r}.".replace(" ''", ""),
            hint=f"It has {', '.join(known)}." if known else "Add one: git remote add origin URL.",
        )
    records.configure(worktree)
    ref = f"refs/heads/{worktree.branch}"
    tip = repositories.find_commit(source, ref)
    if not tip:
        raise NotFound(f"The branch {worktree.branch} is gone.", hint="Start the run again.")
    options = _find_lease(worktree, source, remote, ref, tip)
    guard()
    ran = records.ask(worktree, "push", "--porcelain", *options, remote, f"{ref}:{ref}", timeout=LONG, hooks=True)
    if ran.code:
        raise _explain_push(worktree, remote, f"{ran.err}\n{ran.out}")
    return Landed(f"{worktree.branch} is pushed to {remote}.", tip)


def _open(worktree: Worktree) -> Repository:
    return Repository(worktree.repository, worktree.git_dir, bare=worktree.repository == worktree.git_dir)


def _require_clean(worktree: Worktree) -> str:
    """New files may lie about: what a test or a build leaves is nobody's work. In words, if there are any."""
    status = changes.inspect(worktree)
    left = (*changes.find_left(worktree, status), *status.new)
    open_ones = [name for name in (*status.changed, *status.conflicts) if name not in left]
    if open_ones:
        raise Conflict(f"Not committed yet: {changes.tell(open_ones)}.", hint="Commit it in the worktree first.")
    return f" Not committed, and left where it is: {changes.tell(status.new)}." if status.new else ""


def _require_untouched(folder: Path, branch: str) -> None:
    said = git.run("status", "--porcelain", "-z", "--untracked-files=no", cwd=folder)
    if said:
        names = [part[3:] for part in said.split("\0") if part[2:3] == " "]
        raise Conflict(
            f"{branch} is checked out in {folder}, with changes in {changes.tell(names)}.",
            hint="Commit or stash them there, or merge into another branch.",
        )


@contextmanager
def _scratch(worktree: Worktree, source: Repository, commit: str) -> Generator[Worktree]:
    """A worktree to try things in, at a commit and on no branch."""
    with git.telling(worktree.place), tempfile.TemporaryDirectory(dir=worktree.place, prefix=".landing-") as folder:
        path = Path(folder, "tree")
        own: Path | None = None
        try:
            with repositories.taking_turns(source):
                git.run("worktree", "add", "--quiet", "--no-checkout", "--detach", str(path), commit, cwd=source.path)
                own = Path(git.run("rev-parse", "--absolute-git-dir", cwd=path).strip())
            scratch = replace(worktree, path=path, own_dir=own)
            records.run(scratch, "reset", "--hard", "--quiet", timeout=LONG, env={"GIT_LFS_SKIP_SMUDGE": "1"})
            yield scratch
        finally:
            disk.drop(path)
            if own:
                disk.drop(own)


def _try(scratch: Worktree, what: str, *args: str) -> None:
    try:
        records.run(scratch, *args, env=changes.name_author(scratch), timeout=LONG)
    except Conflict as error:
        said = records.run(scratch, "diff", "--name-only", "--diff-filter=U", "-z")
        names = sorted({name for name in said.split("\0") if name})
        if not names:
            raise
        raise Conflict(
            f"{what}: conflicts in {changes.tell(names)}. Nothing was changed.",
            hint="Tell the agent to resolve them, or do it yourself.",
        ) from error


def _advance(source: Repository, into: str, folder: Path | None, old: str, new: str) -> None:
    """Move a branch on; where it is checked out, with its files."""
    if not folder or not folder.is_dir():
        source.run("update-ref", "-m", "taskpilot: merge", f"refs/heads/{into}", new, old)
        return
    try:
        git.run("merge", "--ff-only", "--quiet", new, cwd=folder, timeout=LONG)
    except Conflict as error:
        raise Conflict(
            f"{folder} could not take the merge: {error.message}", hint="Nothing was changed. Tidy up there, try again."
        ) from None


def _find_lease(worktree: Worktree, source: Repository, remote: str, ref: str, tip: str) -> tuple[str, ...]:
    """Leave to overwrite the remote's branch, if it holds nothing but what was rebased."""
    record = records.read(worktree.place)
    there = repositories.find_commit(source, f"refs/remotes/{remote}/{worktree.branch}")
    if not record or not record.rebased_from or not there or repositories.is_ancestor(source, there, tip):
        return ()
    ours = any(repositories.is_ancestor(source, there, before) for before in record.rebased_from)
    return (f"--force-with-lease={ref}:{there}",) if ours else ()


def _explain_push(worktree: Worktree, remote: str, said: str) -> TaskPilotError:
    refused = [line.removeprefix(REFUSED) for line in said.splitlines() if line.startswith(REFUSED)]
    if refused:
        return Conflict(f"The push was refused: {git.readable(' '.join(refused))}", hint="Nothing was pushed.")
    if "[rejected]" in said or "non-fast-forward" in said:
        return Conflict(
            f"{remote} has commits on {worktree.branch} that the run does not have.",
            hint=f"Fetch, then rebase onto {remote}/{worktree.branch}; or push to another branch.",
        )
    if "[remote rejected]" in said:
        line = next(line for line in said.splitlines() if "[remote rejected]" in line)
        return Conflict(f"{remote} refused the push: {git.readable(line.strip())}", hint="Ask whoever runs it.")
    lines = [
        line for line in said.splitlines() if line.strip() and not line.startswith(("error: failed to push", "To "))
    ]
    why = git.last_line("\n".join(line for line in lines if line != "Done"))
    return Unavailable(f"The push to {remote} failed: {why}", hint="Check that it can be reached, then try again.")
