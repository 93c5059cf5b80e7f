"""Personal access tokens: what programs show instead of a password."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Annotated, Any

import typer

from taskpilot.domain.moments import wire
from taskpilot.domain.scopes import GRANTABLE, Scope, parse_scopes
from taskpilot.domain.token import Token, write_token
from taskpilot.ops import tokens, users
from taskpilot.surfaces.cli.command import command
from taskpilot.surfaces.cli.output import print_json, say
from taskpilot.surfaces.cli.session import Session

PAGE = 1000
USUAL = f"{Scope.READ},{Scope.WRITE}"

Of = Annotated[str, typer.Option("--user", metavar="WHO", help="Email or handle; otherwise this machine's own user.")]

commands = typer.Typer(add_completion=False)


def show_all(session: Session, ctx: typer.Context) -> None:
    """Tokens for programs: list, create, revoke."""
    if ctx.invoked_subcommand is None:
        list_tokens(session)


def create(
    session: Session,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it is for.")],
    scopes: Annotated[str, typer.Option("--scopes", help="Any of " + ", ".join(GRANTABLE) + ".")] = USUAL,
    expires: Annotated[int | None, typer.Option("--expires", metavar="DAYS", help="Otherwise it never ends.")] = None,
    user: Of = "",
) -> None:
    """Make a token. It is shown this once."""
    from taskpilot.access.secrets import hash_secret, make_secret

    act_for(session, user)
    secret = make_secret()
    granted = parse_scopes(each.strip() for each in scopes.split(",") if each.strip())
    until = None if expires is None else session.app.now() + timedelta(days=max(-1, min(expires, 100_000)))
    token = session.run(tokens.create, name, hash_secret(secret), granted, expires_at=until)
    written = write_token(token.id, secret)
    if session.json:
        return print_json(_token_json(token) | {"token": written})
    ends = f"until {wire(token.expires_at)}" if token.expires_at else "without end"
    return say(written, f"Token {token.id} for {token.name}: {_scopes(token)}, {ends}. It is shown this once.")


def list_tokens(session: Session, user: Of = "") -> None:
    """List tokens. Their secrets are not kept."""
    act_for(session, user)
    found, _ = session.run(tokens.list_all, limit=PAGE)
    if session.json:
        return print_json([_token_json(token) for token in found])
    if not found:
        return say("No tokens. To make one: taskpilot token create NAME")
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("number", "name", "scopes", "last used", "until"):
        table.add_column(title, no_wrap=True)
    for token in found:
        used, until = wire(token.last_used_at) or "never", wire(token.expires_at) or "–"
        table.add_row(str(token.id), Text(token.name), _scopes(token), used, until)
    return say(table)


def revoke(
    session: Session,
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="As taskpilot token list shows it.")],
    user: Of = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """End a token at once."""
    act_for(session, user)
    token = session.run(tokens.get, number)
    session.confirm(f"Revoke the token {token.name!r}? What uses it stops working.", yes=yes)
    token = session.run(tokens.revoke, number)
    return print_json(_token_json(token)) if session.json else say(f"Token {token.id} ({token.name}) is revoked.")


commands.callback(invoke_without_command=True)(command(show_all))
commands.command("create")(command(create))
commands.command("list")(command(list_tokens))
commands.command("revoke")(command(revoke))


def act_for(session: Session, who: str) -> None:
    """Whoever sits at this machine may do this for everyone on it; history still says who it was."""
    if who:
        session.caller = replace(session.caller, user=session.run(users.find, who).id)


def _scopes(token: Token) -> str:
    return " ".join(scope for scope in Scope if scope in token.scopes)


def _token_json(token: Token) -> dict[str, Any]:
    return {
        "id": token.id,
        "name": token.name,
        "scopes": _scopes(token).split(),
        "created_at": wire(token.created_at),
        "expires_at": wire(token.expires_at),
        "last_used_at": wire(token.last_used_at),
        "revoked_at": wire(token.revoked_at),
    }
