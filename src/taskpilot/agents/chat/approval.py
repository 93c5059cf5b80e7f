"""What waits for a person's yes, and how they are asked. No model has a say in it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from taskpilot.domain import text
from taskpilot.domain.errors import Invalid
from taskpilot.domain.operation import reads
from taskpilot.domain.task import Task
from taskpilot.ops import tasks
from taskpilot.store.work import Work
from taskpilot.toolkit import Tool

NAMED_MOST = 50
"""A question that names more is not read."""
SHOWN_MOST = 4_000
DELETING = "delete task "
FINAL = "This cannot be undone. (yes/no)"
PLAIN = "(yes/no)"


@dataclass(frozen=True, slots=True)
class Matter:
    """One call that waits: what it would do, and the question if it is the only one."""

    what: str
    question: str


def needs_yes(tool: Tool, arguments: Mapping[str, Any]) -> bool:
    """Whether only a person may let this call through.

    It is the tools that say they destroy something; and, since a model may have read what it should not obey, the
    calls that take much away at once, that make programs run, or that speak for the person to a run.
    """
    if tool.destructive or arguments.get("delete") or _holds(arguments, "acceptance"):
        return True
    match tool.name:
        case "undo":
            many = arguments.get("actor") is not None or arguments.get("origin") is not None
            return many and not arguments.get("preview")
        case "run_start":
            return True
        case "run_tell":
            return not arguments.get("stop")
        case "workspace":
            return arguments.get("policy") is not None
        case _:
            return False


@reads
def pose(work: Work, tool: Tool, args: Any, arguments: Mapping[str, Any]) -> Matter:
    """What to ask before this call. Raises as the tool would where there is nothing to ask about."""
    if not tool.destructive:
        what = _describe(work, tool, arguments, args)
        return Matter(what, f"Are you sure you want me to {what}? {PLAIN}")
    task, below = _look_up(work, args.task_id)
    what = f"{DELETING}{_name(task)}"
    if not below:
        asked = tool.confirm(work, args) if tool.confirm is not None else None
        return Matter(what, asked or f"Are you sure you want to {what}? {FINAL}")
    names = ", ".join(map(_name, below[:NAMED_MOST]))
    more = f" and {len(below) - NAMED_MOST} more" if len(below) > NAMED_MOST else ""
    what += f" and its subtask{'s' if len(below) > 1 else ''} {names}{more}"
    return Matter(what, f"Are you sure you want to {what}? {FINAL}")


def ask(matters: Sequence[Matter]) -> str:
    """One question about all that waits; it names everything."""
    questions = {matter.what: matter.question for matter in matters}
    if len(questions) == 1:
        return matters[0].question
    deleting = all(what.startswith(DELETING) for what in questions)
    lines = [f"- {what.removeprefix('delete ') if deleting else what}" for what in questions]
    head = f"delete these {len(lines)} tasks?" if deleting else f"have these {len(lines)} things done?"
    more = [f"… and {len(lines) - NAMED_MOST} more"] if len(lines) > NAMED_MOST else []
    return "\n".join([f"Are you sure you want to {head}", *lines[:NAMED_MOST], *more, FINAL if deleting else PLAIN])


def _describe(work: Work, tool: Tool, arguments: Mapping[str, Any], args: Any) -> str:
    match tool.name:
        case "undo":
            whose = f"{arguments['actor']} did" if arguments.get("actor") else f"came from {arguments['origin']}"
            return f"undo all that {whose}{_add(' since ', arguments.get('since'))}"
        case "run_start":
            what = f"start {args.agent} on task {_name(tasks.get(work, args.task_id))}"
            said = _add(", with the instructions ", args.instructions, quoted=True)
            return what + _add(", as the command ", _write(args.command), quoted=True) + said
        case "run_tell":
            said = _add(" the answer ", args.answer, quoted=True) + _add(" ", args.instructions, quoted=True)
            return f"hand run {args.run} over to {args.agent}{said}" if args.agent else f"tell run {args.run}{said}"
        case _ if arguments.get("delete"):
            return f"delete the {arguments.get('kind', 'thing')} '{arguments.get('name', '')}'"
        case "workspace":
            return f"change how agents work in a folder: {_write(arguments.get('policy'))}"
        case _:
            return f"use '{tool.title}' with {_write(arguments)}"


def _add(words: str, given: object, *, quoted: bool = False) -> str:
    """What was given, after some words; nothing where nothing was."""
    shown = _show(str(given)) if given else ""
    return f"{words}'{shown}'" if shown and quoted else f"{words}{shown}" if shown else ""


def _write(given: Any) -> str:
    if given is None:
        return ""
    whole = " ".join(cast("list[str]", given)) if isinstance(given, list) else json.dumps(given, ensure_ascii=False)
    return _show(whole)


def _show(given: str) -> str:
    """Whole, or not at all: nobody can agree to what they do not see."""
    if len(given) > SHOWN_MOST:
        raise Invalid("This is too long to be agreed to.", hint="Say it in fewer words.")
    return text.clean_line(given)


def _holds(given: Any, name: str) -> bool:
    """Whether a value of that name is given, however deep."""
    if isinstance(given, Mapping):
        members = cast("Mapping[str, Any]", given)
        return bool(members.get(name)) or any(_holds(value, name) for value in members.values())
    return isinstance(given, list) and any(_holds(value, name) for value in cast("list[Any]", given))


def _look_up(work: Work, task_id: int) -> tuple[Task, list[Task]]:
    """A task, and all that would go with it."""
    task = tasks.get(work, task_id)
    ids: list[int] = []
    level = [task_id]
    while level := work.tasks.children_of(level):
        ids.extend(level)
    return task, work.tasks.many(ids) if ids else []


def _name(task: Task) -> str:
    return f"#{task.id} ('{task.title}')"
