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
from taskpilot.settings import LOOPBACK, Settings
from taskpilot.store import open_database
from taskpilot.store.vault import Vault
from taskpilot.toolkit import Contract

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.routing import Route
    from starlette.types import ASGIApp

    from taskpilot.access.doorkeeper import Doorkeeper
    from taskpilot.surfaces.cli.worker import Hire
    from taskpilot.surfaces.mcp.callers import CallerOf
    from taskpilot.surfaces.mcp.relay import Handover
    from taskpilot.surfaces.web.gate import Terms

DEFAULT_CONTRACT = "native"
BARE_CONTRACT = "manager"
DESK_CONTRACT = "desk"
GREETING = """
  TaskPilot {version} is running.

    Open                  {address}
    Connect assistants    taskpilot connect
    Connect Claude Code   claude mcp add --transport http taskpilot {address}/mcp
    Your data             {data}
{people}
  Ctrl+C stops it.

"""
SIGN_IN = """
  Everybody has to sign in. To begin: taskpilot user add YOU@EXAMPLE.COM --admin
"""
OPEN = """
  NOBODY HAS TO SIGN IN: whoever can reach this address can read and change your tasks.
"""

log = logging.getLogger(__name__)


def run(settings: Settings) -> None:
    """Serve HTTP, and relays on this machine, until a signal says stop."""
    from taskpilot.surfaces.web.process import serve_web
    from taskpilot.upkeep import keep_up

    logs.configure(settings)

    def announce(address: str) -> None:
        tune_collector()
        greet(settings, address)

    with open_app(settings) as app, keep_up(app), watch_over(settings, app):
        app.trail.keep(settings.audit_days)
        web = build(settings, app, map(contracts.load, contracts.names()))
        proxies = split(settings.trusted_proxies)
        serve_web(web, settings.host, settings.port, announce, leave=app.leave, proxies=proxies)


@contextmanager
def watch_over(settings: Settings, app: App) -> Generator[None]:
    """Runs that are queued while this process lives find a worker."""
    from taskpilot.agents.foreman import Foreman

    foreman = Foreman(settings, app)
    try:
        yield
    finally:
        foreman.close()


def run_worker(settings: Settings, terms: Hire) -> None:
    """Carry runs out until a signal says stop, or there is nothing more to do."""
    from taskpilot.agents.foreman import take_place

    logs.configure(settings)
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    wanted = True
    while wanted:
        # What is queued while a worker leaves is seen here: its place is free by then, for us or for another.
        with take_place(settings.data_dir, terms.name):
            wanted = carry_runs(settings, terms)
        wanted = wanted and has_work(settings)


def carry_runs(settings: Settings, terms: Hire) -> bool:
    """Until there is nothing to do; False where it was told to leave."""
    from taskpilot.agents.engine import Engine
    from taskpilot.agents.station import Station, name_worker
    from taskpilot.agents.worker import Terms, Worker

    async def work(app: App, desk: str) -> bool:
        name = name_worker(settings.data_dir, terms.name)
        station = Station(app=app, data_dir=settings.data_dir, worker=name, desk=desk)
        given = Terms(
            concurrency=terms.concurrency,
            user_most=settings.runs_per_user,
            leave_when_idle=terms.leave_when_idle,
            keep_days=settings.worktree_days,
        )
        return await Worker(station, Engine(settings.engine_address, name), given).serve()

    with open_app(settings) as app, serve_desk(app) as desk:
        tune_collector()
        return asyncio.run(work(app, desk))


def has_work(settings: Settings) -> bool:
    from taskpilot.domain.caller import worker
    from taskpilot.ops import attempts

    with open_app(settings) as app:
        return app.run(worker(), attempts.is_work_waiting, user_most=settings.runs_per_user)


@contextmanager
def serve_desk(app: App) -> Generator[str]:
    """The address where agents of this worker reach their desks: on this machine only, and with a run's token only."""
    import threading

    from taskpilot.access.doorkeeper import Doorkeeper
    from taskpilot.agents.fence import PATH
    from taskpilot.surfaces.mcp.callers import trust_gate
    from taskpilot.surfaces.mcp.http import Sessions
    from taskpilot.surfaces.mcp.server import serve
    from taskpilot.surfaces.web.application import Web
    from taskpilot.surfaces.web.fence import guard_pushes
    from taskpilot.surfaces.web.gate import Gate, Terms
    from taskpilot.surfaces.web.origins import Origins
    from taskpilot.surfaces.web.process import Announcing, bind, configure, tell_address

    keeper = Doorkeeper(app)
    sessions = Sessions(serve(app, contracts.load(DESK_CONTRACT), trust_gate(DESK_CONTRACT)))

    @asynccontextmanager
    async def live(_: Starlette) -> AsyncGenerator[None]:
        async with sessions.run():
            yield

    web = Web({f"/mcp/{DESK_CONTRACT}": sessions.asgi_app, PATH: guard_pushes(app)}, [], live)
    gate = Gate(web, app, keeper, Terms(Origins([]), sign_in_required=True))
    with bind(LOOPBACK[0], 0) as bound:
        server = Announcing(configure(gate), lambda: None, lambda: None)
        thread = threading.Thread(target=server.run, args=([bound],), name="desk", daemon=True)
        thread.start()
        try:
            yield tell_address(bound)
        finally:
            server.should_exit = True
            thread.join()
            keeper.close()


def greet(settings: Settings, address: str) -> None:
    """Say what to do next, in the format of the log."""
    log.info("listening on %s", address, extra={"url": address, "mcp": f"{address}/mcp", "version": __version__})
    address = settings.public_url or address
    exposed = settings.host not in LOOPBACK and not settings.sign_in_required
    if exposed:
        log.warning("dangerously open: everyone who can reach %s acts as this machine's user", address)
    if logs.wants_text(settings):
        people = SIGN_IN if settings.sign_in_required else OPEN if exposed else ""
        sys.stderr.write(GREETING.format(version=__version__, address=address, data=settings.data_dir, people=people))
        sys.stderr.flush()


