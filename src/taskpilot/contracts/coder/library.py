"""The resources of coding agents: what is going on, to read and to watch."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from taskpilot.contracts.coder import addresses, answers
from taskpilot.contracts.coder.addresses import Address
from taskpilot.domain.errors import Invalid, NotFound
from taskpilot.domain.events import Event
from taskpilot.domain.operation import reads
from taskpilot.domain.question import Question
from taskpilot.domain.run import Agent, Entry
from taskpilot.domain.task import parse_id
from taskpilot.ops import questions, reports, run_log, run_views, runs
from taskpilot.store.work import Work
from taskpilot.toolkit import Document, Library, Resource, Template

TOOLS = ("create_task", "update_task", "end_task", "report_task")
SHELVED = 50
"""Sessions whose tasks are listed; every other is found by its template."""
LISTED = 200
FEW = 50
ENTRIES = 500
CHARACTERS = 100_000
"""A page of a log ends where either is reached."""
PLAIN = "text/plain"
T = TypeVar("T", Entry, Event)

STATIC = (
    Resource(uri="agent://status", name="Agent Status", description="Current agent status"),
    Resource(uri="agent://tasks", name="Agent Tasks", description="The newest tasks with their status"),
    Resource(uri="task://list", name="Task List", description="The newest tasks with their status"),
    Resource(uri="agent://sessions", name="Agent Sessions", description="The latest sessions of agents"),
)
TEMPLATES = (
    Template(uri="task://{taskId}", name="Task", description="A task: session, output, duration, logs, events"),
    Template(uri="task://{taskId}/logs", name="Task Logs", description="A task's log", mime=PLAIN),
    Template(uri="task://{taskId}/result", name="Task Result", description="The result a task ended with"),
    Template(uri="session://{sessionType}/{sessionId}", name="Session Details", description="One session of one agent"),
    Template(uri="branch://{branchName}/tasks", name="Branch Tasks", description="Tasks worked on in a git branch"),
    Template(uri="project://{projectPath}/status", name="Project Status", description="How a folder's tasks stand"),
    Template(
        uri="log://{logType}/{date}",
        name="Historical Logs",
        description="One day (UTC) of the logs: task (every entry), run (agents' sessions), audit (every change)",
        mime=PLAIN,
    ),
)


@reads
def shelve(work: Work) -> Sequence[Resource]:
    sessions = runs.list_sessions(work, limit=SHELVED)
    listed = list(STATIC)
    for task in {found.task.id: found.task for found in sessions}.values():
        uri, title = f"task://{task.id}", task.title
        listed += [
            Resource(uri=uri, name=f"Task {task.id}", title=title, description="Task with its session and logs"),
            Resource(uri=f"{uri}/logs", name=f"Task {task.id} Logs", title=title, description="Log", mime=PLAIN),
            Resource(uri=f"{uri}/result", name=f"Task {task.id} Result", title=title, description="Result"),
        ]
    return listed


@reads
def read(work: Work, uri: str) -> Sequence[Document]:
    address = addresses.read(uri)
    try:
        found = _READ[address.kind](work, address)
    except (Invalid, NotFound):
        raise addresses.missing(uri) from None
    if isinstance(found, str):
        return [Document(uri=uri, text=found, mime=PLAIN)]
    return [Document(uri=uri, text=json.dumps(found, ensure_ascii=False), mime="application/json")]


def _agent(work: Work, address: Address) -> Any:
    if address.first == "status":
        return _status(work)
    if address.first == "sessions":
        found = runs.list_sessions(work, limit=LISTED)
        return {"sessions": [answers.session(each) for each in found]}
    return _tasks(runs.list_tasks(work, limit=LISTED))


def _status(work: Work) -> dict[str, Any]:
    summary = answers.overview(reports.summarize(work))
    return {
        "status": "ready",
        "activeTasks": summary["active"],
        "totalTasks": summary["total"],
        "tasksByStatus": summary["byStatus"],
        "availableTools": list(TOOLS),
        "questions": [{"taskId": str(each.task), **_asked(each)} for each in questions.list_open(work, limit=FEW)],
        "capabilities": {
            "startAgents": True,
            "agents": [agent.upper() for agent in Agent if agent.startable],
            "resources": [*addresses.LISTS, *(template.uri for template in TEMPLATES)],
            "subscriptions": True,
        },
    }


def _tasks(listing: runs.Listing) -> dict[str, Any]:
    told: dict[str, Any] = {"tasks": [answers.listed(each) for each in listing.standings], "total": listing.total}
    if listing.total > len(listing.standings):
        told["note"] = f"The newest {len(listing.standings)}; task://{{taskId}} reads any other."
    return told


def _task(work: Work, address: Address) -> Any:
    if address.first == "list" and not address.second:
        return _tasks(runs.list_tasks(work, limit=LISTED))
    task_id = parse_id(address.first)
    if address.second == "logs":
        entries = run_log.read_task(work, task_id, limit=ENTRIES + 1, before=address.before)
        return _write(entries, answers.line, f"task://{task_id}/logs", whole=_day_of)
    standing = runs.get(work, task_id)
    if address.second == "result":
        return standing.run.result if standing.run else None
    run = standing.run
    account = run_views.report(work, run.id) if run else None
    report = answers.report(reports.tell(work, task_id, lines=FEW), account, work.now)
    output = run_log.read_output(work, task_id, limit=FEW)
    return {
        "task": {**answers.listed(standing), "description": standing.task.description},
        "session": _session_whole(standing),
        "output": "\n".join(each.text for each in output)[-CHARACTERS:],
        "duration": answers.durations(standing, work.now),
        "logs": report["logs"],
        "events": [answers.event(each) for each in run_log.read_events(work, task_id, limit=FEW)],
        "result": run.result if run else None,
        **{name: value for name, value in report.items() if name in ("commit", "proof", "question")},
    }


def _asked(question: Question) -> dict[str, Any]:
    return {**(answers.asked(question) or {})}


def _session(work: Work, address: Address) -> Any:
    standing = runs.get_session(work, addresses.read_agent(address.first), address.second)
    return {**(_session_whole(standing) or {}), "task": answers.listed(standing)}


def _session_whole(standing: runs.Standing) -> dict[str, Any] | None:
    told, run = answers.session(standing), standing.run
    return {**told, "instructions": run.instructions, "config": run.config} if told and run else None


def _branch(work: Work, address: Address) -> Any:
    found = runs.list_branch(work, address.first, limit=LISTED)
    if not found:
        raise NotFound("No task was worked on there.")
    return {"branch": address.first, "tasks": [answers.listed(each) for each in found]}


def _project(work: Work, address: Address) -> Any:
    # A client that drops the slash a path begins with means the same folder.
    path = address.first if address.first.startswith("/") else f"/{address.first}"
    found = reports.survey(work, path, limit=FEW)
    return {
        "project": {"path": found.workspace.path, "name": found.workspace.name},
        **answers.group(found.summary.all),
        "active": found.summary.all.active,
        "branches": found.branches,
        **_tasks(found.tasks),
    }


def _log(work: Work, address: Address) -> Any:
    day, kind = addresses.read_day(address.second), address.first
    uri = f"log://{kind}/{day}"
    if kind == "audit":
        events = run_log.read_audit(work, day, limit=ENTRIES + 1, before=address.before)
        return _write(events, answers.audit_line, uri)
    entries = run_log.read_day(work, day, limit=ENTRIES + 1, before=address.before, runs=kind == "run")
    return _write(entries, lambda each: answers.line(each, named=True), uri)


def _write(found: Sequence[T], line: Callable[[T], str], uri: str, *, whole: Callable[[T], str] = lambda _: "") -> str:
    """The last entries that fit on a page, and where those before them are."""
    lines: list[str] = []
    room = CHARACTERS
    shown = found[-1:]
    for number, each in enumerate(reversed(found)):
        written = line(each)
        room -= len(written)
        if number == ENTRIES or (lines and room < 0):
            break
        lines.append(written)
        shown = [each]
    if len(lines) < len(found):
        lines.append(f"(Earlier entries: {uri}?before={shown[0].id}{whole(shown[0])})")
    return "\n".join(reversed(lines))


def _day_of(each: Entry) -> str:
    return f", or all of that day: log://task/{each.at.date()}"


_READ: dict[str, Callable[[Work, Address], Any]] = {
    "agent": _agent,
    "task": _task,
    "session": _session,
    "branch": _branch,
    "project": _project,
    "log": _log,
}

LIBRARY = Library(
    shelve=shelve,
    read=read,
    templates=TEMPLATES,
    touched=addresses.touched,
    reshelved=addresses.reshelved,
)
