"""The two commands that stay: the server, and MCP on standard streams. Both are started by whoever runs us."""

from __future__ import annotations

from typing import Annotated

import typer

from taskpilot.settings import CHOICES
from taskpilot.surfaces.cli.session import Session

DEFAULT_CONTRACT = "native"


def serve(
    session: Session,
    host: Annotated[str | None, typer.Option("--host", help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option("--port", help="Port to listen on; 0 takes a free one.")] = None,
    auth: Annotated[str | None, typer.Option("--auth", help=" or ".join(CHOICES["auth"]) + ".")] = None,
    public_url: Annotated[
        str | None, typer.Option("--public-url", metavar="URL", help="Address people use from outside.")
    ] = None,
    dangerously_open: Annotated[
        bool | None,
        typer.Option("--dangerously-open", help="No sign-in, whatever the address: anyone who can reach it is you."),
    ] = None,
    log_level: Annotated[str | None, typer.Option("--log-level", help=", ".join(CHOICES["log_level"]) + ".")] = None,
    log_format: Annotated[str | None, typer.Option("--log-format", help=", ".join(CHOICES["log_format"]) + ".")] = None,
) -> None:
    """Run the server: the board, REST, and MCP over HTTP for assistants.

    On any address but this machine's own, everybody has to sign in.
    """
    session.take(
        json=False,
        host=host,
        port=port,
        auth=auth,
        public_url=public_url,
        dangerously_open=dangerously_open,
        log_level=log_level,
        log_format=log_format,
    )
    session.serve(session.settings)


def speak_mcp(
    session: Session,
    contract: Annotated[str, typer.Option("--contract", help="Which set of tools to offer.")] = DEFAULT_CONTRACT,
) -> None:
    """Speak MCP on standard input and output. Assistants start this; see: taskpilot connect"""
    session.mcp(session.settings, contract)
