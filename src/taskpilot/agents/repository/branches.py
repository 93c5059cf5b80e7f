"""Which branch a run works on, and from where it starts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from taskpilot.agents.repository import repositories
from taskpilot.agents.repository.repositories import Repository
from taskpilot.domain.errors import Conflict, Invalid

SAVED = "refs/taskpilot/saved"


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    branch: str
    base: str
    base_commit: str
    commit: str
    """Where the branch is to stand."""
    fresh: bool


def choose(source: Repository, *, branch: str, base: str, made: bool, saved: str = "") -> Start:
    """A branch that exists is gone on with if it is free; one that was only made up gets a number instead.

    `saved` is what this run had when its worktree was removed, if that is to be found again.
    """
    odd = branch in ("@", "HEAD") or branch.startswith("-")
    if odd or not source.says("check-ref-format", f"refs/heads/{branch}"):
        raise Invalid(f"{branch!r} is not a branch name.", hint="One looks like feature/auth.")
    base, base_commit = repositories.find_base(source, base)
    taken = _list_taken(source)
    if made:
        branch = _find_free(branch, taken)
    elif blocker := _find_blocker(branch, taken):
        raise Conflict(f"Git cannot have the branch {branch} beside {blocker}.", hint="Choose another branch name.")
    _require_free(source, branch)
    tip = _find_tip(source, branch)
    commit = saved if saved and _goes_on(source, saved, tip) else tip
    fresh = not repositories.has_branch(source, branch)
    if not commit:
        return Start(branch=branch, base=base, base_commit=base_commit, commit=base_commit, fresh=fresh)
    shared = repositories.find_meeting(source, commit, base_commit)
    if not shared:
        raise Conflict(f"{branch} has no history in common with {base}.", hint="Choose another branch or base.")
    return Start(branch=branch, base=base, base_commit=shared, commit=commit, fresh=fresh)


def _find_tip(source: Repository, branch: str) -> str:
    """Here, or where only the remote has it."""
    local = repositories.find_commit(source, f"refs/heads/{branch}")
    return local or repositories.find_commit(source, f"refs/remotes/origin/{branch}")


def _goes_on(source: Repository, saved: str, tip: str) -> bool:
    known = repositories.find_commit(source, saved)
    return bool(known) and (not tip or repositories.is_ancestor(source, tip, saved))


def _require_free(source: Repository, branch: str) -> None:
    place: Path | None = repositories.find_checkouts(source).get(branch)
    if place:
        raise Conflict(
            f"The branch {branch} is checked out in {place}.", hint="Choose another branch, or check out another there."
        )


def _list_taken(source: Repository) -> set[str]:
    """Names of branches, here and at the origin."""
    refs = source.run("for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes/origin").splitlines()
    return {ref.removeprefix("refs/heads/").removeprefix("refs/remotes/origin/") for ref in refs}


def _find_free(branch: str, taken: set[str]) -> str:
    names: Iterable[str] = (branch if n == 1 else f"{branch}-{n}" for n in count(1))
    if any(parent in taken for parent in _parents(branch)):  # `task` itself is a branch
        flat = branch.replace("/", "-")
        names = (flat if n == 1 else f"{flat}-{n}" for n in count(1))
    return next(name for name in names if name not in taken and not _find_blocker(name, taken))


def _find_blocker(branch: str, taken: set[str]) -> str:
    """Git keeps branches like files: `a` and `a/b` cannot both be."""
    above = next((parent for parent in _parents(branch) if parent in taken), "")
    return above or next((name for name in sorted(taken) if name.startswith(f"{branch}/")), "")


def _parents(branch: str) -> list[str]:
    parts = branch.split("/")
    return ["/".join(parts[:n]) for n in range(1, len(parts))]
