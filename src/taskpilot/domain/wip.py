"""How much may be under way at once."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from taskpilot.domain.errors import Invalid

MOST = 10_000
EACH = ""
"""Stands for every agent that has no limit of its own."""


class LimitKind(StrEnum):
    PROJECT = "project"  # tasks in progress, by the project's name
    WORKSPACE = "workspace"  # tasks in progress, by the workspace's number
    AGENT = "agent"  # live claims, by the agent's name, or each


@dataclass(frozen=True, slots=True)
class WipLimit:
    kind: LimitKind
    name: str
    most: int
    id: int = 0
    """Known by its kind and name: it has no number of its own."""


def check_most(most: int) -> int:
    if not 0 <= most <= MOST:
        raise Invalid(f"A limit cannot be {most}.", hint=f"Choose 1 to {MOST}, or 0 for none.")
    return most
