"""Accounts: who can sign in to a server on this store."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from taskpilot.domain.invitation import DAYS_USUAL
from taskpilot.domain.moments import wire
from taskpilot.domain.user import User, check_password, parse_email
from taskpilot.ops import closing, invitations, users
from taskpilot.surfaces.cli.command import command
from taskpilot.surfaces.cli.errors import Misused
from taskpilot.surfaces.cli.output import print_json, say
from taskpilot.surfaces.cli.session import Session

PAGE = 1000

Who = Annotated[str, typer.Argument(metavar="WHO", help="Email or handle.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
PasswordStdin = Annotated[bool, typer.Option("--password-stdin", help="Read the password from standard input.")]

commands = typer.Typer(add_completion=False)


def show_all(session: Session, ctx: typer.Context) -> None:
    """Accounts: list, add, invite, disable, enable and delete them, reset a password, make an administrator."""
    if ctx.invoked_subcommand is None:
        list_users(session)


def add(
    session: Session,
    email: Annotated[str, typer.Argument(metavar="EMAIL", help="What they sign in with.")],
    name: Annotated[str, typer.Option("--name", help="What they are called.")] = "",
    admin: Annotated[
        bool, typer.Option("--admin", help="They may run the server: accounts, invitations, audit.")
    ] = False,
    local: Annotated[
        bool, typer.Option("--local", help="Sign in as this machine's own user: its tasks are then within reach.")
    ] = False,
    password_stdin: PasswordStdin = False,
) -> None:
    """Make an account. Asks for its password."""
    parse_email(email)
    hashed = _hash_asked(password_stdin)
    user = session.run(users.add, email, hashed, name=name, admin=admin, local=local)
    told = "is this machine's own user, and can sign in." if local else "can sign in."
    _tell(session, user, f"{user.email} {told}")


def list_users(session: Session) -> None:
    """List accounts."""
    found: list[User] = []
    total = 1
    while len(found) < total:
        page, total = session.run(users.list_all, limit=PAGE, offset=len(found))
        found += page
        if not page:
            break
    if session.json:
        return print_json([user_json(user) for user in found])
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("number", "handle", "email", "name", ""):
        table.add_column(title, no_wrap=True)
    for user in found:
        marks = [word for word, on in (("admin", user.admin), ("disabled", not user.active)) if on]
        table.add_row(str(user.id), user.handle, user.email or "–", Text(user.name), ", ".join(marks))
    return say(table)


def disable(session: Session, who: Who, yes: Yes = False) -> None:
    """Close an account: its logins end and its tokens are refused, at once. Its tasks stay."""
    user = session.run(users.find, who)
    session.confirm(f"Disable {_name(user)}? They can no longer sign in; their tasks stay.", yes=yes)
    _tell(session, session.run(users.disable, who), f"{_name(user)} is disabled. To undo: taskpilot user enable {who}")


def enable(session: Session, who: Who) -> None:
    """Open an account again."""
    user = session.run(users.enable, who)
    _tell(session, user, f"{_name(user)} can sign in again.")


def delete(session: Session, who: Who, yes: Yes = False) -> None:
    """Delete an account and everything in it, for good. `disable` keeps the tasks."""
    user = session.run(users.find, who)
    session.confirm(f"Delete {_name(user)} and all their tasks? Nothing brings them back.", yes=yes)
    session.run(closing.remove, who)
    _tell(session, user, f"{_name(user)} and all that was theirs is gone.")


def reset_password(session: Session, who: Who, password_stdin: PasswordStdin = False, yes: Yes = False) -> None:
    """Set a new password for somebody. All their logins end."""
    user = session.run(users.find, who)
    session.confirm(f"Give {_name(user)} a new password? They are signed out everywhere.", yes=yes or password_stdin)
    ended = session.run(users.reset_password, who, _hash_asked(password_stdin))
    if session.json:
        return print_json(user_json(user) | {"ended": ended})
    return say(f"{_name(user)} has a new password. Logins ended: {ended}.")


def promote(session: Session, who: Who) -> None:
    """Make somebody an administrator, from their next sign-in on."""
    user = session.run(users.set_admin, who, True)
    _tell(session, user, f"{_name(user)} is an administrator.")


def demote(session: Session, who: Who) -> None:
    """Make an administrator an ordinary user, at once."""
    user = session.run(users.set_admin, who, False)
    _tell(session, user, f"{_name(user)} is no administrator.")


def invite(
    session: Session,
    email: Annotated[str, typer.Argument(metavar="[EMAIL]", help="Only for this address.")] = "",
    days: Annotated[int, typer.Option("--days", help="How long it holds.")] = DAYS_USUAL,
) -> None:
    """Make an invitation: signing up with its code works where sign_up is invitation."""
    from taskpilot.access.secrets import hash_secret, make_secret

    code = make_secret()
    made = session.run(invitations.create, hash_secret(code), email=email, days=days)
    if session.json:
        shown = {"id": made.id, "email": made.email, "expires_at": wire(made.expires_at), "code": code}
        return print_json(shown)
    return say(code, f"Invitation {made.id}{f' for {made.email}' if made.email else ''}. It is shown this once.")


def list_invitations(session: Session) -> None:
    """List invitations that nobody has used yet."""
    found, _ = session.run(invitations.list_all, limit=PAGE)
    if session.json:
        return print_json([{"id": each.id, "email": each.email, "expires_at": wire(each.expires_at)} for each in found])
    lines = [f"{each.id}  {each.email or 'anyone'}  until {wire(each.expires_at)}" for each in found]
    return say(*lines or ["No invitations. To make one: taskpilot user invite"])


def uninvite(session: Session, number: Annotated[int, typer.Argument(metavar="NUMBER")], yes: Yes = False) -> None:
    """Take an invitation back."""
    found = session.run(invitations.get, number)
    session.confirm(f"Take invitation {number} for {found.email or 'anyone'} back?", yes=yes)
    session.run(invitations.revoke, number)
    return print_json({"id": number, "revoked": True}) if session.json else say(f"Invitation {number} is taken back.")


commands.callback(invoke_without_command=True)(command(show_all))
commands.command("add")(command(add))
commands.command("list")(command(list_users))
commands.command("disable")(command(disable))
commands.command("enable")(command(enable))
commands.command("delete")(command(delete))
commands.command("reset-password")(command(reset_password))
commands.command("promote")(command(promote))
commands.command("demote")(command(demote))
commands.command("invite")(command(invite))
commands.command("invitations")(command(list_invitations))
commands.command("uninvite")(command(uninvite))


def user_json(user: User) -> dict[str, Any]:
    return {
        "id": user.uuid,
        "number": user.id,
        "email": user.email,
        "name": user.name,
        "handle": user.handle,
        "admin": user.admin,
        "created_at": wire(user.created_at),
        "disabled_at": wire(user.disabled_at),
    }


def _tell(session: Session, user: User, text: str) -> None:
    print_json(user_json(user)) if session.json else say(text)


def _name(user: User) -> str:
    return user.email or user.handle


def _hash_asked(from_stdin: bool) -> str:
    from taskpilot.access.passwords import hash_password

    return hash_password(check_password(_ask(from_stdin)))


def _ask(from_stdin: bool) -> str:
    """Twice and unseen from a person; one line from a program. Never as an argument, where others could read it."""
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        raise Misused("There is nobody here to type a password.", hint="Pipe it in, with --password-stdin.")
    return typer.prompt("Password", hide_input=True, confirmation_prompt="Once more", err=True)
