"""What the coder tools and resources answer."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from taskpilot.domain import text
from taskpilot.domain.events import Event
from taskpilot.domain.evidence import Proof as Found
from taskpilot.domain.moments import wire
from taskpilot.domain.question import Question
from taskpilot.domain.run import Entry, State
from taskpilot.domain.wording import describe
from taskpilot.ops.reports import Report, Summary, Tally
from taskpilot.ops.run_views import Account
from taskpilot.ops.runs import Standing

LINE_MOST = 500
"""Of one log entry, where many are shown."""
ABOUT_MOST = 200
"""Of a description, in a list."""
MILLION = 1_000_000


class Failure(TypedDict):
    type: str
    details: NotRequired[dict[str, Any]]


class Response(TypedDict):
    status: Literal["success", "error"]
    message: str
    error: NotRequired[Failure]


class TaskBrief(TypedDict):
    taskId: str
    status: str
    sessionId: NotRequired[str]
    branch: NotRequired[str]


class LogEntry(TypedDict):
    at: str
    kind: str
    text: str


class Logs(TypedDict):
    count: int
    byKind: dict[str, int]
    last: list[LogEntry]


class Durations(TypedDict):
    totalSeconds: float
    waitedSeconds: float
    workedSeconds: float


class Option(TypedDict):
    id: str
    label: str


class Asked(TypedDict):
    id: int
    text: str
    options: list[Option]


class Check(TypedDict):
    """An acceptance command, and what came of it when it was run last."""

    command: str
    passed: NotRequired[bool]
    exitCode: NotRequired[int]
    commit: NotRequired[str]
    stale: NotRequired[bool]
    at: NotRequired[str]


class Proof(TypedDict):
    accepted: bool
    commands: list[Check]


class Tokens(TypedDict):
    input: int
    output: int
    total: int


class TaskReport(TaskBrief):
    title: str
    tool: NotRequired[str]
    workspacePath: NotRequired[str]
    createdAt: str
    startedAt: NotRequired[str]
    endedAt: NotRequired[str]
    durations: Durations
    logs: Logs
    filesChanged: list[str]
    commands: list[str]
    tokens: Tokens
    costUsd: float
    attempts: int
    commit: NotRequired[str]
    linesAdded: NotRequired[int]
    linesRemoved: NotRequired[int]
    proof: NotRequired[Proof]
    question: NotRequired[Asked]
    obstacle: NotRequired[str]
    result: NotRequired[Any]
    error: NotRequired[str]


class Group(TypedDict):
    total: int
    byStatus: dict[str, int]
    successRate: float


class Overview(Group):
    byTool: dict[str, Group]
    active: int
    tokens: Tokens
    costUsd: float


class Changed(Response):
    result: NotRequired[TaskBrief]


class Reported(Response):
    result: NotRequired[TaskReport | Overview]


def tool_of(standing: Standing) -> str | None:
    """The agent, where one was chosen."""
    run = standing.run
    return run.agent.upper() if run and run.agent.startable else None


def brief(standing: Standing) -> TaskBrief:
    run = standing.run if tool_of(standing) else None
    return _told(
        taskId=str(standing.task.id),
        status=standing.state.value,
        sessionId=run.session if run else None,
        branch=run.branch if run else None,
    )


def listed(standing: Standing) -> dict[str, Any]:
    """A task in a list."""
    task = standing.task
    return _told(
        id=str(task.id),
        title=task.title,
        description=text.shorten(task.description or task.title, ABOUT_MOST),
        status=standing.state.value,
        tool=tool_of(standing),
        branch=standing.run.branch or None if standing.run else None,
        sessionId=brief(standing).get("sessionId"),
        createdAt=wire(task.created_at),
        updatedAt=wire(task.updated_at),
    )


def session(standing: Standing) -> dict[str, Any] | None:
    """An agent's session; None where no agent was chosen."""
    run = standing.run
    if run is None or not run.agent.startable:
        return None
    return _told(
        sessionId=run.session,
        sessionType=run.agent.value,
        tool=tool_of(standing),
        taskId=str(standing.task.id),
        status=standing.state.value,
        live=run.live,
        branch=run.branch,
        attempts=run.attempt,
        createdAt=wire(run.created_at),
        updatedAt=wire(run.updated_at),
        startedAt=wire(standing.started_at),
        endedAt=wire(standing.ended_at),
    )


