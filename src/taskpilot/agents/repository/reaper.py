"""Removes the worktrees of runs that ended long ago. What nobody else has is saved first; who is there stays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from taskpilot.agents.repository.worktrees import Worktrees
from taskpilot.domain.errors import TaskPilotError


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaped:
    run: int
    bytes: int = 0
    """Freed."""
    ref: str = ""
    """Where its unpushed commits and uncommitted changes are now; empty if it had none."""
    problem: str = ""
    """Why it is still there."""


def reap(
    worktrees: Worktrees, keep_days: float, finished: Mapping[int, datetime], now: datetime | None = None
) -> list[Reaped]:
    """Only runs that are named as finished are looked at; one that cannot go does not keep the others."""
    before = (now or datetime.now(UTC)) - timedelta(days=keep_days)
    due = [run for run in worktrees.list_runs() if run in finished and finished[run] <= before]
    return [_reap_one(worktrees, run) for run in due]


def _reap_one(worktrees: Worktrees, run: int) -> Reaped:
    try:
        saved = worktrees.remove(run)
    except TaskPilotError as error:
        return Reaped(run=run, problem=str(error))
    return Reaped(run=run, bytes=saved.bytes, ref=saved.ref)
