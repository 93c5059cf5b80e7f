"""A call that changed nothing: that it was made, by whom, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

OK = "ok"
BUG = "bug"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    at: datetime
    owner: int | None
    """None where nobody was recognised."""
    actor: str
    address: str
    door: str
    tool: str
    outcome: str
    """`ok`, the kind of an error, or `bug`."""
    id: int = 0
