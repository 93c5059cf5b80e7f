"""The tools: each an operation or two, answered as data; then the `.task` folder is brought up to date."""

from __future__ import annotations

from typing import Any

from taskpilot import folder
from taskpilot.app import Errand
from taskpilot.contracts.taskpilot import answers, arguments, layout, library, links, prose, reports, vocabulary
from taskpilot.contracts.taskpilot.chart import draw
from taskpilot.domain.fields import TaskFields
from taskpilot.domain.workspace import Workspace, parse_path
from taskpilot.ops import audit, focus, queue, rules, sessions, tasks, workbench, workspaces
from taskpilot.store.work import Work
from taskpilot.toolkit import Annotations, Image, Reply, errand, tool

NEXT_STEPS = [
    "Run taskpilot_start to begin a session",
    "Use taskpilot_add to create new tasks",
    "Check taskpilot_status for project overview",
]
MOST_FINDINGS = 200
MOST_LINKS, FEW_LINKS = 20, 5
FOR_USER = Annotations(audience=("user",), priority=0.9)


def _about(category: str) -> dict[str, Any]:
    return {"category": category, "requiresConfirmation": False}


@errand(
    name="taskpilot_init",
    title="🚀 Initialize TaskPilot Workspace",
    output=answers.Init,
    idempotent=True,
    meta=_about("workspace-management"),
)
def init(errand: Errand, args: arguments.Init) -> Reply:
    """Initialize a TaskPilot workspace with .task folder structure and configuration"""
    path = parse_path(args.workspace_path)
    folder.enter(errand, path)
    with folder.preparing(path):
        made = errand.run(
            workbench.set_up,
            path,
            name=args.project_name or "",
            requirements=args.project_requirements or "",
            tech_stack=args.tech_stack or "",
        )
    layout.lay_out(errand, made.workspace, whole=True)
    applied = list(dict.fromkeys(rule.kind.value for rule in made.rules))
    data: answers.Init = {
        "operation": "workspace_init",
        "workspace": answers.workspace_row(made.workspace),
        "tasks_created": answers.task_briefs(made.tasks),
        "rules_applied": applied,
        "rules_initialized": applied,
        "setup_complete": True,
        "next_steps": NEXT_STEPS,
    }
    text = (
        f'TaskPilot workspace "{made.workspace.name}" initialized successfully. '
        f"Created {len(made.tasks)} initial tasks."
    )
    return Reply(text, data, extras=links.to_tasks(made.workspace, made.tasks))


@errand(name="taskpilot_start", title="▶️ Start a Session", output=answers.Start, meta=_about("workspace-management"))
def start(errand: Errand, args: arguments.InWorkspace) -> Reply:
    """Open a working session, closing the earlier one; answers with open tasks, rules and the next step"""
    workspace = _find(errand, args)
    started = errand.run(sessions.start, workspace.id)
    found = errand.run(workspaces.outline, workspace.id)
    following = errand.run(queue.next_task, workspace=workspace.id)
    data: answers.Start = {
        "operation": "session_start",
        "workspace": answers.workspace_row(workspace),
        "session": answers.session_row(started.session),
        "open_tasks": answers.task_briefs(found.open),
        "open_count": found.left,
        "rules": answers.rule_rows(errand.run(rules.list_all, workspace.id)),
        "next_step": answers.next_row(following.task, following.reason),
    }
    if started.closed is not None:
        data["closed_session"] = answers.session_row(started.closed)
    _note(data, layout.lay_out_kindly(errand, workspace, whole=True))
    text = f'Session {started.session.id} started in workspace "{workspace.name}" with {_count(found.left)}.'
    return Reply(text, data, extras=links.to_tasks(workspace, found.open[:MOST_LINKS]))


@errand(name="taskpilot_add", title="➕ Add a Task", output=answers.Changed, meta=_about("task-management"))
def add(errand: Errand, args: arguments.Add) -> Reply:
    """Add a task; its title is the first sentence of the description"""
    return _create(errand, args, vocabulary.first_sentence(args.task_description), "task_add")


@errand(name="taskpilot_create_task", title="📝 Create a Task", output=answers.Changed, meta=_about("task-management"))
def create_task(errand: Errand, args: arguments.Create) -> Reply:
    """Create a task with a title of its own"""
    title = args.title if args.title is not None else vocabulary.first_sentence(args.task_description)
    return _create(errand, args, title, "task_create")


