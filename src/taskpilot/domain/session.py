"""A working session: from when to when somebody worked in a workspace."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from taskpilot.domain.errors import NotFound


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    id: int
    owner: int
    workspace: int
    started_at: datetime
    ended_at: datetime | None = None

    def end(self, at: datetime) -> Session:
        return self if self.ended_at else replace(self, ended_at=at)


def missing(session_id: int) -> NotFound:
    return NotFound(f"Session {session_id} not found.", hint="List the workspace's sessions to see what there is.")
