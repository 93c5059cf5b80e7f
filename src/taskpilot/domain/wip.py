"""How much may be under way at once."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from taskpilot.domain.errors import Invalid

MOST = 10_000
EACH = ""
"""Stands for every agent that has no limit of its own."""


class LimitKind(StrEnum):
    PROJECT = "project"  # tasks in progress
    WORKSPACE = "workspace"  # tasks in progress
    AGENT = "agent"  # live claims, of one agent or of each


@dataclass(frozen=True, slots=True)
class WipLimit:
    kind: LimitKind
    name: str
    """As people say it: the project's or the agent's name, the workspace's number."""
    most: int
    place: int = 0
    """The number of the project or the workspace: it stays when the name changes."""
    id: int = 0
    """Known by its kind, place and name: it has no number of its own."""


def check_most(most: int) -> int:
    if not 0 <= most <= MOST:
        raise Invalid(f"A limit cannot be {most}.", hint=f"Choose 1 to {MOST}, or 0 for none.")
    return most