@tool(
    workspaces.outline,
    name="taskpilot_status",
    title="📊 Project Status",
    output=answers.Standing,
    meta=_about("reporting"),
)
def status(work: Work, args: arguments.Status) -> Reply:
    """Show how the project stands: counts, progress, the open session, what comes next, and a chart"""
    workspace = workspaces.find(work, args.workspace_path)
    found = workspaces.outline(work, workspace.id, most=reports.MOST_LISTED if args.detailed else FEW_LINKS)
    data = reports.report_standing(work, found)
    if args.detailed:
        data["tasks"] = [answers.task_row(task) for task in found.open]
        data["rules"] = answers.rule_rows(rules.list_all(work, workspace.id))
        data["recent"] = [answers.event_row(event) for event in workspaces.list_events(work, workspace.id)]
    text = (
        f'Workspace "{workspace.name}" has {_count(found.left)} and {found.completed} done '
        f"({found.completion_rate:g} %)."
    )
    chart = (Image(data=draw(found.by_status), annotations=FOR_USER),) if found.total else ()
    return Reply(text, data, extras=(*chart, *links.to_tasks(workspace, found.open[:MOST_LINKS])))


@errand(
    name="taskpilot_update",
    title="✏️ Update a Task",
    output=answers.Updated,
    idempotent=True,
    meta=_about("task-management"),
)
def update(errand: Errand, args: arguments.Update) -> Reply:
    """Change one field of a task, and say why"""
    workspace = _find(errand, args)
    before = errand.run(workbench.get_task, workspace.id, args.task_id)
    value = vocabulary.read_value(args.field, args.value)
    changed = errand.run(workbench.update_task, workspace.id, args.task_id, {args.field: value}, reason=args.reason)
    moved = changed.task.version != before.version
    data: answers.Updated = {
        "operation": "task_update",
        "workspace": answers.workspace_row(workspace),
        "task": answers.task_row(changed.task),
        "field": args.field,
        "changed": moved,
    }
    if changed.freed:
        data["freed"] = [vocabulary.write_id(task.id) for task in changed.freed]
    _note(data, changed.unproved)
    if moved:
        _note(data, layout.lay_out_kindly(errand, workspace))
    named = vocabulary.write_id(args.task_id)
    text = f"Task {named}: {args.field.replace('_', ' ')} {'changed' if moved else 'is as it was'}."
    return Reply(text, data, extras=links.to_tasks(workspace, [changed.task]))


@errand(name="taskpilot_audit", title="🔍 Audit the Workspace", output=answers.Audit, meta=_about("reporting"))
def audit_workspace(errand: Errand, args: arguments.Audit) -> Reply:
    """Look for stale, undescribed, neglected or blocked tasks, broken dependencies and missing files; can fix some"""
    workspace = _find(errand, args)
    errand.tell(0, 2, "Looking for connected files")
    missing = folder.look_for(errand, workspace.path, errand.run(workspaces.list_files, workspace.id))
    errand.tell(1, 2, "Looking at tasks")
    fixed: tuple[Any, ...] = ()
    if args.fix_issues:
        repaired = errand.run(audit.repair, workspace.id, scope=args.scope, missing=missing or ())
        report, fixed = repaired.report, repaired.fixed
    else:
        report = errand.run(audit.inspect, workspace.id, scope=args.scope, missing=missing or ())
    data: answers.Audit = {
        "operation": "audit",
        "workspace": answers.workspace_row(workspace),
        "scope": args.scope,
        "score": report.score,
        "tasks_checked": report.checked,
        "total_findings": len(report.findings),
        "findings": [answers.finding_row(finding) for finding in report.findings[:MOST_FINDINGS]],
        "fixes": [{**answers.finding_row(finding), "action": done} for finding, done in fixed],
    }
    if missing is None:
        _note(data, f"This server does not see the folder {workspace.path}, so its files were not looked at.")
    elif fixed:
        _note(data, layout.lay_out_kindly(errand, workspace))
    text = f"The audit found {len(report.findings)} {'issue' if len(report.findings) == 1 else 'issues'}"
    text += f" after fixing {len(fixed)}" if fixed else ""
    named = list(dict.fromkeys(finding.task for finding in report.findings))[:MOST_LINKS]
    return Reply(f"{text}; the score is {report.score}.", data, extras=links.to_ids(workspace, named))


