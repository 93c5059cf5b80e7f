"""For whatever watches the process: is it up, and can it work?"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from taskpilot.app import App
from taskpilot.domain.errors import Unavailable

Endpoint = Callable[[Request], Awaitable[Response]]


async def report_life(_: Request) -> Response:
    """`/livez`: the process answers. Says nothing about the database, so that its failure restarts nobody."""
    return JSONResponse({"status": "ok"})


def report_readiness(app: App) -> Endpoint:
    """`/readyz`: the database answers too."""

    async def report(_: Request) -> Response:
        try:
            await run_sync(app.ping)
        except Unavailable as error:
            problem = {"title": "Unavailable", "status": 503, "detail": str(error)}
            return JSONResponse(problem, 503, {"Retry-After": "5"}, "application/problem+json")
        return JSONResponse({"status": "ok"})

    return report
