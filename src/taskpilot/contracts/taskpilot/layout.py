"""The `.task` folder: the workspace as files, for people and for git. The database is the truth they are made from."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field

from taskpilot import folder
from taskpilot.app import Errand
from taskpilot.contracts.taskpilot import vocabulary
from taskpilot.domain.errors import TaskPilotError
from taskpilot.domain.rule import Rule, RuleKind
from taskpilot.domain.task import Priority
from taskpilot.domain.workspace import Line, Workspace
from taskpilot.ops import rules, workspaces
from taskpilot.ops.workspaces import Sheet

MOST_LISTED, MOST_DONE = 500, 20
NOTICE = "<!-- Written by TaskPilot after each change. What is changed here by hand is overwritten. -->"


@dataclass
class _Turn:
    """One workspace's writers in this process. Whoever waits while another begins anew need not write."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    asked: int = 0
    written: int = 0


_turns: dict[str, _Turn] = {}
_turns_lock = threading.Lock()


def lay_out(errand: Errand, workspace: Workspace, *, whole: bool = False) -> None:
    """Bring the files up to date with the database: the list of tasks, or with `whole` all of them."""
    folder.enter(errand, workspace.path)
    with _turns_lock:
        turn = _turns.setdefault(workspace.path, _Turn())
        turn.asked += 1
        mine = turn.asked
    with turn.lock:
        if turn.written >= mine and not whole:
            return
        with folder.taking_turns(workspace.path):
            reached = turn.asked
            found = errand.run(workspaces.list_lines, workspace.id, most=MOST_LISTED, most_done=MOST_DONE)
            files = {"todo.md": write_todo(found)}
            if whole:
                listed = errand.run(rules.list_all, workspace.id)
                files |= {"project.md": write_project(found.workspace)} | write_rule_files(listed)
            folder.write(workspace.path, files)
            turn.written = reached


def lay_out_kindly(errand: Errand, workspace: Workspace, *, whole: bool = False) -> str:
    """As `lay_out`, but what goes wrong becomes a note: the change itself is made and stays."""
    try:
        lay_out(errand, workspace, whole=whole)
    except TaskPilotError as error:
        return f"The .task folder is not up to date: {error.message}"
    return ""


def write_project(workspace: Workspace) -> str:
    lines = [f"# {workspace.name}", "", NOTICE, ""]
    if workspace.tech_stack:
        lines += [f"Tech stack: {workspace.tech_stack}", ""]
    lines += ["## Requirements", "", workspace.requirements or "None were given.", ""]
    lines += ["## Here", "", "- [Tasks](todo.md)"]
    lines += [f"- [{kind.value.capitalize()} rules](rules/{kind.value}.md)" for kind in RuleKind]
    return "\n".join(lines) + "\n"


def write_rule_files(listed: Iterable[Rule]) -> dict[str, str]:
    """A file for each kind; one without rules says so."""
    kept = list(listed)
    return {f"rules/{kind.value}.md": _write_kind(kind, kept) for kind in RuleKind}


def write_rules(name: str, listed: Iterable[Rule]) -> str:
    """All rules in one text, by kind."""
    kept = list(listed)
    kinds = [kind for kind in RuleKind if any(rule.kind is kind for rule in kept)]
    parts = [f"# Rules of {name}", *(_write_section("##", kind, kept) for kind in kinds)]
    return "\n\n".join(parts if kinds else [*parts, "There are none yet."]) + "\n"


def write_todo(found: Sheet) -> str:
    done, left = found.completed, found.left
    lines = [f"# Tasks of {found.workspace.name}", "", NOTICE, "", f"{left} open, {done} done."]
    for word, meant in vocabulary.STATUSES.items():
        listed = [task for task in found.open if task.status in meant.values]
        if listed:
            lines += ["", f"## {word}", "", *(_write_line(task, " ") for task in listed)]
    if left > len(found.open):
        lines += ["", f"And {left - len(found.open)} more."]
    if found.done:
        lines += ["", "## Done", "", *(_write_line(task, "x") for task in found.done)]
    return "\n".join(lines) + "\n"


def _write_kind(kind: RuleKind, listed: list[Rule]) -> str:
    section = _write_section("#", kind, listed)
    return f"{section}\n\n{NOTICE}\n"


def _write_section(mark: str, kind: RuleKind, listed: list[Rule]) -> str:
    told = [rule.content for rule in listed if rule.kind is kind] or ["There is no rule of this kind yet."]
    return "\n\n".join([f"{mark} {kind.value.capitalize()}", *told])


def _write_line(task: Line, mark: str) -> str:
    priority = "" if task.priority is Priority.MEDIUM else f" ({vocabulary.write_priority(task.priority)})"
    waits = ", ".join(vocabulary.write_id(number) for number in task.blocked_by)
    return f"- [{mark}] {vocabulary.write_id(task.id)} {task.title}{priority}" + (f", after {waits}" if waits else "")
