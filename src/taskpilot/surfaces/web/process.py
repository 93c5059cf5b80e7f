"""The HTTP server process: its port, its start and its stop."""

from __future__ import annotations

import errno
import signal
import socket
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from taskpilot.domain.errors import Invalid, TaskPilotError, Unavailable

STOP_SECONDS = 3
"""How long open requests may take to finish when the process is asked to stop."""
IDLE_SECONDS = 75
WEBSOCKET_MOST = 4_096
"""The longest message a WebSocket client may send: nobody has much to say there."""

Announce = Callable[[str], None]


def serve_web(
    application: ASGIApp,
    host: str,
    port: int,
    announce: Announce,
    *,
    leave: Callable[[], None] = lambda: None,
    proxies: Sequence[str] = (),
) -> None:
    """Serve until SIGINT or SIGTERM. `announce` is told the address once requests are answered there.

    `leave` is called when no more requests are taken, to end streams that would never end by themselves.
    `proxies` are believed when they say for whom they ask.
    """
    bound, config = bind(host, port), configure(application, proxies)
    with bound, deferred_signals():
        Announcing(config, lambda: announce(tell_address(bound)), leave).run([bound])


def configure(application: ASGIApp, proxies: Sequence[str] = ()) -> uvicorn.Config:
    """Nobody but a proxy that was named is believed for whom it asks, whatever the environment says."""
    return uvicorn.Config(
        application,
        http="httptools",
        ws="websockets-sansio",
        ws_max_size=WEBSOCKET_MOST,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=STOP_SECONDS,
    )


class Announcing(uvicorn.Server):
    """A uvicorn server that says when it is ready, and when it begins to stop."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], leave: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready
        self._leave = leave

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._leave()
        await super().shutdown(sockets)


def bind(host: str, port: int) -> socket.socket:
    """Take the port before anything else starts, so that a port in use is told as what it is."""
    try:
        family, kind, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError:
        raise Invalid(f"There is no address {host!r} to listen on.", hint="Choose another with --host.") from None
    bound = socket.socket(family, kind)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(place)
    except OSError as error:
        bound.close()
        raise explain(error, host, port) from None
    bound.set_inheritable(True)
    return bound


def explain(error: OSError, host: str, port: int) -> TaskPilotError:
    if error.errno == errno.EADDRINUSE:
        return Unavailable(
            f"Port {port} on {host} is in use.",
            hint=f"If that is TaskPilot, it is already running. Otherwise choose another: --port {port + 1}.",
        )
    if error.errno == errno.EACCES:
        return Invalid(f"Port {port} needs more rights than you have.", hint="Choose one above 1023 with --port.")
    return Invalid(f"Cannot listen on {host}, port {port}: {error.strerror}.", hint="Choose another with --host.")


def tell_address(bound: socket.socket) -> str:
    host, port = bound.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@contextmanager
def deferred_signals() -> Generator[None]:
    """Let a signal end the serving, not the process: uvicorn raises it again once it has stopped."""

    def ignore(*_: Any) -> None:
        pass

    before = {number: signal.signal(number, ignore) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
