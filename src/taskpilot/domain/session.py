"""A working session: from when to when somebody worked in a workspace."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    id: int
    owner: int
    workspace: int
    started_at: datetime
    ended_at: datetime | None = None

    def end(self, at: datetime) -> Session:
        return self if self.ended_at else replace(self, ended_at=at)
