"""The five tools, each for the user it names."""

from __future__ import annotations

from taskpilot.contracts.simple import answers, arguments, schemas
from taskpilot.domain.errors import Invalid, NotFound
from taskpilot.domain.selection import Selection, Sort
from taskpilot.ops import tasks, users
from taskpilot.store.work import Work
from taskpilot.toolkit import Reply, tool


@tool(tasks.create, title="Add task", schema=schemas.ADD, check=arguments.read(arguments.Add), output=schemas.TASK)
def add_task(work: Work, args: arguments.Add) -> Reply:
    """Add a task to a user's list."""
    theirs = act_for(work, args.user_id)
    try:
        users.ensure(work, args.user_id)
    except Invalid:
        raise Invalid(str(arguments.broken_user(str(args.user_id)))) from None
    return answers.show(tasks.create(theirs, [{"title": args.title, "description": args.description}]).tasks[0])


@tool(
    tasks.list_slice,
    title="List tasks",
    schema=schemas.LIST,
    check=arguments.read(arguments.User),
    output=schemas.TASKS,
)
def list_tasks(work: Work, args: arguments.User) -> Reply:
    """All tasks of a user, newest first."""
    everything = Selection(statuses=tasks.KEPT)
    return answers.show_all(tasks.list_slice(act_for(work, args.user_id), everything, sort=Sort.NEWEST).items)


@tool(
    tasks.complete,
    title="Complete task",
    schema=schemas.ONE,
    check=arguments.read(arguments.One),
    output=schemas.TASK,
    idempotent=True,
)
def complete_task(work: Work, args: arguments.One) -> Reply:
    """Mark a user's task completed. Safe to repeat."""
    return answers.show(tasks.complete(act_for(work, args.user_id), args.task_id, refresh=True).task)


@tool(
    tasks.update,
    title="Update task",
    schema=schemas.UPDATE,
    check=arguments.read(arguments.Update),
    output=schemas.TASK,
)
def update_task(work: Work, args: arguments.Update) -> Reply:
    """Change the title of a user's task, its description, or both."""
    return answers.show(tasks.update(act_for(work, args.user_id), args.task_id, args.changes(), refresh=True).task)


@tool(
    tasks.delete,
    title="Delete task",
    schema=schemas.ONE,
    check=arguments.read(arguments.One),
    output=schemas.DELETED,
    destructive=True,
)
def delete_task(work: Work, args: arguments.One) -> Reply:
    """Delete a user's task for good."""
    tasks.delete(act_for(work, args.user_id), args.task_id)
    return answers.say({"task_id": args.task_id, "deleted": True, "message": "Task successfully deleted"})


def act_for(work: Work, user_id: int) -> Work:
    """The work of the user a call names. On a server without sign-in that may be anyone; else, the caller."""
    if not work.caller.trusted and work.caller.user != user_id:
        raise NotFound("Task not found")
    return work.for_user(user_id)
