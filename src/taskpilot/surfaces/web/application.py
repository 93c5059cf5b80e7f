"""The web application, with a short way in for the paths that are asked for all day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Lifespan, Receive, Scope, Send

from taskpilot.surfaces.web.compression import compress_long


class Web(Starlette):
    """Starlette, except that a path in `shortcuts` and all under `/api/` go straight to their applications.

    A tool call does without the routing table and the two middlewares in front of it, a twentieth of its time.
    """

    def __init__(
        self,
        shortcuts: Mapping[str, ASGIApp],
        routes: Sequence[BaseRoute],
        lifespan: Lifespan[Any],
        rest: ASGIApp | None = None,
    ) -> None:
        super().__init__(routes=routes, lifespan=lifespan)
        self.shortcuts = shortcuts
        self.rest = rest
        self._api = None if rest is None else compress_long(rest)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await super().__call__(scope, receive, send)
        path: str = scope["path"]
        if self._api is not None and path.startswith("/api/"):
            return await self._api(scope, receive, send)
        shortcut = self.shortcuts.get(path) if scope["type"] == "http" else None
        return await (shortcut or super().__call__)(scope, receive, send)
