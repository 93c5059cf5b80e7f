"""How agents are to work in a workspace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from taskpilot.domain import policy
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.policy import Policy
from taskpilot.domain.scopes import Scope
from taskpilot.store.work import Work


@reads
def get(work: Work, workspace: int) -> Policy:
    """A workspace's policy: the usual, where nobody has said otherwise."""
    work.workspaces.get(workspace)
    return work.policies.get(workspace)


@writes(scope=Scope.RUN)
def change(work: Work, workspace: int, given: Mapping[str, Any]) -> Policy:
    """Say how agents are to work there; what is not named stays."""
    return _save(work, get(work, workspace), policy.change(get(work, workspace), given))


@writes(scope=Scope.RUN)
def let(work: Work, workspace: int, doing: str) -> Policy:
    """Allow something there from now on, unasked."""
    before = get(work, workspace)
    return _save(work, before, before.let(doing))


def _save(work: Work, before: Policy, after: Policy) -> Policy:
    if after != before:
        work.policies.save(after)
        work.record("policy.updated", before, after)
    return after
