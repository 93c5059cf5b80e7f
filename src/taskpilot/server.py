"""The processes people start: the HTTP server, and MCP on standard streams."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections.abc import AsyncGenerator, Generator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

from taskpilot import __version__, address, contracts, logs
from taskpilot.app import App
from taskpilot.domain.errors import Invalid
from taskpilot.settings import Settings
from taskpilot.store import open_database
from taskpilot.surfaces.mcp.server import serve
from taskpilot.toolkit import Contract

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from taskpilot.surfaces.mcp.relay import Handover

DEFAULT_CONTRACT = "native"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
GREETING = """
  TaskPilot {version} is running.

    Open                  {address}
    Connect assistants    taskpilot connect
    Connect Claude Code   claude mcp add --transport http taskpilot {address}/mcp
    Your data             {data}

  Ctrl+C stops it.

"""

log = logging.getLogger(__name__)


def run(settings: Settings) -> None:
    """Serve HTTP, and relays on this machine, until a signal says stop."""
    from taskpilot.surfaces.web.process import serve_web

    check_reach(settings)
    logs.configure(settings)

    def announce(address: str) -> None:
        tune_collector()
        greet(settings, address)

    with open_app(settings) as app:
        web = build(settings, app, map(contracts.load, contracts.names()))
        serve_web(web, settings.host, settings.port, announce)


def check_reach(settings: Settings) -> None:
    """There are no accounts yet: whoever reaches the port is the owner."""
    if settings.auth == "required":
        raise Invalid("Accounts are not available yet.", hint="Start without --auth required.")
    if settings.host not in LOOPBACK:
        raise Invalid(
            f"Without accounts, {settings.host} would open your tasks to everyone who can reach this machine.",
            hint="Listen on 127.0.0.1, and use an SSH tunnel to come in from elsewhere.",
        )


def greet(settings: Settings, address: str) -> None:
    """Say what to do next, in the format of the log."""
    log.info("listening on %s", address, extra={"url": address, "mcp": f"{address}/mcp", "version": __version__})
    if logs.wants_text(settings):
        sys.stderr.write(GREETING.format(version=__version__, address=address, data=settings.data_dir))
        sys.stderr.flush()


def run_stdio(settings: Settings, contract_name: str, handover: Handover | None = None) -> None:
    """Serve one client on standard streams; after a relay, from where it had come to."""
    from taskpilot.surfaces.mcp.stdio import serve_standard_streams

    logs.configure(settings)
    chosen = contracts.load(contract_name)
    first = handover.first if handover else b""
    muted = frozenset([handover.muted]) if handover and handover.muted is not None else frozenset[str | int]()
    with open_app(settings) as app:
        tune_collector()
        asyncio.run(serve_standard_streams(serve(app, chosen), first=first, muted=muted))


def build(settings: Settings, app: App, contracts: Iterable[Contract]) -> Starlette:
    """The web application: every contract at `/mcp/NAME`, the native one at `/mcp` as well."""
    from starlette.routing import Route

    from taskpilot.surfaces.mcp.http import manage_sessions
    from taskpilot.surfaces.mcp.listener import listen
    from taskpilot.surfaces.web.application import Web
    from taskpilot.surfaces.web.health import report_life, report_readiness
    from taskpilot.surfaces.web.home import show_home

    servers = {each.name: serve(app, each) for each in contracts}
    managers = {name: manage_sessions(server, settings.host) for name, server in servers.items()}

    def admit(hello: address.Hello):
        expected = address.introduce(__version__, hello.get("contract", ""), settings.database_url)
        return servers.get(hello.get("contract", "")) if hello == expected else None

    @asynccontextmanager
    async def live(_: Starlette) -> AsyncGenerator[None]:
        async with AsyncExitStack() as stack:
            for manager in managers.values():
                await stack.enter_async_context(manager.run())
            await stack.enter_async_context(listen(settings.data_dir, admit))
            yield

    paths = {f"/mcp/{name}": manager.asgi_app for name, manager in managers.items()}
    if DEFAULT_CONTRACT in managers:
        paths["/mcp"] = managers[DEFAULT_CONTRACT].asgi_app
    routes = [
        Route("/", show_home),
        Route("/livez", report_life),
        Route("/readyz", report_readiness(app)),
    ]
    return Web(paths, routes, live)


@contextmanager
def open_app(settings: Settings) -> Generator[App]:
    """The application on its database, brought up to date."""
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    database = open_database(settings.database_url or settings.database_path)
    try:
        database.migrate()
    except BaseException:
        database.close()
        raise
    app = App(database)
    try:
        yield app
    finally:
        app.close()


def tune_collector() -> None:
    """Keep what start-up made out of every later collection: the slowest calls get several times faster."""
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)
    gc.enable()
