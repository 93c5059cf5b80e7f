"""A run's task, as its agent reads it: what it takes to begin comes first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from typing_extensions import TypedDict

from taskpilot.domain.moments import wire
from taskpilot.domain.task import Task
from taskpilot.ops.desk import Brief
from taskpilot.ops.evidence import Proof
from taskpilot.toolkit import Reply


class Line(TypedDict):
    id: int
    title: str
    status: str


class Check(TypedDict, total=False):
    command: str
    passed: bool
    stale: bool
    output: str


class Sheet(TypedDict, total=False):
    id: int
    title: str
    status: str
    description: str
    acceptance: list[Check]
    handed_over: list[str]
    rules: list[str]
    files: list[str]
    blockers: list[Line]
    subtasks: list[Line]
    notes: str
    branch: str
    progress: int
    priority: str
    due_date: str
    project: str
    tags: list[str]
    part_of: Line
    note: str


class Lines(TypedDict):
    subtasks: list[Line]


class Progress(TypedDict):
    progress: int


class Reported(TypedDict):
    run: int


OUTPUT_MOST = 1_000
"""Of what a failed command printed, its end."""


def lay_out(brief: Brief) -> dict[str, Any]:
    """All there is to say, the most useful first; what is empty is left out."""
    focus, task = brief.focus, brief.focus.task
    parts: dict[str, Any] = {
        "id": task.id,
        "title": task.title,
        "status": task.status.value,
        "description": task.description,
        "acceptance": checks(brief.proof),
        "handed_over": list(brief.handed_over),
        "rules": [f"{rule.kind.value}: {rule.content}" for rule in focus.rules],
        "files": list(task.connected_files),
        "blockers": [line(each) for each in focus.blockers],
        "subtasks": [line(each) for each in focus.subtasks],
        "notes": task.notes,
        "branch": brief.run.branch,
        "progress": task.progress,
        "priority": task.priority.word,
        "due_date": wire(task.due_date),
        "project": task.project,
        "tags": list(task.tags),
        "part_of": line(focus.parent) if focus.parent else None,
    }
    return {name: value for name, value in parts.items() if value}


def line(task: Task) -> Line:
    return {"id": task.id, "title": task.title, "status": task.status.value}


def checks(proof: Proof) -> list[Check]:
    """What must succeed, and what came of it when TaskPilot itself ran it last."""
    told: list[Check] = []
    for command, seen in proof.checks:
        check: Check = {"command": command}
        if seen is not None:
            check |= {"passed": seen.passed, "stale": seen.is_stale(proof.head)}
            if not seen.passed and seen.tail:
                check["output"] = seen.tail[-OUTPUT_MOST:]
        told.append(check)
    return told


def write(parts: Mapping[str, Any], note: str) -> Reply:
    data: Sheet = cast(Any, {**parts, "note": note} if note else {**parts})
    told = [f"{parts.get('id', '')} {parts.get('title', '')}".strip()]
    for name, value in parts.items():
        if name in ("id", "title"):
            continue
        told.append(f"{name.replace('_', ' ')}: {_say(value)}")
    return Reply("\n".join(part for part in (*told, note) if part), data)


def _say(value: Any) -> str:
    if isinstance(value, list):
        return "".join(f"\n- {_say(each)}" for each in cast("list[Any]", value))
    if isinstance(value, Mapping):
        row = cast("Mapping[str, Any]", value)
        return _say_check(row) if "command" in row else f"{row['id']} {row['title']} [{row['status']}]"
    return str(value)


def _say_check(row: Mapping[str, Any]) -> str:
    if "passed" not in row:
        return f"{row['command']} (not run yet)"
    verdict = "passed" if row["passed"] else "failed"
    told = f"{row['command']} ({verdict}{', on an earlier commit' if row['stale'] else ''})"
    return f"{told}\n{row['output']}" if "output" in row else told
