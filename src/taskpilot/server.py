"""The processes people start: the HTTP server, and MCP on standard streams."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections.abc import AsyncGenerator, Generator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

from taskpilot import __version__, address, contracts, logs
from taskpilot.app import App
from taskpilot.domain.caller import local
from taskpilot.domain.errors import Invalid
from taskpilot.settings import Settings
from taskpilot.store import open_database
from taskpilot.store.vault import Vault
from taskpilot.toolkit import Contract

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.routing import Route

    from taskpilot.surfaces.mcp.relay import Handover

DEFAULT_CONTRACT = "native"
BARE_CONTRACT = "manager"
FUNCTIONS_CONTRACT = "todo"
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
    from taskpilot.surfaces.mcp import greeting

    logs.configure(settings)
    chosen = contracts.load(contract_name)
    with open_app(settings) as app:
        if handover is None or not handover.first:
            handover = greeting.greet(chosen)
        # Only now: loading the SDK takes longer than all the rest, and the client has its answer meanwhile.
        from taskpilot.surfaces.mcp.server import serve
        from taskpilot.surfaces.mcp.stdio import serve_standard_streams

        tune_collector()
        muted = frozenset(() if handover.muted is None else (handover.muted,))
        asyncio.run(serve_standard_streams(serve(app, chosen), first=handover.first, muted=muted))


def build(settings: Settings, app: App, contracts: Iterable[Contract]) -> Starlette:
    """The web application: every contract at `/mcp/NAME`, the native one at `/mcp`, and one bare at `/` itself."""
    from taskpilot.surfaces.mcp.http import manage_sessions
    from taskpilot.surfaces.mcp.listener import listen
    from taskpilot.surfaces.mcp.server import serve
    from taskpilot.surfaces.web.application import Web

    offered = {each.name: each for each in contracts}
    servers = {name: serve(app, each) for name, each in offered.items()}
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
    return Web(paths, lay_routes(settings, app, offered), live)


def lay_routes(settings: Settings, app: App, offered: Mapping[str, Contract]) -> list[Route]:
    """Everything but `/mcp`: pages, monitors, and what two contracts offer besides."""
    from mcp.server.transport_security import TransportSecurityMiddleware
    from starlette.routing import Route

    from taskpilot.contracts.todo import FUNCTIONS
    from taskpilot.surfaces.mcp.http import guard_host
    from taskpilot.surfaces.web.bare import open_root
    from taskpilot.surfaces.web.conversation import Conversation
    from taskpilot.surfaces.web.functions import offer_functions
    from taskpilot.surfaces.web.health import report_life, report_readiness
    from taskpilot.surfaces.web.home import show_home

    routes = [
        Route("/livez", report_life),
        Route("/readyz", report_readiness(app)),
    ]
    if FUNCTIONS_CONTRACT in offered:
        routes.append(Route("/api/chat/tools", offer_functions(FUNCTIONS)))
    bare = offered.get(BARE_CONTRACT)
    if bare is None:
        return [Route("/", show_home), *routes]
    guard = TransportSecurityMiddleware(guard_host(settings.host)).validate_request
    root = open_root(Conversation(app, bare, local(bare.name)), guard, show_home)
    return [Route("/", root, methods=["GET", "HEAD", "POST"]), *routes]


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
    vault = Vault(settings.key_path, key=settings.secret_key.reveal())
    app = App(database, vault=vault, reach=settings.reach)
    try:
        yield app
    finally:
        app.close()


def tune_collector() -> None:
    """Keep what start-up made out of every later collection: the slowest calls get several times faster."""
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)
    gc.enable()
