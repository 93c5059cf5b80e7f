"""What people ask for once a run is at rest: its worktree, and where its work is to go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from taskpilot.agents.repository import hooks, landing
from taskpilot.agents.repository.landing import Landed
from taskpilot.agents.repository.records import Worktree
from taskpilot.agents.repository.worktrees import Kept, Saved, Worktrees
from taskpilot.app import Errand
from taskpilot.domain.errors import NotFound
from taskpilot.domain.operation import sends
from taskpilot.domain.scopes import Scope
from taskpilot.ops import landings
from taskpilot.store.runs import Diff

Land = Callable[[Worktree, str, Callable[[], None]], Landed]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    data_dir: Path
    run: int = 0
    target: str = ""
    """A branch or a remote; empty: the obvious one."""
    discard: bool = False
    """Do not save what is nowhere else."""

    @property
    def worktrees(self) -> Worktrees:
        return Worktrees.below(self.data_dir)


@sends(scope=Scope.READ)
def list_worktrees(errand: Errand, asked: Asked) -> list[Kept]:
    """The caller's worktrees on this machine, with what each takes."""
    own = errand.run(landings.list_own, asked.worktrees.list_runs())
    return [kept for kept in asked.worktrees.list_all() if kept.run in own] if own else []


@sends(scope=Scope.RUN)
def remove_worktree(errand: Errand, asked: Asked) -> Saved:
    """What is nowhere else is saved to a ref first, unless it is to be discarded."""
    errand.run(landings.check, asked.run)
    saved = asked.worktrees.remove(asked.run, keep=not asked.discard)
    kept = f" What was nowhere else is in {saved.ref}." if saved.ref else ""
    errand.finish(landings.record, asked.run, f"The worktree was removed.{kept}")
    return saved


@sends(scope=Scope.RUN)
def rebase(errand: Errand, asked: Asked) -> Landed:
    return _land(errand, asked, landing.rebase)


@sends(scope=Scope.RUN)
def merge(errand: Errand, asked: Asked) -> Landed:
    """Into the branch it came from, unless another is named."""
    return _land(errand, asked, lambda tree, into, guard: landing.merge(tree, into or tree.base, guard))


@sends(scope=Scope.RUN)
def push(errand: Errand, asked: Asked) -> Landed:
    return _land(errand, asked, _push)


def _push(worktree: Worktree, remote: str, guard: Callable[[], None]) -> Landed:
    guard()
    hooks.lift(worktree)  # a worker that died left one that asks it
    return landing.push(worktree, remote, guard)


def _land(errand: Errand, asked: Asked, land: Land) -> Landed:
    errand.run(landings.check, asked.run)
    worktrees = asked.worktrees
    worktree = worktrees.find(asked.run)
    if worktree is None:
        raise NotFound(
            f"Run {asked.run} has no worktree on this machine.",
            hint="It was removed or never made, or another machine's worker has it.",
        )

    def guard() -> None:
        errand.run(landings.check, asked.run)

    with worktrees.hold(worktree):
        landed = land(worktree, asked.target, guard)
        after = worktrees.find(asked.run) or worktree
        changed = worktrees.diff(after)
    diff = Diff(changed.commit, changed.patch, changed.added, changed.removed)
    errand.finish(
        landings.record,
        asked.run,
        landed.text,
        files=changed.files,
        base=after.base,
        base_head=after.base_commit,
        diff=diff,
    )
    return landed
