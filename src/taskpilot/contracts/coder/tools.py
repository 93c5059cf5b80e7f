"""The four tools of coding agents."""

from __future__ import annotations

from typing import Any

from taskpilot.contracts.coder import answers, arguments
from taskpilot.domain.errors import Invalid, NotFound, TaskPilotError
from taskpilot.domain.run import Agent, Ended, NotLive, State
from taskpilot.ops import reports, runs
from taskpilot.store.work import Work
from taskpilot.toolkit import Reply, tool

FAILED = {
    "create_task": "task_creation_error",
    "update_task": "task_update_error",
    "end_task": "task_end_error",
    "report_task": "report_generation_error",
}
"""How a tool names what went wrong and was nobody's fault."""


@tool(runs.create, title="Create a task", output=answers.Changed)
def create_task(work: Work, args: arguments.Create) -> Reply:
    """Create a new task with a session for an agent, and start the agent unless config.start is false."""
    made = runs.create(
        work,
        agent=Agent(args.tool.lower()),
        description=args.description,
        instructions=args.instructions,
        branch=args.branch,
        workspace=args.setup.folder(),
        config=args.setup.settings(),
        start=args.setup.start,
    )
    return _success("Task created", answers.brief(made))


@tool(runs.update, title="Update a task", output=answers.Changed)
def update_task(work: Work, args: arguments.Update) -> Reply:
    """Update a task's status, append to its log, or send its agent a follow-up."""
    state = State(args.status) if args.status is not None else None
    now = runs.update(work, args.taskId, state=state, log=args.log, instructions=args.instructions)
    return _success(f"Task {now.task.id} updated: {now.state}", answers.brief(now))


@tool(runs.end, title="End a task", output=answers.Changed, destructive=True)
def end_task(work: Work, args: arguments.End) -> Reply:
    """End a task and its agent's session, and keep the result."""
    now = runs.end(work, args.taskId, State(args.status), result=args.result)
    return _success(f"Task {now.task.id} ended: {now.state}", answers.brief(now))


@tool(reports.tell, title="Report on a task", output=answers.Reported)
def report_task(work: Work, args: arguments.Report) -> Reply:
    """Report on one task in detail; without taskId, on all of them by status and tool."""
    if args.taskId is None:
        summary = answers.overview(reports.summarize(work))
        counts = ", ".join(f"{number} {state}" for state, number in summary["byStatus"].items()) or "none yet"
        rate = summary["successRate"]
        return _success(f"{summary['total']} tasks: {counts}; success rate {rate}%", summary)
    report = answers.report(reports.tell(work, args.taskId), work.now)
    worked, entries = report["durations"]["workedSeconds"], report["logs"]["count"]
    return _success(
        f"Task {args.taskId} is {report['status']}: {worked:g} s of work, {entries} log entries: {report['title']}",
        report,
    )


def refuse(name: str, error: TaskPilotError) -> Reply:
    """A failed call, as every answer here: its type tells what a program should do about it."""
    failure: answers.Failure = {"type": _type(name, error)}
    if error.hint:
        failure["details"] = {"hint": error.hint}
    message = str(error)
    return Reply(message, {"status": "error", "message": message, "error": failure}, is_error=True)


def _type(name: str, error: TaskPilotError) -> str:
    if isinstance(error, Ended):
        return "task_completed"
    if isinstance(error, NotLive):
        return "no_active_session"
    if isinstance(error, Invalid):
        return "validation_error"
    if isinstance(error, NotFound) and name != "create_task":
        return "task_not_found"
    return FAILED[name]


def _success(message: str, result: Any) -> Reply:
    return Reply(message, {"status": "success", "message": message, "result": result})
