"""`/api/chat/tools`: a contract's tools as the function definitions that chat models take."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from taskpilot.contracts.todo import FUNCTIONS
from taskpilot.surfaces.rest.asking import reply

router = APIRouter(prefix="/api/chat", tags=["chat"])


@router.get("/tools", response_model=list[dict[str, Any]])
async def list_functions() -> Response:
    """The list is what a chat request takes as its `tools`."""
    return reply(FUNCTIONS, headers={"Cache-Control": "no-cache"})
