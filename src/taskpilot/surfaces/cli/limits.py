"""How much may be under way at once."""

from __future__ import annotations

from typing import Annotated

import typer

from taskpilot.domain import text
from taskpilot.domain.errors import Invalid
from taskpilot.domain.wip import EACH, LimitKind, WipLimit
from taskpilot.ops import claims
from taskpilot.surfaces.cli.errors import Misused
from taskpilot.surfaces.cli.output import print_json, say
from taskpilot.surfaces.cli.session import Session

DIGITS_MOST = 15


def set_limit(
    session: Session,
    kind: Annotated[LimitKind, typer.Argument(metavar="project|workspace|agent")],
    words: Annotated[
        list[str], typer.Argument(metavar="[NAME] N", help="Which one, and at most how many; 0 lifts the limit.")
    ],
) -> None:
    """Limit how many tasks are in progress in a project or a workspace, or held by an agent.

    A limit for agents without a name is each one's.
    """
    *named, number = words
    name = text.clean_line(" ".join(named))
    if not name and kind is not LimitKind.AGENT:
        raise Misused(f"Which {kind.value} is missing.", hint=f"Write: taskpilot limit {kind.value} NAME N")
    if kind is LimitKind.WORKSPACE and not _is_number(name):
        raise Invalid(f"{name!r} is not a workspace's number.", hint="taskpilot workspaces lists them.")
    if not _is_number(number):
        raise Invalid(
            f"A limit cannot be {text.shorten(number, 40)!r}.", hint="End with a whole number, or 0 for none."
        )
    _tell(session, session.run(claims.limit, kind, name, int(number)))


def list_limits(session: Session) -> None:
    """Show the limits of work in progress."""
    found = session.run(claims.list_limits)
    if session.json:
        print_json([_limit_json(each) for each in found])
    elif not found:
        say("There are no limits. Set one: taskpilot limit agent 3")
    else:
        say(*(f"{_describe(each)}: {each.most}" for each in found))


def _tell(session: Session, limit: WipLimit) -> None:
    if session.json:
        print_json(_limit_json(limit))
    else:
        say(f"{_describe(limit)}: " + (f"at most {limit.most} at once." if limit.most else "no limit."))


def _describe(limit: WipLimit) -> str:
    return "Each agent" if limit.name == EACH else f"{limit.kind.value.capitalize()} {limit.name}"


def _limit_json(limit: WipLimit) -> dict[str, str | int]:
    return {"kind": limit.kind.value, "name": limit.name, "most": limit.most}


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= DIGITS_MOST