def durations(standing: Standing, now: datetime) -> Durations:
    """From creation to the end or now, and how that falls into waiting and working."""
    began = standing.run.created_at if standing.run else standing.task.created_at
    total = max(0.0, ((standing.ended_at or now) - began).total_seconds())
    worked = min(total, standing.seconds(now))
    return {
        "totalSeconds": round(total, 3),
        "waitedSeconds": round(total - worked, 3),
        "workedSeconds": round(worked, 3),
    }


def report(found: Report, account: Account | None, now: datetime) -> TaskReport:
    standing, run, task = found.standing, found.standing.run, found.standing.task
    diff, view = (account.diff, account.view) if account else (None, None)
    return _told(
        **brief(standing),
        title=task.title,
        tool=tool_of(standing),
        workspacePath=found.workspace.path if found.workspace else None,
        createdAt=wire(task.created_at),
        startedAt=wire(standing.started_at),
        endedAt=wire(standing.ended_at),
        durations=durations(standing, now),
        logs={
            "count": sum(found.counts.values()),
            "byKind": dict(found.counts),
            "last": [entry(each) for each in found.last],
        },
        filesChanged=list(run.files_changed) if run else [],
        commands=list(run.commands) if run else [],
        tokens=tokens(run.tokens_in, run.tokens_out) if run else tokens(0, 0),
        costUsd=run.cost_micros / MILLION if run else 0.0,
        attempts=run.attempt if run else 0,
        commit=run.head or None if run else None,
        linesAdded=diff.added if diff and diff.head else None,
        linesRemoved=diff.removed if diff and diff.head else None,
        proof=proof(view.proof) if view else None,
        question=asked(view.question) if view else None,
        obstacle=view.obstacle or None if view else None,
        result=run.result if run else None,
        error=run.error or None if run else None,
    )


def proof(found: Found) -> Proof | None:
    """How the acceptance commands stand; None where there are none."""
    if not found.commands:
        return None
    rows: list[Check] = []
    for command, seen in found.checks:
        row: Check = {"command": command}
        if seen is not None:
            row["passed"], row["exitCode"], row["commit"] = seen.passed, seen.exit_code, seen.head
            row["stale"], row["at"] = seen.is_stale(found.head), wire(seen.at) or ""
        rows.append(row)
    return {"accepted": found.accepted, "commands": rows}


def asked(question: Question | None) -> Asked | None:
    """What the agent waits to be told."""
    if question is None:
        return None
    options: list[Option] = [{"id": each.id, "label": each.label} for each in question.options]
    return {"id": question.id, "text": question.text, "options": options}


def overview(found: Summary) -> Overview:
    return {
        **group(found.all),
        "byTool": {agent.upper(): group(tally) for agent, tally in found.by_agent.items()},
        "active": found.all.active,
        "tokens": tokens(found.usage.tokens_in, found.usage.tokens_out),
        "costUsd": found.usage.cost_micros / MILLION,
    }


def group(tally: Tally) -> Group:
    return {
        "total": tally.total,
        "byStatus": {state.value: tally.by_state[state] for state in State if tally.by_state[state]},
        "successRate": tally.success_rate,
    }


def tokens(given: int, made: int) -> Tokens:
    return {"input": given, "output": made, "total": given + made}


def entry(each: Entry) -> LogEntry:
    return {"at": wire(each.at) or "", "kind": each.kind.value, "text": text.shorten(each.text, LINE_MOST)}


def event(each: Event) -> dict[str, Any]:
    return _told(
        id=each.id,
        at=wire(each.at),
        kind=each.kind,
        actor=each.actor,
        contract=each.door,
        what=describe(each),
        reason=each.reason or None,
    )


def line(each: Entry, *, named: bool = False) -> str:
    """One entry as text. What follows its first line is set in, so that no entry can pose as another."""
    task = f" task {each.task}" if named else ""
    return f"{wire(each.at)}{task} [{each.kind}] " + each.text.replace("\n", "\n  ")


def audit_line(each: Event) -> str:
    why = f" ({each.reason})" if each.reason else ""
    return f"{wire(each.at)} {each.actor} via {each.door}: {describe(each)}{why}".replace("\n", "\n  ")


def _told(**members: Any) -> Any:
    """What there is to say: a member that is missing is not there, rather than null."""
    return {name: value for name, value in members.items() if value is not None}
