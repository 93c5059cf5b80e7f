"""`/api/workspaces/{id}/sessions`: spells of work in a workspace."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel
from starlette.responses import Response

from taskpilot.domain.operation import writes
from taskpilot.ops import sessions
from taskpilot.store.work import Work
from taskpilot.surfaces.rest.asking import create, reply, run
from taskpilot.surfaces.rest.group_shapes import SessionOut, show_session
from taskpilot.surfaces.rest.people import Paging
from taskpilot.surfaces.rest.types import IdempotencyKey, Number

router = APIRouter(prefix="/api/workspaces/{workspace_id}/sessions", tags=["sessions"])


class SessionsOut(BaseModel):
    sessions: list[SessionOut]
    total: int


@router.get("", response_model=SessionsOut)
async def list_sessions(request: Request, workspace_id: Number, page: Annotated[Paging, Query()]) -> Response:
    """A workspace's sessions, latest first."""
    found, total = await run(request, sessions.list_slice, workspace_id, limit=page.limit, offset=page.offset)
    return reply({"sessions": [show_session(session) for session in found], "total": total})


@router.post("", status_code=201, response_model=SessionOut)
async def start_session(request: Request, workspace_id: Number, key: IdempotencyKey = None) -> Response:  # noqa: ARG001
    """Begin to work in a workspace. The session that was open there ends."""

    @writes
    def make(work: Work) -> dict[str, Any]:
        return show_session(sessions.start(work, workspace_id).session)

    where = f"/api/workspaces/{workspace_id}/sessions"
    return await create(request, make, asked=None, location=lambda made: f"{where}/{made['id']}")


@router.get("/{session_id}", response_model=SessionOut)
async def get_session(request: Request, workspace_id: Number, session_id: Number) -> Response:
    """One session."""
    return reply(show_session(await run(request, sessions.get, workspace_id, session_id)))


@router.patch("/{session_id}/end", response_model=SessionOut)
async def end_session(request: Request, workspace_id: Number, session_id: Number) -> Response:
    """Stop working. Safe to repeat."""
    return reply(show_session(await run(request, sessions.end, workspace_id, session_id)))
