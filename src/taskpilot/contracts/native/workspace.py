"""The workspace tool: how a folder stands, its rules and sessions, audits, and focus on one of its tasks."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from taskpilot import folder
from taskpilot.app import Errand
from taskpilot.contracts.native import answers, shapes
from taskpilot.contracts.native.arguments import TaskId
from taskpilot.domain.audit import Finding
from taskpilot.domain.errors import Invalid, NotFound
from taskpilot.domain.moments import wire
from taskpilot.domain.workspace import Workspace
from taskpilot.ops import audit, focus, queue, rules, sessions, workbench, workspaces
from taskpilot.toolkit import QUIET, Args, Reply, errand

MOST_FINDINGS = 50


class InFolder(Args):
    path: str = ""
    action: Literal["status", "init", "start", "audit", "focus", "rule"] = "status"
    name: str = Field("", json_schema_extra=QUIET)
    requirements: str = Field("", json_schema_extra=QUIET)
    tech_stack: str = Field("", json_schema_extra=QUIET)
    scope: Literal["full", "tasks", "dependencies", "files"] = Field("full", json_schema_extra=QUIET)
    fix: bool = Field(False, json_schema_extra=QUIET)
    task_id: TaskId | None = Field(None, json_schema_extra=QUIET)
    kind: str = Field("custom", json_schema_extra=QUIET)
    text: str = Field("", json_schema_extra=QUIET)
    how: Literal["add", "update", "remove"] = Field("add", json_schema_extra=QUIET)


class FindingRow(TypedDict, total=False):
    kind: str
    task: int
    message: str
    others: list[int]
    fixed: str


class Answer(TypedDict, total=False):
    workspace: int
    open: int
    completed: int
    by_status: dict[str, int]
    session: int
    since: str
    rules: list[str]
    tasks: list[shapes.Brief]
    task: shapes.Whole
    next: int
    score: int
    findings: list[FindingRow]
    fixed: list[FindingRow]
    blockers: list[shapes.Brief]
    subtasks: list[shapes.Brief]
    missing: list[str]
    happened: list[str]


@errand(title="Look after a workspace", output=Answer)
def workspace(errand: Errand, args: InFolder) -> Reply:
    """A folder's status and rules; init (name, requirements, tech_stack), start session, audit (scope, fix), focus
    (task_id), rule (kind, text, how: add, update, remove)."""
    match args.action:
        case "init":
            made = errand.run(
                workbench.set_up,
                args.path or _find(errand, args).path,
                name=args.name,
                requirements=args.requirements,
                tech_stack=args.tech_stack,
            )
            return _tell_status(errand, made.workspace.id, f"Workspace {made.workspace.id} is set up.")
        case "audit":
            return _audit(errand, args)
        case "focus":
            return _focus(errand, args)
        case "start":
            started = errand.run(sessions.start, _find(errand, args).id)
            return _tell_status(errand, started.session.workspace, f"Session {started.session.id} is open.")
        case "status":
            return _tell_status(errand, _find(errand, args).id, "")
        case "rule":
            change = {"add": rules.add, "update": rules.update, "remove": rules.remove}[args.how]
            rule = errand.run(change, _find(errand, args).id, args.kind, args.text)
            return _tell_status(errand, rule.workspace, f"Rules of {rule.kind.value} changed.")


def _find(errand: Errand, args: InFolder) -> Workspace:
    """The folder that is named, else where something happened last."""
    found = errand.run(workspaces.find, args.path) if args.path else errand.run(workspaces.find_current)
    if found is None:
        raise NotFound("There is no workspace yet.", hint="Give path, the whole path of a folder, and action init.")
    return found


def _tell_status(errand: Errand, workspace_id: int, done: str) -> Reply:
    found = errand.run(workspaces.outline, workspace_id)
    following = errand.run(queue.next_task, workspace=workspace_id)
    data: Answer = {
        "workspace": workspace_id,
        "open": found.left,
        "completed": found.completed,
        "by_status": {status.value: number for status, number in found.by_status.items()},
        "rules": [f"{rule.kind.value}: {rule.content}" for rule in errand.run(rules.list_all, workspace_id)],
        "tasks": [answers.brief(task) for task in found.open],
        "happened": [answers.told(event) for event in errand.run(workspaces.list_events, workspace_id, limit=5)],
    }
    if found.session is not None:
        data["session"], data["since"] = found.session.id, wire(found.session.started_at) or ""
    if following.task is not None:
        data["next"] = following.task.id
    told = [done, f"{found.workspace.name}: {found.left} open, {found.completed} done", *data["rules"]]
    return Reply("\n".join([line for line in told if line] + [answers.line(task) for task in found.open]), data)


def _audit(errand: Errand, args: InFolder) -> Reply:
    place = _find(errand, args)
    missing = folder.look_for(errand, place.path, errand.run(workspaces.list_files, place.id)) or frozenset[str]()
    fixed: list[FindingRow] = []
    if args.fix:
        repaired = errand.run(audit.repair, place.id, scope=args.scope, missing=missing)
        report = repaired.report
        fixed = [{**_finding(finding), "fixed": done} for finding, done in repaired.fixed]
    else:
        report = errand.run(audit.inspect, place.id, scope=args.scope, missing=missing)
    shown = [_finding(finding) for finding in report.findings[:MOST_FINDINGS]]
    data: Answer = {"workspace": place.id, "score": report.score, "findings": shown, "fixed": fixed}
    told = [f"Score {report.score}: {len(report.findings)} findings, {len(fixed)} fixed"]
    told += [f"{row.get('task')} {row.get('message')}" for row in shown]
    return Reply("\n".join(told), data)


def _focus(errand: Errand, args: InFolder) -> Reply:
    if args.task_id is None:
        raise Invalid("Focus on which task?", hint="Give task_id.")
    place = _find(errand, args)
    task = errand.run(workbench.get_task, place.id, args.task_id)
    found = errand.run(focus.gather, task.id)
    row = answers.whole(task)
    data: Answer = {
        "task": row,
        "rules": [f"{rule.kind.value}: {rule.content}" for rule in found.rules],
        "blockers": [answers.brief(each) for each in found.blockers],
        "subtasks": [answers.brief(each) for each in found.subtasks],
        "missing": sorted(folder.look_for(errand, place.path, task.connected_files) or ()),
        "happened": [answers.told(event) for event in found.events],
    }
    parts: list[Any] = [answers.details(row), *data["rules"], *data["happened"]]
    return Reply("\n".join(parts), data)


def _finding(finding: Finding) -> FindingRow:
    row: FindingRow = {"kind": finding.kind.value, "task": finding.task, "message": finding.message}
    if finding.others:
        row["others"] = list(finding.others)
    return row
