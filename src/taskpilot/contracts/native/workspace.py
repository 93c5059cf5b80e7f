"""The workspace tool: how a folder stands, its rules and sessions, audits, and focus on one of its tasks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, cast

from pydantic import Field
from typing_extensions import TypedDict

from taskpilot import folder
from taskpilot.app import Errand
from taskpilot.contracts.native import answers, groups, shapes, sheet
from taskpilot.contracts.native.arguments import BOUNDED, Group, TaskId
from taskpilot.domain import text
from taskpilot.domain.audit import Finding
from taskpilot.domain.errors import Invalid, NotFound
from taskpilot.domain.events import plain
from taskpilot.domain.moments import wire
from taskpilot.domain.workspace import Workspace
from taskpilot.ops import audit, focus, policies, queue, rules, sessions, workbench, workspaces
from taskpilot.toolkit import QUIET, Args, Reply, budget, errand
from taskpilot.toolkit.budget import Tokens

NAME_SHOWN = 60


class InFolder(Args):
    path: str = ""
    action: Literal["status", "init", "start", "audit", "focus", "rule", "policy", "save"] = "status"
    name: str = Field("", json_schema_extra=QUIET)
    requirements: str = Field("", json_schema_extra=QUIET)
    tech_stack: str = Field("", json_schema_extra=QUIET)
    scope: Literal["full", "tasks", "dependencies", "files"] = Field("full", json_schema_extra=QUIET)
    fix: bool = Field(False, json_schema_extra=QUIET)
    task_id: TaskId | None = Field(None, json_schema_extra=QUIET)
    kind: str = Field("custom", json_schema_extra=QUIET)
    text: str = Field("", json_schema_extra=QUIET)
    how: Literal["add", "update", "remove"] = Field("add", json_schema_extra=QUIET)
    policy: dict[str, Any] | None = Field(None, json_schema_extra=QUIET)
    rename: str | None = Field(None, json_schema_extra=QUIET)
    colour: str | None = Field(None, json_schema_extra=QUIET)
    description: str | None = Field(None, json_schema_extra=QUIET)
    delete: bool = Field(False, json_schema_extra=QUIET)
    wip: int | None = Field(None, json_schema_extra=QUIET)
    max_tokens: Tokens | None = Field(None, json_schema_extra=QUIET)


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
    policy: dict[str, Any]
    id: int
    name: str
    changed: int
    note: str


@errand(title="Look after a workspace", output=Answer)
def workspace(errand: Errand, args: InFolder) -> Reply:
    """A folder's status and rules; init (name, requirements, tech_stack), start session, audit (scope, fix), focus
    (task_id), rule (kind, text, how: add, update, remove), policy (of agents). save (kind: project, tag,
    workspace, agent; name, rename, colour, description, delete, wip: most at once)."""
    match args.action:
        case "init":
            made = errand.run(
                workbench.set_up,
                args.path or _find(errand, args).path,
                name=args.name,
                requirements=args.requirements,
                tech_stack=args.tech_stack,
            )
            return _tell_status(errand, args, made.workspace.id, f"Workspace {made.workspace.id} is set up.")
        case "audit":
            return _audit(errand, args)
        case "focus":
            return _focus(errand, args)
        case "start":
            started = errand.run(sessions.start, _find(errand, args).id)
            return _tell_status(errand, args, started.session.workspace, f"Session {started.session.id} is open.")
        case "status":
            return _tell_status(errand, args, _find(errand, args).id, "")
        case "rule":
            change = {"add": rules.add, "update": rules.update, "remove": rules.remove}[args.how]
            rule = errand.run(change, _find(errand, args).id, args.kind, args.text)
            return _tell_status(errand, args, rule.workspace, f"Rules of {rule.kind.value} changed.")
        case "policy":
            return _tell_policy(errand, args)
        case "save":
            given = args.model_dump(include=set(Group.model_fields) & args.model_fields_set)
            return errand.run(groups.save, groups.save.parse(given))


def _find(errand: Errand, args: InFolder) -> Workspace:
    """The folder that is named, else where something happened last."""
    found = errand.run(workspaces.find, args.path) if args.path else errand.run(workspaces.find_current)
    if found is None:
        raise NotFound("There is no workspace yet.", hint="Give path, the whole path of a folder, and action init.")
    return found


def _tell_status(errand: Errand, args: InFolder, workspace_id: int, done: str) -> Reply:
    """Counts and what comes next, then the rules, which only this tool tells, then the tasks."""
    found = errand.run(workspaces.outline, workspace_id)
    following = errand.run(queue.next_task, workspace=workspace_id)
    name = text.shorten(found.workspace.name, NAME_SHOWN)
    data: Answer = {"workspace": workspace_id, "open": found.left, "completed": found.completed}
    if following.task is not None:
        data["next"] = following.task.id
    if found.session is not None:
        data["session"], data["since"] = found.session.id, wire(found.session.started_at) or ""
    data["by_status"] = {status.value: number for status, number in found.by_status.items()}
    data["rules"] = [f"{rule.kind.value}: {rule.content}" for rule in errand.run(rules.list_all, workspace_id)]
    data["tasks"] = [answers.brief(task) for task in found.open]
    data["happened"] = [answers.told(event) for event in errand.run(workspaces.list_events, workspace_id, limit=5)]

    def build(kept: Mapping[str, Any], note: str) -> Reply:
        told = [done, f"{name}: {found.left} open, {found.completed} done", *kept.get("rules", ())]
        return _write(kept, [*told, *map(answers.line, found.open[: len(kept.get("tasks", ()))])], note)

    return budget.fit(data, build, args.max_tokens or BOUNDED, "task_list(workspace), or ")


def _tell_policy(errand: Errand, args: InFolder) -> Reply:
    """How agents are to work there; changed, where something was given."""
    place = _find(errand, args)
    now = errand.run(policies.change, place.id, args.policy) if args.policy else errand.run(policies.get, place.id)
    told = {name: value for name, value in plain(now).items() if name != "id"}
    lines = (f"{name}: {value}" for name, value in told.items())
    return Reply("\n".join((f"Agents in {place.path}:", *lines)), {"workspace": place.id, "policy": told})


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
    data: Answer = {
        "workspace": place.id,
        "score": report.score,
        "findings": [_finding(finding) for finding in report.findings],
        "fixed": fixed,
    }

    def build(kept: Mapping[str, Any], note: str) -> Reply:
        told = [f"Score {report.score}: {len(report.findings)} findings, {len(fixed)} fixed"]
        return _write(kept, told + [f"{row['task']} {row['message']}" for row in kept.get("findings", ())], note)

    return budget.fit(data, build, args.max_tokens or BOUNDED, "scope, or ")


def _focus(errand: Errand, args: InFolder) -> Reply:
    if args.task_id is None:
        raise Invalid("Focus on which task?", hint="Give task_id.")
    place = _find(errand, args)
    task = errand.run(workbench.get_task, place.id, args.task_id)
    found = errand.run(focus.gather, task.id)
    data: Answer = {
        "rules": [f"{rule.kind.value}: {rule.content}" for rule in found.rules],
        "blockers": [answers.brief(each) for each in found.blockers],
        "subtasks": [answers.brief(each) for each in found.subtasks],
        "missing": sorted(folder.look_for(errand, place.path, task.connected_files) or ()),
        "happened": [answers.told(event) for event in found.events],
    }

    def build(kept: Mapping[str, Any], note: str) -> Reply:
        row = {name: value for name, value in kept.items() if name in sheet.COLUMNS}
        rest = {name: value for name, value in kept.items() if name not in row}
        told = [answers.details(row), *rest.get("rules", ()), *rest.get("happened", ())]
        return _write({"task": row, **rest}, told, note)

    return budget.fit(sheet.lay_out(answers.whole(task), None) | data, build, args.max_tokens, "task_get, or ")


def _write(kept: Mapping[str, Any], told: list[str], note: str) -> Reply:
    data: Answer = cast(Any, {**kept, "note": note} if note else {**kept})
    return Reply("\n".join(line for line in [*told, note] if line), data)


def _finding(finding: Finding) -> FindingRow:
    row: FindingRow = {"kind": finding.kind.value, "task": finding.task, "message": finding.message}
    if finding.others:
        row["others"] = list(finding.others)
    return row
