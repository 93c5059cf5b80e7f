"""The REST application: its routes, its errors, its description."""

from __future__ import annotations

import re
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.routing import APIRoute
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from taskpilot import __version__
from taskpilot.access.doorkeeper import Doorkeeper
from taskpilot.app import App
from taskpilot.domain.errors import TaskPilotError
from taskpilot.settings import Settings
from taskpilot.surfaces.rest import (
    audit_log,
    auth,
    bin,
    board,
    bulk,
    chat,
    claims,
    clients,
    conversations,
    data,
    docs_page,
    events,
    finding,
    functions,
    history,
    insights,
    invitations,
    limits,
    plans,
    policies,
    profile,
    projects,
    questions,
    quickadd,
    rules,
    run_logs,
    runs,
    sessions,
    sockets,
    stats,
    tags,
    task_links,
    tasks,
    tokens,
    users,
    workspaces,
    worktrees,
)
from taskpilot.surfaces.rest.description import ABOUT, SUMMARY, complete
from taskpilot.surfaces.rest.errors import map_errors, tell, tell_error
from taskpilot.surfaces.rest.streams import Streams

ROUTERS = (
    tasks.router,
    bulk.router,
    board.router,
    quickadd.router,
    task_links.router,
    history.router,
    finding.router,
    claims.router,
    runs.router,
    run_logs.router,
    questions.router,
    worktrees.router,
    limits.router,
    bin.router,
    plans.router,
    functions.router,
    chat.router,
    conversations.router,
    docs_page.router,
    events.router,
    sockets.router,
    auth.router,
    tokens.router,
    clients.router,
    profile.router,
    invitations.router,
    users.router,
    projects.router,
    tags.router,
    stats.router,
    insights.router,
    workspaces.router,
    policies.router,
    rules.router,
    sessions.router,
    data.router,
    audit_log.router,
)


TASK = re.compile(r"/api/tasks/([1-9][0-9]{0,17})")
READ_TASK = next(route for route in tasks.router.routes if getattr(route, "name", "") == "get_task")


class Rest(FastAPI):
    """FastAPI, with a description that says everything, and a short way for what is asked for all day.

    Reading one task needs none of what FastAPI works out for a request, which takes longer than the reading.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = TASK.fullmatch(scope["path"]) if scope.get("method") == "GET" else None
        if found is None or scope["query_string"]:
            return await super().__call__(scope, receive, send)
        scope["app"], scope["route"] = self, READ_TASK
        request = Request(scope, receive, send)
        try:
            answer = await tasks.get_task(request, found[1])
        except TaskPilotError as error:
            answer = await tell_error(request, error)
        return await answer(scope, receive, send)

    def openapi(self) -> dict[str, Any]:
        if not self.openapi_schema:
            required = self.state.settings.sign_in_required
            self.openapi_schema = complete(super().openapi(), sign_in_required=required)
        return self.openapi_schema


def build_rest(app: App, keeper: Doorkeeper, settings: Settings) -> FastAPI:
    rest = Rest(
        title="TaskPilot",
        summary=SUMMARY,
        description=ABOUT,
        version=__version__,
        license_info={"name": "MIT", "identifier": "MIT"},
        servers=[{"url": "/", "description": "This server"}],
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    rest.state.app = app
    rest.state.keeper = keeper
    rest.state.settings = settings
    rest.state.uuids = {}
    rest.state.streams = Streams(app)
    rest.state.assistant = None
    map_errors(rest)
    rest.add_exception_handler(405, tell_methods)
    for router in ROUTERS:
        lay_routes(rest, router)
    return rest


def lay_routes(rest: FastAPI, router: APIRouter) -> None:
    """The routes themselves, not the router: one that is included is searched twice for every request.

    An operation is known by the name of its function.
    """
    for route in router.routes:
        if isinstance(route, APIRoute):
            route.operation_id = route.unique_id = route.name
            route.status_code = route.status_code or 200
        rest.router.routes.append(route)


async def tell_methods(request: Request, _: Exception) -> Response:
    """A path is several routes, one for each method: all of them are told."""
    path: str = request.scope["path"]
    methods = sorted({method for router in ROUTERS for method in _methods(router, path)})
    return tell(405, f"{request.method} is not possible here.", headers={"Allow": ", ".join(methods)})


def _methods(router: APIRouter, path: str) -> set[str]:
    routes = [route for route in router.routes if isinstance(route, APIRoute)]
    return {method for route in routes if route.path_regex.match(path) for method in route.methods or ()}
