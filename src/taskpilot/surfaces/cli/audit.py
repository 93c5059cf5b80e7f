"""Inspections: is a workspace in order?"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from taskpilot import folder
from taskpilot.domain.audit import Finding, Scope
from taskpilot.ops import audit, workspaces
from taskpilot.surfaces.cli.output import print_json, say
from taskpilot.surfaces.cli.session import Session
from taskpilot.surfaces.cli.workspaces import Place, choose


def inspect_workspace(
    session: Session,
    path: Place = None,
    scope: Annotated[Scope, typer.Option("--scope", help="What to look at: " + ", ".join(Scope) + ".")] = Scope.FULL,
    fix: Annotated[bool, typer.Option("--fix", help="Put right what is safe to put right.")] = False,
) -> None:
    """Look whether a workspace is in order."""
    workspace = choose(session, path)
    missing = folder.find_missing(workspace.path, session.run(workspaces.list_files, workspace.id)) or frozenset()
    fixed: tuple[tuple[Finding, str], ...] = ()
    if fix:
        repaired = session.run(audit.repair, workspace.id, scope=scope, missing=missing)
        report, fixed = repaired.report, repaired.fixed
    else:
        report = session.run(audit.inspect, workspace.id, scope=scope, missing=missing)
    if session.json:
        findings = [_finding_json(finding) for finding in report.findings]
        fixes = [_finding_json(finding) | {"action": done} for finding, done in fixed]
        return print_json({"score": report.score, "findings": findings, "fixes": fixes})
    say(*(f"Fixed #{finding.task} {finding.title}: {done}" for finding, done in fixed))
    say(*(f"#{finding.task} {finding.title}: {finding.message}" for finding in report.findings))
    return say(f"{workspace.name} scores {report.score} of 100.")


def _finding_json(finding: Finding) -> dict[str, Any]:
    return {
        "kind": finding.kind.value,
        "task": finding.task,
        "message": finding.message,
        "others": list(finding.others),
        "paths": list(finding.paths),
        "fixable": finding.fixable,
    }
