"""Where prose for people is made, from what an operation answered. Tools answer in data; this tells it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from taskpilot.contracts.taskpilot import answers, reports
from taskpilot.domain import text
from taskpilot.domain.errors import Invalid
from taskpilot.domain.operation import reads
from taskpilot.domain.selection import Selection, Sort
from taskpilot.domain.task import parse_id
from taskpilot.ops import audit, focus, rules, tasks, workbench, workspaces
from taskpilot.store.work import Work
from taskpilot.toolkit import Prompt, PromptArgument

Context = Mapping[str, Any]
MOST_ROWS = 10
VALUE_MOST = 300


@dataclass(frozen=True, slots=True)
class About:
    title: str
    description: str
    operations: tuple[str, ...]
    """What tools call what they did, when this tells it."""
    tell: Callable[[Context], list[str]]
    of_task: bool = False


def tell(work: Work, operation: str, context: Context) -> tuple[str, str]:
    """The name of the prose for an operation, and the prose. What the context leaves out is looked up."""
    name = find(operation)
    found = _look_up(work, name, context)
    known = {**found, **context}
    if not isinstance(context.get("workspace"), Mapping):  # at most a name, by which it was looked up
        known["workspace"] = found.get("workspace")
    return name, "\n".join(ABOUT[name].tell(known)).strip() + "\n"


def find(operation: str) -> str:
    """A prose by its own name, or by the operation or tool it tells of."""
    asked = operation.strip().lower().removeprefix("taskpilot_")
    for name, about in ABOUT.items():
        if asked == name or any(asked == each or asked.startswith(f"{each}_") for each in about.operations):
            return name
    known = ", ".join(about.operations[0] for about in ABOUT.values())
    raise Invalid(f"There is no prompt for {text.shorten(operation, 40)!r}.", hint=f"Choose one of: {known}.")


def _look_up(work: Work, name: str, context: Context) -> dict[str, Any]:
    """What the store says of the workspace that is meant: the one that is named, else the current one."""
    named = context.get("workspace_path") or context.get("workspace")
    if isinstance(named, Mapping):
        named = cast(Context, named).get("id")
    workspace = reports.find_workspace(work, named if isinstance(named, str) else "")
    if workspace is None:
        return {}
    found = workspaces.outline(work, workspace.id, most=MOST_ROWS)
    known: dict[str, Any] = {
        **reports.report_standing(work, found),
        "open_tasks": answers.task_briefs(found.open),
        "open_count": found.left,
        "rules": answers.rule_rows(rules.list_all(work, workspace.id)),
    }
    if name == "audit-report" and "findings" not in context:
        report = audit.inspect(work, workspace.id)
        known |= {"score": report.score, "findings": [answers.finding_row(each) for each in report.findings]}
    if ABOUT[name].of_task and "task" not in context:
        known |= _look_up_task(work, workspace.id, context.get("task_id"))
    return known


def _look_up_task(work: Work, workspace_id: int, task_id: Any) -> dict[str, Any]:
    """The task that is named, else the one that changed last."""
    if task_id:
        task = workbench.get_task(work, workspace_id, parse_id(task_id))
    else:
        latest = Selection(workspace=workspace_id, closed=True)
        task = next(iter(tasks.list_page(work, latest, sort=Sort.UPDATED, limit=1).items), None)
    if task is None:
        return {}
    found = focus.gather(work, task.id)
    return {
        "task": answers.task_row(task),
        "blockers": answers.task_briefs(found.blockers),
        "files": [{"path": path} for path in task.connected_files],
    }


def _tell_init(context: Context) -> list[str]:
    made = _rows(context, "tasks_created") or _rows(context, "open_tasks")
    return [
        f"# {_workspace(context)} is ready",
        "",
        f"TaskPilot looks after this workspace now. Its files are in the folder `.task`. {_count(made)}.",
        *_list(made),
        "",
        "Next:",
        "- Run taskpilot_start to begin a session",
        "- Use taskpilot_add to create new tasks",
        "- Check taskpilot_status for project overview",
    ]


def _tell_start(context: Context) -> list[str]:
    return [
        f"# Working on {_workspace(context)}",
        "",
        f"{_value(context, 'open_count', '0')} tasks are open.",
        *_list(_rows(context, "open_tasks")),
        *_tell_rules(context),
        *_tell_next(context),
    ]


def _tell_task(context: Context) -> list[str]:
    task = _row(context, "task")
    lines = [f"# {_value(task, 'id', 'The task')}: {_value(task, 'title', 'no title')}", ""]
    lines += [f"It is {_value(task, 'status', 'open')}, priority {_value(task, 'priority', 'Medium')}."]
    if _value(task, "description"):
        lines += ["", _value(task, "description")]
    return lines


def _tell_update(context: Context) -> list[str]:
    field = _value(context, "field").replace("_", " ")
    changed = f"Its {field} is now {_value(_row(context, 'task'), _value(context, 'field'), 'empty')}." if field else ""
    return [*_tell_task(context), "", changed]


def _tell_status(context: Context) -> list[str]:
    counts = _row(context, "by_status")
    return [
        f"# How {_workspace(context)} stands",
        "",
        f"{_value(context, 'completed', '0')} of {_value(context, 'total', '0')} tasks are done.",
        *(
            f"- {text.clean_line(name)}: {number}"
            for name, number in counts.items()
            if isinstance(number, int) and number
        ),
        *_tell_next(context),
    ]


def _tell_audit(context: Context) -> list[str]:
    found, fixed = _rows(context, "findings"), _rows(context, "fixes")
    lines = [f"# Audit of {_workspace(context)}", "", f"The score is {_value(context, 'score', '100')} of 100."]
    lines += [
        f"- {_value(row, 'task_id')} {_value(row, 'title')}: {_value(row, 'message')}" for row in found[:MOST_ROWS]
    ]
    if len(found) > MOST_ROWS:
        lines += [f"- And {len(found) - MOST_ROWS} more."]
    if fixed:
        lines += ["", "Put right:", *(f"- {_value(row, 'task_id')}: {_value(row, 'action')}" for row in fixed)]
    return lines if found or fixed else [*lines, "Everything is in order."]


def _tell_focus(context: Context) -> list[str]:
    lines = _tell_task(context)
    waits = [row for row in _rows(context, "blockers") if _value(row, "status") not in ("Done", "Dropped")]
    if waits:
        lines += ["", "It waits on:", *_list(waits)]
    paths = [_value(row, "path") for row in _rows(context, "files")]
    if paths:
        lines += ["", "Its files:", *(f"- {path}" for path in paths[:MOST_ROWS])]
    return [*lines, *_tell_rules(context)]


def _tell_rule_update(context: Context) -> list[str]:
    return [f"# The rules of {_workspace(context)} have changed", *_tell_rules(context)]


def _tell_remote(context: Context) -> list[str]:
    told = [
        f"- {text.clean_line(str(name)).replace('_', ' ')}: {_value(context, name)}"
        for name, value in context.items()
        if isinstance(value, str | int) and name not in ("operation",)
    ]
    return [f"# {_workspace(context)} and the systems around it", "", *told]


ABOUT: dict[str, About] = {
    "init-success": About(
        "Initialization Success Prompt",
        "User-oriented prompt for successful workspace initialization",
        ("workspace_init", "init"),
        _tell_init,
    ),
    "session-start": About(
        "Session Start Prompt",
        "What is open and what comes next, as a session begins",
        ("session_start", "start"),
        _tell_start,
    ),
    "task-added": About(
        "Task Added Prompt",
        "A new task, told to its people",
        ("task_add", "task_create", "add", "create_task"),
        _tell_task,
        of_task=True,
    ),
    "task-updated": About(
        "Task Updated Prompt", "What changed on a task", ("task_update", "update"), _tell_update, of_task=True
    ),
    "status-report": About("Status Report Prompt", "How the project stands, in words", ("status",), _tell_status),
    "audit-report": About("Audit Report Prompt", "What an audit found and put right", ("audit",), _tell_audit),
    "focus-task": About(
        "Focus Prompt", "One task with all that is needed to work on it", ("focus",), _tell_focus, of_task=True
    ),
    "rules-updated": About("Rules Updated Prompt", "The rules as they are now", ("rule_update",), _tell_rule_update),
    "remote-result": About(
        "Remote Result Prompt", "What came of talking to another system", ("github", "remote_interface"), _tell_remote
    ),
}
NAMES = tuple(ABOUT)

WORKSPACE = PromptArgument(name="workspace", description="A workspace's number or path; the current one unless given")
TASK = PromptArgument(name="task_id", description="A task's id, such as TP-000042", required=True)


def _offer(name: str, about: About) -> Prompt:
    @reads
    def render(work: Work, given: Mapping[str, str]) -> str:
        if about.of_task and not given.get("task_id"):
            raise Invalid("This prompt needs a task_id.", hint="Give a task's id, such as TP-000042.")
        return tell(work, name, given)[1]

    return Prompt(
        name=name,
        title=about.title,
        description=about.description,
        render=render,
        arguments=(WORKSPACE, TASK) if about.of_task else (WORKSPACE,),
    )


PROMPTS = tuple(_offer(name, about) for name, about in ABOUT.items())


def _workspace(context: Context) -> str:
    return _value(_row(context, "workspace"), "name", "the workspace")


def _tell_rules(context: Context) -> list[str]:
    told = [f"- {_value(row, 'type')}: {_value(row, 'content')}" for row in _rows(context, "rules")]
    return ["", "Rules:", *told[:MOST_ROWS]] if told else []


def _tell_next(context: Context) -> list[str]:
    step = _row(context, "next_step")
    task = _row(step, "task")
    if not step:
        return []
    if not task:
        return ["", _value(step, "reason")]
    return ["", f"Next: {_value(task, 'id')} {_value(task, 'title')} ({_value(step, 'reason')})."]


def _list(rows: list[Context]) -> list[str]:
    shown = [f"- {_value(row, 'id')} {_value(row, 'title')} ({_value(row, 'status')})" for row in rows[:MOST_ROWS]]
    return [*shown, f"- And {len(rows) - MOST_ROWS} more."] if len(rows) > MOST_ROWS else shown


def _count(rows: list[Context]) -> str:
    return f"There {'is 1 task' if len(rows) == 1 else f'are {len(rows)} tasks'} to begin with"


# A context comes from a stranger: nothing in it is taken for what it should be.


def _row(context: Context, name: str) -> Context:
    value = context.get(name)
    return cast(Context, value) if isinstance(value, Mapping) else {}


def _rows(context: Context, name: str) -> list[Context]:
    value = context.get(name)
    listed = cast(list[Any], value) if isinstance(value, list) else []
    return [cast(Context, row) for row in listed if isinstance(row, Mapping)]


def _value(context: Context, name: str, otherwise: str = "") -> str:
    value = context.get(name)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return otherwise
    return text.shorten(text.clean_line(str(value)), VALUE_MOST) or otherwise
