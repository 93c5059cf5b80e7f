"""The six tools, for the signed-in user."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from typing import Any, TypeVar
from uuid import uuid4

from taskpilot.contracts.todo import answers, arguments, schemas
from taskpilot.domain.errors import NotFound, TaskPilotError, Unauthenticated
from taskpilot.domain.selection import Sort
from taskpilot.domain.task import Task
from taskpilot.ops import tasks, users
from taskpilot.store.work import Work
from taskpilot.toolkit import Reply, tool

R = TypeVar("R")
DECLINED = Reply(
    "Okay, I haven't deleted anything.",
    {"tool_name": "delete_task", "success": False, "error": "The user did not confirm."},
)

log = logging.getLogger(__name__)


def told(handler: Callable[[Work, Any], R]) -> Callable[[Work, Any], R]:
    """Let even a bug end in a sentence the chatbot can say. Nothing of what it did is kept."""

    @functools.wraps(handler)
    def run(work: Work, args: Any) -> R:
        try:
            return handler(work, args)
        except TaskPilotError:
            raise
        except Exception as error:
            incident = uuid4().hex[:12]
            name = f"todo.{handler.__name__}"
            log.error("bug %s in %s", incident, name, exc_info=error, extra={"incident": incident})
            raise answers.Unexpected(f"Internal error {incident}.") from None

    return run


@tool(
    tasks.create,
    title="Create task",
    schema=schemas.CREATE,
    check=arguments.read(arguments.Create),
    output=schemas.TASK,
)
@told
def create_task(work: Work, args: arguments.Create) -> Reply:
    """Create a new task with a title and optional description. Use this when the user wants to add a new item to their
    todo list."""
    user_id = _sign_in(work)
    task = tasks.create(work, [{"title": args.title, "description": args.description}]).tasks[0]
    return Reply(f"I've added '{task.title}' to your list. It's task #{task.id}.", answers.show(task, user_id))


@tool(
    tasks.list_slice,
    title="List tasks",
    schema=schemas.LIST,
    check=arguments.read(arguments.Listing),
    output=schemas.TASKS,
)
@told
def list_tasks(work: Work, args: arguments.Listing) -> Reply:
    """Get a list of the user's tasks. Can filter by completion status. Use this when the user wants to see their todo
    list."""
    user_id = _sign_in(work)
    found = tasks.list_slice(work, args.selection(), sort=Sort.OLDEST, limit=args.limit, offset=args.offset, total=True)
    data = {
        "tasks": [answers.show(task, user_id) for task in found.items],
        "total": found.total,
        "limit": args.limit,
        "offset": args.offset,
    }
    return Reply(answers.tell_list(found.items, found.total or 0), data)


@tool(
    tasks.get,
    title="Get task",
    schema=schemas.name_task("retrieve"),
    check=arguments.read(arguments.One),
    output=schemas.TASK,
)
@told
def get_task(work: Work, args: arguments.One) -> Reply:
    """Get details of a specific task by its ID. Use this when the user asks about a particular task."""
    user_id = _sign_in(work)
    task = tasks.get(work, args.task_id)
    return Reply(answers.tell_details(task), answers.show(task, user_id))


@tool(
    tasks.update,
    title="Update task",
    schema=schemas.UPDATE,
    check=arguments.read(arguments.Update),
    output=schemas.TASK,
)
@told
def update_task(work: Work, args: arguments.Update) -> Reply:
    """Update a task's title, description, or completion status. Use this when the user wants to modify an existing
    task."""
    user_id = _sign_in(work)
    changes = args.changes()
    task = tasks.update(work, args.task_id, changes, completed=args.completed).task
    text = answers.tell_update(
        task, title="title" in changes, description="description" in changes, completed=args.completed is not None
    )
    return Reply(text, answers.show(task, user_id))


@told
def ask_delete(work: Work, args: arguments.One) -> str:
    _sign_in(work)
    return f"Are you sure you want to delete {_name(tasks.get(work, args.task_id))}? This cannot be undone. (yes/no)"


@tool(
    tasks.delete,
    title="Delete task",
    schema=schemas.name_task("delete"),
    check=arguments.read(arguments.One),
    output=schemas.DONE,
    confirm=ask_delete,
    declined=DECLINED,
    destructive=True,
)
@told
def delete_task(work: Work, args: arguments.One) -> Reply:
    """Permanently delete a task. Use this when the user wants to remove a task from their list. ALWAYS confirm with
    the user before calling this function."""
    _sign_in(work)
    gone = tasks.delete(work, args.task_id)[0]
    text = f"Done! I've deleted {_name(gone)} from your list."
    return Reply(text, {"tool_name": "delete_task", "success": True})


@tool(
    tasks.toggle,
    title="Toggle completion",
    schema=schemas.name_task("toggle"),
    check=arguments.read(arguments.One),
    output=schemas.TASK,
)
@told
def toggle_complete(work: Work, args: arguments.One) -> Reply:
    """Toggle a task's completion status. If it's incomplete, mark it complete. If it's complete, mark it incomplete.
    Use this when the user wants to mark a task as done or undone."""
    user_id = _sign_in(work)
    task = tasks.toggle(work, args.task_id).task
    return Reply(answers.tell_toggle(task), answers.show(task, user_id))


def _name(task: Task) -> str:
    return f"task #{task.id} ('{task.title}')"


def _sign_in(work: Work) -> str:
    """The caller's UUID. A caller who is nobody has been signed out."""
    try:
        return users.me(work).uuid
    except NotFound:
        raise Unauthenticated("Nobody is signed in.") from None
