"""The REST application: its routes, its errors, its description."""

from __future__ import annotations

from fastapi import FastAPI

from taskpilot import __version__
from taskpilot.access.doorkeeper import Doorkeeper
from taskpilot.app import App
from taskpilot.settings import Settings
from taskpilot.surfaces.rest import functions, tasks
from taskpilot.surfaces.rest.errors import map_errors

ROUTERS = (tasks.router, functions.router)


def build_rest(app: App, keeper: Doorkeeper, settings: Settings) -> FastAPI:
    rest = FastAPI(
        title="TaskPilot",
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    rest.state.app = app
    rest.state.keeper = keeper
    rest.state.settings = settings
    rest.state.uuids = {}
    map_errors(rest)
    for router in ROUTERS:
        rest.include_router(router)
    return rest
