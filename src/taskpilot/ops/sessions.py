"""Working sessions in a workspace."""

from __future__ import annotations

from dataclasses import dataclass

from taskpilot.domain.operation import reads, writes
from taskpilot.domain.session import Session, missing
from taskpilot.store.work import Work


@dataclass(frozen=True, slots=True)
class Started:
    session: Session
    closed: Session | None
    """The one that was still open."""


@reads
def list_slice(work: Work, workspace_id: int, *, limit: int = 50, offset: int = 0) -> tuple[list[Session], int]:
    """A workspace's sessions, latest first, from the `offset`th on; and how many there are."""
    place = work.workspaces.get(workspace_id).id
    return work.sessions.slice(place, limit, offset), work.sessions.count(place)


@reads(quick=True)
def get(work: Work, workspace_id: int, session_id: int) -> Session:
    """One session of a workspace."""
    found = work.sessions.find(session_id)
    if found is None or found.workspace != workspace_id:
        raise missing(session_id)
    return found


@writes
def start(work: Work, workspace_id: int) -> Started:
    """Begin to work in a workspace; the session that was open there ends."""
    earlier = work.sessions.find_open(work.workspaces.get(workspace_id).id)
    closed = _end(work, earlier) if earlier is not None else None
    made = work.sessions.add(Session(id=0, owner=work.caller.user, workspace=workspace_id, started_at=work.now))
    work.record("session.started", None, made)
    return Started(made, closed)


@writes
def end(work: Work, workspace_id: int, session_id: int) -> Session:
    """Stop working. Safe to repeat: it ended when it ended first."""
    return _end(work, get(work, workspace_id, session_id))


def _end(work: Work, before: Session) -> Session:
    after = before.end(work.now)
    if after != before:
        work.sessions.save(after)
        work.record("session.ended", before, after)
    return after
