"""The four tools of coding agents.

A call of `create_task` ends at once, and with it its progress token: the protocol lets nothing follow. What the agent
does from then on is told to subscribers of `task://{taskId}/logs`, and to the progress token of `report_task` with
`wait`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from taskpilot.app import Errand
from taskpilot.contracts.coder import answers, arguments
from taskpilot.domain import text
from taskpilot.domain.errors import Invalid, NotFound, TaskPilotError
from taskpilot.domain.run import Agent, Ended, NotLive, State
from taskpilot.domain.scopes import Scope
from taskpilot.ops import questions, reports, run_orders, run_views, runs
from taskpilot.ops.runs import Standing
from taskpilot.store.work import Work
from taskpilot.toolkit import Choice, Reply, Step, errand, tool

STOP_PATIENCE = 10.0
LOOK_EVERY = 0.1
"""Seconds. A worker stops an agent and all it started in five."""
TOLD_MOST = 200
FAILED = {
    "create_task": "task_creation_error",
    "update_task": "task_update_error",
    "end_task": "task_end_error",
    "report_task": "report_generation_error",
}
"""How a tool names what went wrong and was nobody's fault."""


@errand(title="Create a task", output=answers.Changed, scope=Scope.RUN)
def create_task(errand: Errand, args: arguments.Create) -> Reply:
    """Create a new task with a session for an agent, and start the agent unless config.start is false."""
    made = errand.run(
        runs.create,
        agent=Agent(args.tool.lower()),
        description=args.description,
        instructions=args.instructions,
        branch=args.branch,
        workspace=args.setup.folder(),
        config=args.setup.settings(),
        start=args.setup.start,
    )
    errand.tell(1, 1, f"Task {made.task.id} created, {answers.tool_of(made)} is {made.state}")
    return _success("Task created", answers.brief(made))


@errand(title="Update a task", output=answers.Changed, scope=Scope.RUN)
def update_task(errand: Errand, args: arguments.Update) -> Reply:
    """Update a task's status, append to its log, or send its agent a follow-up."""
    state = State(args.status) if args.status is not None else None
    now = errand.run(run_orders.update, args.taskId, state=state, log=args.log, instructions=args.instructions)
    now = _await_stop(errand, now)
    return _success(_tell(f"Task {now.task.id} updated: {now.state}", now), answers.brief(now))


@errand(title="End a task", output=answers.Changed, scope=Scope.RUN, destructive=True)
def end_task(errand: Errand, args: arguments.End) -> Reply:
    """End a task: stop its agent and everything it started, and keep the result."""
    now = _await_stop(errand, errand.run(run_orders.end, args.taskId, State(args.status), result=args.result))
    return _success(_tell(f"Task {now.task.id} ended: {now.state}", now), answers.brief(now))


def follow(work: Work, args: arguments.Report, last: int) -> Sequence[Step] | None:
    """The log past an entry, while there is an agent at work that asks nothing."""
    run = runs.get(work, args.taskId).run if args.taskId is not None else None
    news = run_views.follow(work, run.id, after=last) if run else None
    if news is None or (not news.entries and (news.complete or news.question)):
        return None
    return [Step(each.number, f"[{each.kind}] {text.shorten(each.text, TOLD_MOST)}") for each in news.entries]


def put_question(work: Work, args: arguments.Report) -> Choice | None:
    """What the agent asks its person."""
    run = runs.get(work, args.taskId).run if args.taskId is not None else None
    asked = run_views.get(work, run.id).question if run is not None else None
    if asked is None:
        return None
    return Choice(asked.text, {option.id: option.label for option in asked.options}, asked.id, questions.answer)


@tool(reports.tell, title="Report on a task", output=answers.Reported, wait=follow, choose=put_question)
def report_task(work: Work, args: arguments.Report) -> Reply:
    """Report on one task in detail; without taskId, on all of them by status and tool."""
    if args.taskId is None:
        summary = answers.overview(reports.summarize(work))
        counts = ", ".join(f"{number} {state}" for state, number in summary["byStatus"].items()) or "none yet"
        rate = summary["successRate"]
        return _success(f"{summary['total']} tasks: {counts}; success rate {rate}%", summary)
    found = reports.tell(work, args.taskId)
    run = found.standing.run
    report = answers.report(found, run_views.report(work, run.id) if run else None, work.now)
    worked, entries = report["durations"]["workedSeconds"], report["logs"]["count"]
    said = f"Task {args.taskId} is {report['status']}: {worked:g} s of work, {entries} log entries: {report['title']}"
    if "question" in report:
        said += f". It asks: {report['question']['text']}"
    return _success(said, report)


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


def _await_stop(errand: Errand, now: Standing) -> Standing:
    """Once its worker has ended a run that was asked to stop; as it is, should that take too long."""
    began = time.monotonic()
    while now.stopping and (waited := time.monotonic() - began) < STOP_PATIENCE:
        errand.tell(waited, STOP_PATIENCE, f"Stopping the agent of task {now.task.id}")
        time.sleep(LOOK_EVERY)
        now = errand.run(runs.get, now.task.id)
    return now


def _tell(said: str, now: Standing) -> str:
    notes = ("Its agent is still stopping." if now.stopping else "", now.unproved)
    return ". ".join(part for part in (said, *notes) if part)


def _success(message: str, result: Any) -> Reply:
    return Reply(message, {"status": "success", "message": message, "result": result})