def run_stdio(settings: Settings, contract_name: str, handover: Handover | None = None) -> None:
    """Serve one client on standard streams; after a relay, from where it had come to."""
    from taskpilot.surfaces.mcp import greeting

    logs.configure(settings)
    chosen = contracts.load(contract_name)
    with open_app(settings) as app:
        caller_of = recognise(settings, app, contract_name)
        if handover is None or not handover.first:
            handover = greeting.greet(chosen)
        # Only now: loading the SDK takes longer than all the rest, and the client has its answer meanwhile.
        from taskpilot.surfaces.mcp.server import serve
        from taskpilot.surfaces.mcp.stdio import serve_standard_streams

        tune_collector()
        muted = frozenset(() if handover.muted is None else (handover.muted,))
        server = serve(app, chosen, caller_of)
        with watch_over(settings, app):
            asyncio.run(serve_standard_streams(server, first=handover.first, muted=muted))


def recognise(settings: Settings, app: App, door: str) -> CallerOf | None:
    """Whoever the token in the settings stands for; None without one. A bad one is told now, not on the first call."""
    token = settings.token.reveal()
    if not token:
        return None
    from taskpilot.access.doorkeeper import Doorkeeper

    keeper = Doorkeeper(app)
    asyncio.run(keeper.admit(token, door))
    return trust_shown(keeper, token, door)


def build(settings: Settings, app: App, contracts: Iterable[Contract]) -> ASGIApp:
    """The web application behind its gate: every contract at `/mcp/NAME`, the native one at `/mcp`, REST at `/api`."""
    from taskpilot.access.doorkeeper import Doorkeeper
    from taskpilot.surfaces.mcp.callers import trust_gate
    from taskpilot.surfaces.mcp.http import Sessions
    from taskpilot.surfaces.mcp.listener import listen
    from taskpilot.surfaces.mcp.server import serve
    from taskpilot.surfaces.rest.application import build_rest
    from taskpilot.surfaces.web.application import Web
    from taskpilot.surfaces.web.gate import Gate

    offered = {each.name: each for each in contracts}
    keeper = Doorkeeper(app)
    sessions = {name: Sessions(serve(app, each, trust_gate(name))) for name, each in offered.items()}
    local = {name: serve(app, each) for name, each in offered.items()}

    async def admit(hello: address.Hello):
        token = hello.pop("token", "")
        contract = offered.get(hello.get("contract", ""))
        if contract is None or hello != address.introduce(__version__, contract.name, settings.database_url):
            return None
        if not token:
            return local[contract.name]
        await keeper.admit(token, contract.name)
        return serve(app, contract, trust_shown(keeper, token, contract.name))

    @asynccontextmanager
    async def live(_: Starlette) -> AsyncGenerator[None]:
        async with AsyncExitStack() as stack:
            stack.callback(keeper.close)
            for each in sessions.values():
                await stack.enter_async_context(each.run())
            await stack.enter_async_context(listen(settings.data_dir, admit))
            yield

    paths = {f"/mcp/{name}": each.asgi_app for name, each in sessions.items()}
    if DEFAULT_CONTRACT in sessions:
        paths["/mcp"] = sessions[DEFAULT_CONTRACT].asgi_app
    web = Web(paths, lay_routes(app, offered, keeper, paths), live, build_rest(app, keeper, settings))
    return Gate(web, app, keeper, set_terms(settings))


def trust_shown(keeper: Doorkeeper, token: str, door: str) -> CallerOf:
    """Who a token on a stream of this machine stands for, asked again with every call."""
    from taskpilot.surfaces.mcp.callers import trust_token

    return trust_token(lambda: keeper.admit(token, door))


def set_terms(settings: Settings) -> Terms:
    """The gate's terms. Without sign-in there is one user, on this machine, and nobody to protect from another."""
    from taskpilot.surfaces.web.gate import Terms
    from taskpilot.surfaces.web.origins import Origins

    origins = Origins(
        [settings.host, *split(settings.allowed_hosts)], split(settings.cors_origins), settings.public_url
    )
    if not settings.sign_in_required:
        return Terms(origins, body_most=settings.body_limit)
    return Terms(
        origins,
        sign_in_required=True,
        body_most=settings.body_limit,
        user_limit=settings.rate_limit,
        address_limit=settings.address_rate_limit,
        try_limit=settings.sign_in_limit,
        secure=settings.public_url.startswith("https://"),
    )


def split(listed: str) -> list[str]:
    return [each for each in listed.split(", ") if each]


def lay_routes(app: App, offered: Mapping[str, Contract], keeper: Doorkeeper, paths: Iterable[str]) -> list[Route]:
    """Everything but `/mcp` and `/api`: pages, monitors, and MCP at `/` itself."""
    from starlette.routing import Route

    from taskpilot.surfaces.oauth.routes import lay_oauth
    from taskpilot.surfaces.web.bare import open_root
    from taskpilot.surfaces.web.board import lay_board, show_page
    from taskpilot.surfaces.web.conversation import Conversation
    from taskpilot.surfaces.web.health import report_life, report_readiness

    routes = [
        *lay_board(),
        Route("/livez", report_life),
        Route("/readyz", report_readiness(app)),
        *lay_oauth(app, keeper, paths),
    ]
    bare = offered.get(BARE_CONTRACT)
    if bare is None:
        return [Route("/", show_page), *routes]
    return [Route("/", open_root(Conversation(app, bare), show_page), methods=["GET", "HEAD", "POST"]), *routes]


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
