"""The eight tools of the task manager."""

from __future__ import annotations

from taskpilot.contracts.manager import answers, arguments, schemas
from taskpilot.domain.task import Task
from taskpilot.ops import search, stats, tasks, users
from taskpilot.store.work import Work
from taskpilot.toolkit import Reply, tool


@tool(tasks.create, title="Create task", schema=schemas.CREATE, check=arguments.read(arguments.Create))
def task_create(work: Work, args: arguments.Create) -> Reply:
    """Create a new task"""
    return _one(work, tasks.create(work, [args.fields()]).tasks[0])


@tool(tasks.list_slice, title="List tasks", schema=schemas.LIST, check=arguments.read(arguments.Listing))
def task_list(work: Work, args: arguments.Listing) -> Reply:
    """List tasks with optional filters"""
    return _many(work, tasks.list_slice(work, args.selection(), limit=args.limit, offset=args.offset).items)


@tool(tasks.get, title="Get task", schema=schemas.name_task("retrieve"), check=arguments.read(arguments.One))
def task_get(work: Work, args: arguments.One) -> Reply:
    """Get a specific task by ID"""
    return _one(work, tasks.get(work, args.task_id))


@tool(tasks.update, title="Update task", schema=schemas.UPDATE, check=arguments.read(arguments.Update))
def task_update(work: Work, args: arguments.Update) -> Reply:
    """Update a task's fields"""
    return _one(work, tasks.update(work, args.task_id, args.fields()).task)


@tool(
    tasks.complete,
    title="Complete task",
    schema=schemas.name_task("complete"),
    check=arguments.read(arguments.One),
    idempotent=True,
)
def task_complete(work: Work, args: arguments.One) -> Reply:
    """Mark a task as complete"""
    return _one(work, tasks.complete(work, args.task_id).task)


@tool(
    tasks.delete,
    title="Delete task",
    schema=schemas.name_task("delete"),
    check=arguments.read(arguments.One),
    destructive=True,
)
def task_delete(work: Work, args: arguments.One) -> Reply:
    """Delete a task permanently"""
    tasks.delete(work, args.task_id)
    return answers.say({"success": True, "task_id": args.task_id})


@tool(search.find_parts, title="Search tasks", schema=schemas.SEARCH, check=arguments.read(arguments.Query))
def task_search(work: Work, args: arguments.Query) -> Reply:
    """Search tasks by keywords in title or notes"""
    return _many(work, search.find_parts(work, args.query, places=args.places()))


@tool(stats.summarize, title="Task statistics", schema=schemas.STATS, check=arguments.read(arguments.Grouping))
def task_stats(work: Work, args: arguments.Grouping) -> Reply:
    """Get task statistics grouped by project, priority, or status"""
    return answers.say(answers.count(stats.summarize(work), args.group_by))


def _one(work: Work, task: Task) -> Reply:
    return answers.say(answers.show(task, users.me(work).handle))


def _many(work: Work, found: tuple[Task, ...] | list[Task]) -> Reply:
    handle = users.me(work).handle if found else ""
    return answers.say([answers.show(task, handle) for task in found])
