"""A contract's tools as the function definitions that chat models take, at `/api/chat/tools`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response


def offer_functions(functions: Sequence[dict[str, Any]]) -> Callable[[Request], Awaitable[Response]]:
    """The list is what a chat request takes as its `tools`."""

    async def offer(_: Request) -> Response:
        return JSONResponse(functions, headers={"Cache-Control": "no-cache"})

    return offer
