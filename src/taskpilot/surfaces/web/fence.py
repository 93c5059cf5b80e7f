"""Whether the agent of a run may still push: what the hook in its worktree asks."""

from __future__ import annotations

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from taskpilot.app import App
from taskpilot.domain.errors import TaskPilotError
from taskpilot.ops import attempts


def guard_pushes(app: App) -> ASGIApp:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await app.call(scope["caller"], attempts.check_push)
            response = PlainTextResponse("yes\n")
        except TaskPilotError as error:
            response = PlainTextResponse(f"{error}\n", 409)
        await response(scope, receive, send)

    return answer
