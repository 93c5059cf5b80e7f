"""Rules: how work is done in a workspace."""

from __future__ import annotations

from typing import Annotated

import typer

from taskpilot.domain.rule import RuleKind
from taskpilot.ops import rules
from taskpilot.surfaces.cli.errors import Misused
from taskpilot.surfaces.cli.output import print_json, say
from taskpilot.surfaces.cli.session import Session
from taskpilot.surfaces.cli.workspaces import Place, choose

WIDTH = 12


def list_rules(session: Session, path: Place = None) -> None:
    """List a workspace's rules."""
    found = session.run(rules.list_all, choose(session, path).id)
    if session.json:
        print_json([{"id": rule.id, "kind": rule.kind.value, "content": rule.content} for rule in found])
    elif not found:
        say("No rules yet. Make one: taskpilot rule git One change, one commit")
    else:
        say(*(f"{rule.kind.value:<{WIDTH}}{_indent(rule.content)}" for rule in found))


def change_rule(
    session: Session,
    kind: Annotated[RuleKind, typer.Argument(metavar="KIND", help=", ".join(RuleKind) + ".")],
    words: Annotated[list[str], typer.Argument(metavar="WORDS...", help="The rule.")],
    workspace: Annotated[str | None, typer.Option("--workspace", "-w", metavar="PATH", help="Its folder.")] = None,
    update: Annotated[bool, typer.Option("--update", help="In place of all rules of this kind.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Take this one away.")] = False,
) -> None:
    """Add a rule to a workspace, or change or remove one."""
    if update and remove:
        raise Misused("Say one thing to do with the rule.", hint="Use either --update or --remove.")
    change = rules.update if update else rules.remove if remove else rules.add
    rule = session.run(change, choose(session, workspace).id, kind, " ".join(words))
    if session.json:
        print_json({"id": rule.id, "kind": rule.kind.value, "content": rule.content, "removed": remove})
    else:
        say(f"{'Removed' if remove else 'In force'}: {rule.content}")


def _indent(content: str) -> str:
    return content.replace("\n", "\n" + " " * WIDTH)
