"""Working sessions in a workspace."""

from __future__ import annotations

from dataclasses import dataclass

from taskpilot.domain.operation import writes
from taskpilot.domain.session import Session
from taskpilot.store.work import Work


@dataclass(frozen=True, slots=True)
class Started:
    session: Session
    closed: Session | None
    """The one that was still open."""


@writes
def start(work: Work, workspace_id: int) -> Started:
    """Begin to work in a workspace; the session that was open there ends."""
    earlier = work.sessions.find_open(work.workspaces.get(workspace_id).id)
    closed = None
    if earlier is not None:
        closed = work.sessions.save(earlier.end(work.now))
        work.record("session.ended", earlier, closed)
    made = work.sessions.add(Session(id=0, owner=work.caller.user, workspace=workspace_id, started_at=work.now))
    work.record("session.started", None, made)
    return Started(made, closed)
