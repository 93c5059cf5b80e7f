"""How agents are to work in a workspace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any

import typer

from taskpilot.domain.policy import CAPS, Policy
from taskpilot.ops import policies
from taskpilot.surfaces.cli.errors import Misused
from taskpilot.surfaces.cli.fields import read_workspace
from taskpilot.surfaces.cli.output import print_json, say
from taskpilot.surfaces.cli.session import Session
from taskpilot.surfaces.cli.workspaces import choose

WORDS = ("allow", "deny", "copies", "environment")
"""Lists whose items have no comma in them."""
COMMANDS = ("setup", "cleanup")
SWITCH = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


def change_policy(
    session: Session,
    workspace: Annotated[
        str | None, typer.Argument(metavar="[WORKSPACE]", help="A folder, or its number; otherwise this one.")
    ] = None,
    changes: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME=VALUE...]", help="What is to be otherwise.")
    ] = None,
) -> None:
    """Show or change what agents may do in a workspace unasked, how much they may use, and what they find there.

    taskpilot run policy . allow=read,search,edit,execute seconds=1800 copies=.env setup="make setup"

    A name without a value empties it; setup and cleanup can be given several times.
    """
    given = list(changes or ())
    if workspace is not None and "=" in workspace:
        given, workspace = [workspace, *given], None
    number = _find(session, workspace)
    found = session.run(policies.change, number, _read(given)) if given else session.run(policies.get, number)
    if session.json:
        return print_json(
            {"workspace": number} | {name: value for name, value in asdict(found).items() if name != "id"}
        )
    return say(*_write(found))


def _find(session: Session, word: str | None) -> int:
    place = None if word is None else read_workspace(word)
    return place if isinstance(place, int) else choose(session, place).id


def _read(given: Sequence[str]) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    for word in given:
        name, joined, value = word.partition("=")
        if not joined:
            raise Misused(f"{word!r} changes nothing.", hint="Write it as NAME=VALUE, such as network=no.")
        name = name.strip().lower().removeprefix("caps.")
        if name in CAPS:
            changes.setdefault("caps", {})[name] = _number(name, value)
        elif name in WORDS:
            changes.setdefault(name, []).extend(part.strip() for part in value.split(",") if part.strip())
        elif name in COMMANDS:
            changes.setdefault(name, []).extend([value] if value.strip() else [])
        elif name == "network":
            changes[name] = SWITCH.get(value.strip().lower(), value)
        else:
            changes[name] = _number(name, value) if name == "most_runs" else value.strip()
    return changes


def _number(name: str, value: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise Misused(f"{name} cannot be {value!r}.", hint="Give a whole number; 0 is no limit.") from None


def _write(policy: Policy) -> list[str]:
    lines = {
        "allow": ", ".join(policy.allow),
        "deny": ", ".join(policy.deny),
        **{name: str(getattr(policy.caps, name) or "no limit") for name in CAPS},
        "base": policy.base or "what is checked out",
        "copies": ", ".join(policy.copies),
        "setup": "; ".join(policy.setup),
        "cleanup": "; ".join(policy.cleanup),
        "environment": ", ".join(policy.environment),
        "sandbox": policy.sandbox,
        "network": "yes" if policy.network else "no",
        "most_runs": str(policy.most_runs or "no limit"),
    }
    return [f"{name:<13} {value or '–'}" for name, value in lines.items()]