@errand(
    name="taskpilot_focus",
    title="🎯 Focus on a Task",
    output=answers.Focus,
    only_looks=True,
    meta=_about("task-management"),
)
def focus_task(errand: Errand, args: arguments.Focus) -> Reply:
    """Everything needed to work on one task: its rules, files, blockers, subtasks and history"""
    workspace = _find(errand, args)
    errand.run(workbench.get_task, workspace.id, args.task_id)
    found = errand.run(focus.gather, args.task_id)
    task = found.task
    missing = folder.look_for(errand, workspace.path, task.connected_files)
    data: answers.Focus = {
        "operation": "focus",
        "workspace": answers.workspace_row(workspace),
        "task": answers.task_row(task),
        "ready": found.ready,
        "rules": answers.rule_rows(found.rules),
        "files": [
            {"path": path} if missing is None else {"path": path, "exists": path not in missing}
            for path in task.connected_files
        ],
        "blockers": answers.task_briefs(found.blockers),
        "blocks": answers.task_briefs(found.waiting),
        "subtasks": answers.task_briefs(found.subtasks),
        "history": [answers.event_row(event) for event in found.events],
    }
    if found.parent is not None:
        data["parent"] = answers.task_brief(found.parent)
    if missing is None:
        _note(data, f"This server does not see the folder {workspace.path}, so its files were not looked at.")
    there = [path for path in task.connected_files if missing is not None and path not in missing]
    text = f'Task {vocabulary.write_id(task.id)} "{task.title}" is {"ready to work on" if found.ready else "blocked"}.'
    own = (library.show_task(workspace.id, task),) if task.workspace == workspace.id else ()
    return Reply(text, data, extras=(*own, *(links.to_file(workspace, path) for path in there[:MOST_LINKS])))


@errand(name="taskpilot_rule_update", title="📏 Update the Rules", output=answers.RuleChange, meta=_about("rules"))
def rule_update(errand: Errand, args: arguments.Rule) -> Reply:
    """Add a rule, replace those of one type, or remove one"""
    workspace = _find(errand, args)
    change = {"add": rules.add, "update": rules.update, "remove": rules.remove}[args.action]
    rule = errand.run(change, workspace.id, args.rule_type, args.rule_content)
    data: answers.RuleChange = {
        "operation": "rule_update",
        "workspace": answers.workspace_row(workspace),
        "action": args.action,
        "rule": answers.rule_row(rule),
        "rules": answers.rule_rows(errand.run(rules.list_all, workspace.id)),
    }
    _note(data, layout.lay_out_kindly(errand, workspace, whole=True))
    done = {"add": "is in force", "update": "replaces those before it", "remove": "was removed"}[args.action]
    text = f'The {args.rule_type} rule {done} in workspace "{workspace.name}".'
    return Reply(text, data, extras=(links.to_rules(workspace),))


@tool(
    workspaces.find_current,
    name="taskpilot_generate_prompt",
    title="💬 Generate a Prompt",
    output=answers.Prompted,
    meta=_about("prompts"),
)
def generate_prompt(work: Work, args: arguments.Prompt) -> Reply:
    """Generate user-oriented prompts based on operation results"""
    name, told = prose.tell(work, args.operation, args.context)
    data: answers.Prompted = {"operation": args.operation, "name": name, "prompt": told}
    return Reply(f'The prompt "{name}" was written.', data, extras=(library.show_prompt(name, told),))


def _create(errand: Errand, args: arguments.Add, title: str, operation: str) -> Reply:
    workspace = _find(errand, args)
    if args.parent_task_id is not None:
        errand.run(workbench.get_task, workspace.id, args.parent_task_id)
    draft: TaskFields = {
        "title": title,
        "description": args.task_description,
        "priority": vocabulary.PRIORITIES[args.priority].values[0],
        "workspace": workspace.id,
        "parent": args.parent_task_id,
    }
    (task,) = errand.run(tasks.create, [draft]).tasks
    data: answers.Changed = {
        "operation": operation,
        "workspace": answers.workspace_row(workspace),
        "task": answers.task_row(task),
    }
    _note(data, layout.lay_out_kindly(errand, workspace))
    text = f'Task {vocabulary.write_id(task.id)} "{task.title}" added to workspace "{workspace.name}".'
    return Reply(text, data, extras=links.to_tasks(workspace, [task]))


def _find(errand: Errand, args: arguments.InWorkspace) -> Workspace:
    return errand.run(workspaces.find, args.workspace_path)


def _note(data: Any, note: str) -> None:
    if note:
        data["note"] = f"{data['note']} {note}" if "note" in data else note


def _count(number: int) -> str:
    return f"{number} open task{'' if number == 1 else 's'}"
