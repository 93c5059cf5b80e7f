"""The tools of a run's agent: each an operation on its own task."""

from __future__ import annotations

from taskpilot.contracts.desk import answers, arguments
from taskpilot.ops import desk
from taskpilot.store.work import Work
from taskpilot.toolkit import Reply, budget, tool


@tool(desk.read, title="Get your task", output=answers.Sheet)
def task_get(work: Work, args: arguments.Get) -> Reply:
    """Your task with its rules, files, blockers, subtasks, acceptance commands, and what was handed over."""
    return budget.fit(answers.lay_out(desk.read(work)), answers.write, args.max_tokens)


@tool(desk.log, title="Log", output=answers.Progress)
def log(work: Work, args: arguments.Log) -> Reply:
    """Say how it goes."""
    task = desk.log(work, args.text, progress=args.progress)
    return Reply("Logged.", {"progress": task.progress})


@tool(desk.add_subtasks, title="Add subtasks", output=answers.Lines)
def subtask_add(work: Work, args: arguments.Split) -> Reply:
    """Split your task into steps."""
    made = [answers.line(task) for task in desk.add_subtasks(work, args.titles)]
    return Reply("\n".join(f"{each['id']} {each['title']}" for each in made), {"subtasks": made})


@tool(desk.complete_subtask, title="Complete a subtask", output=answers.Lines, idempotent=True)
def subtask_done(work: Work, args: arguments.One) -> Reply:
    """Mark a subtask done."""
    task = answers.line(desk.complete_subtask(work, args.id))
    return Reply(f"{task['id']} {task['title']} [{task['status']}]", {"subtasks": [task]})


@tool(desk.report, title="Report", output=answers.Reported)
def report(work: Work, args: arguments.Report) -> Reply:
    """What is done, tried, failed, and comes next: for people, and for whoever goes on. The last one counts."""
    return Reply("Reported.", {"run": desk.report(work, args.said()).id})
