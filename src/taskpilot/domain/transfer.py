"""Everything a user owns as one document: what may stand in it, and what it means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from datetime import datetime
from graphlib import CycleError, TopologicalSorter
from typing import Any, TypeVar, cast

from taskpilot.domain import project, rule, text, workspace
from taskpilot.domain.errors import Conflict, Invalid, TaskPilotError
from taskpilot.domain.events import plain
from taskpilot.domain.fields import RECURRENCE_MOST, REFERENCE_MOST
from taskpilot.domain.moments import When, parse_iso
from taskpilot.domain.project import Project
from taskpilot.domain.rule import Rule
from taskpilot.domain.session import Session
from taskpilot.domain.task import (
    ESTIMATE_MOST,
    ID_MOST,
    LIST_MOST,
    PROSE_MOST,
    TITLE_MOST,
    Energy,
    Priority,
    Reference,
    Status,
    Task,
    parse_commands,
    parse_paths,
    parse_rank,
    parse_tags,
)
from taskpilot.domain.workspace import Workspace

FORMAT = "taskpilot"
VERSION = 1
VERSION_MOST = 2**31 - 1
SECTIONS = ("projects", "tags", "workspaces", "rules", "sessions", "tasks")
ASIDE = ("exported_at", "user", "record")
"""What a document also tells, for people to read: nothing is made of it."""
WRITTEN = {
    "project_id": "project_id",
    "workspace": "workspace_id",
    "parent": "parent_id",
    "follows": "follows_id",
}
"""Field → its name in a document, where they differ."""

Read = Callable[[Any], Any]
E = TypeVar("E")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parcel:
    """A document that makes sense in itself. The ids are the document's own, and nobody owns anything yet."""

    projects: tuple[Project, ...] = ()
    tags: tuple[str, ...] = ()
    workspaces: tuple[Workspace, ...] = ()
    rules: tuple[Rule, ...] = ()
    sessions: tuple[Session, ...] = ()
    tasks: tuple[Task, ...] = ()


def write(entity: Any) -> dict[str, Any]:
    """An entity as a document has it: without its owner, and without what goes without saying."""
    written: dict[str, Any] = {}
    for item in fields(entity):
        value = getattr(entity, item.name)
        if item.name in ("owner", "project") or (item.default is not MISSING and value == item.default):
            continue
        written[WRITTEN.get(item.name, item.name)] = _plain(item.name, value)
    return written


def _plain(name: str, value: Any) -> Any:
    if name == "priority":
        return value.word
    if name == "external_refs":
        return [reference._asdict() for reference in value]
    return plain(value)


def read(document: Any) -> Parcel:
    """Strict: a name or a value that means nothing is refused, and the error says where it stands."""
    given = _object(document, "The document")
    if given.get("format") != FORMAT or given.get("version") != VERSION:
        raise Invalid(
            f"This is no TaskPilot export of version {VERSION}.",
            hint=f'It begins with "format": "{FORMAT}" and "version": {VERSION}.',
        )
    unknown = [name for name in given if name not in ("format", "version", *SECTIONS, *ASIDE)]
    if unknown:
        raise Invalid(
            f"There is no section {text.shorten(unknown[0], 60)!r}.", hint=f"Sections: {', '.join(SECTIONS)}."
        )
    for name in ("user", "record"):
        _object(given.get(name, {}), name)
    parcel = Parcel(
        projects=_read_all(given, "projects", Project, _PROJECT),
        tags=tuple(
            dict.fromkeys(tag for (tag,) in _read_list(given, "tags", lambda value: parse_tags([_text(value)])))
        ),
        workspaces=_read_all(given, "workspaces", Workspace, _WORKSPACE),
        rules=_read_all(given, "rules", Rule, _RULE),
        sessions=_read_all(given, "sessions", Session, _SESSION),
        tasks=_read_all(given, "tasks", Task, _TASK, _settle),
    )
    _check_links(parcel)
    return parcel


def _read_list(document: Mapping[str, Any], section: str, each: Read) -> list[Any]:
    given = document.get(section, [])
    if not isinstance(given, list):
        raise Invalid(f"{section} is not a list.", hint="Leave it out, or give a list.")
    return [_at(f"{section}[{number}]", each, item) for number, item in enumerate(cast("list[Any]", given))]


def _read_all(
    document: Mapping[str, Any],
    section: str,
    entity: type[E],
    readers: Mapping[str, Read],
    settle: Callable[[dict[str, Any]], dict[str, Any]] = lambda values: values,
) -> tuple[E, ...]:
    needed = {WRITTEN.get(item.name, item.name) for item in fields(cast(Any, entity)) if item.default is MISSING}
    needed &= readers.keys()

    def one(given: Any) -> E:
        values = _object(given, "This")
        missing = sorted(needed - values.keys())
        if missing:
            raise Invalid(f"{missing[0]} is missing.")
        read: dict[str, Any] = {}
        for name, value in values.items():
            if name not in readers:
                raise Invalid(f"There is no field {text.shorten(name, 60)!r}.", hint=f"Fields: {', '.join(readers)}.")
            read[_FIELD.get(name, name)] = _at(f".{name}", readers[name], value)
        return cast(Any, entity)(owner=0, **settle(read))

    return tuple(_read_list(document, section, one))


def _at(place: str, read: Read, value: Any) -> Any:
    """Read a value; whatever is wrong with it is told with its place."""
    try:
        return read(value)
    except TaskPilotError as error:
        further = error.message.startswith((".", "["))  # the place of something inside
        raise type(error)(f"{place}{'' if further else ': '}{error.message}", hint=error.hint) from None
    except (ValueError, TypeError, OverflowError):
        raise Invalid(f"{place}: this means nothing: {text.shorten(repr(value), 60)}.") from None


def _settle(values: dict[str, Any]) -> dict[str, Any]:
    """Where fields of a task contradict each other, its status is right."""
    done = values.get("status", Status.TODO) is Status.DONE
    if done:
        values["progress"] = 100
        values["completed_at"] = values.get("completed_at") or values["updated_at"]
    else:
        values["progress"] = 0 if values.get("progress") == 100 else values.get("progress", 0)
        values["completed_at"] = None
    if values.get("recurrence"):
        values["recurs_from"] = values.get("recurs_from") or values.get("due_date") or values["created_at"].date()
    return values


def _check_links(parcel: Parcel) -> None:
    projects = _number(parcel.projects, "projects")
    workspaces = _number(parcel.workspaces, "workspaces")
    tasks = _number(parcel.tasks, "tasks")
    _number(parcel.rules, "rules")
    _number(parcel.sessions, "sessions")
    _forbid_twins("projects", "name", [each.name for each in parcel.projects])
    _forbid_twins("workspaces", "path", [each.path for each in parcel.workspaces])
    for section, things in (("rules", parcel.rules), ("sessions", parcel.sessions)):
        for number, each in enumerate(things):
            _find(workspaces, each.workspace, f"{section}[{number}].workspace_id", "workspaces")
    open_in = [each.workspace for each in parcel.sessions if each.ended_at is None]
    if len(open_in) > len(set(open_in)):
        raise Conflict("Two sessions are open in one workspace.", hint="Give all but one of them an ended_at.")
    for number, task in enumerate(parcel.tasks):
        for name, given, there, section in (
            ("project_id", task.project_id, projects, "projects"),
            ("workspace_id", task.workspace, workspaces, "workspaces"),
            ("parent_id", task.parent, tasks, "tasks"),
            ("follows_id", task.follows, tasks, "tasks"),
            *(("blocked_by", blocker, tasks, "tasks") for blocker in task.blocked_by),
        ):
            _find(there, given, f"tasks[{number}].{name}", section)
    _forbid_circle({task.id: task.blocked_by for task in parcel.tasks}, "wait on")
    _forbid_circle({task.id: (task.parent,) for task in parcel.tasks if task.parent}, "are part of")
    _forbid_circle({task.id: (task.follows,) for task in parcel.tasks if task.follows}, "follow")


def _number(things: Iterable[Any], section: str) -> set[int]:
    ids = [each.id for each in things]
    _forbid_twins(section, "id", ids)
    return set(ids)


def _forbid_twins(section: str, name: str, values: list[Any]) -> None:
    seen: set[Any] = set()
    for number, value in enumerate(values):
        if value in seen:
            raise Conflict(f"{section}[{number}].{name}: {value!r} is there twice.", hint="Each can be there once.")
        seen.add(value)


def _find(there: set[int], given: int | None, place: str, section: str) -> None:
    if given is not None and given not in there:
        raise Conflict(f"{place}: {given} is not among the {section}.", hint="Leave it out, or add what it names.")


def _forbid_circle(links: Mapping[int, Iterable[int]], verb: str) -> None:
    try:
        TopologicalSorter(links).prepare()
    except CycleError as error:
        circle: list[int] = error.args[1]
        named = ", ".join(map(str, circle[:10]))
        raise Conflict(
            f"tasks: these {verb} each other in a circle: {named}.", hint="Leave out one link of it."
        ) from None


def _object(given: Any, name: str) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise Invalid(f"{name} is not an object.", hint='An object looks like {"name": "value"}.')
    return cast("dict[str, Any]", given)


def _text(given: Any) -> str:
    if not isinstance(given, str):
        raise Invalid(f"This is not a text: {text.shorten(repr(given), 60)}.")
    return given


def _whole(least: int, most: int) -> Read:
    def read(given: Any) -> int:
        if type(given) is not int or not least <= given <= most:
            raise Invalid(f"This is not a whole number from {least} to {most}: {text.shorten(repr(given), 60)}.")
        return given

    return read


def _moment(given: Any) -> datetime:
    found = parse_iso(_text(given))
    if not isinstance(found, datetime):
        raise Invalid(f"{text.shorten(given, 60)!r} is not a moment.", hint="Write 2026-01-22T10:30:00Z.")
    return found


def _when(given: Any) -> When:
    found = parse_iso(_text(given))
    if found is None:
        raise Invalid(f"{text.shorten(given, 60)!r} is not a date.", hint="Write 2026-01-22 or 2026-01-22T10:30:00Z.")
    return found


def _line(name: str, most: int, least: int = 1) -> Read:
    return lambda given: text.line(_text(given), name, most, least)


def _prose(name: str, most: int) -> Read:
    return lambda given: text.prose(_text(given), name, most)


def _one_of(choices: Mapping[str, Any]) -> Read:
    def read(given: Any) -> Any:
        if _text(given) not in choices:
            raise Invalid(f"{text.shorten(given, 60)!r} is not one of: {', '.join(choices)}.")
        return choices[given]

    return read


def _or_none(read: Read) -> Read:
    return lambda given: None if given is None else read(given)


def _list(each: Read, most: int = LIST_MOST) -> Read:
    def read(given: Any) -> tuple[Any, ...]:
        if not isinstance(given, list) or len(cast("list[Any]", given)) > most:
            raise Invalid(f"This is not a list of at most {most}.")
        return tuple(_at(f"[{number}]", each, item) for number, item in enumerate(cast("list[Any]", given)))

    return read


def _reference(given: Any) -> Reference:
    values = _object(given, "A reference")
    if set(values) != set(Reference._fields):
        raise Invalid("A reference has a system, a key and a url.")
    return Reference(**{name: _line("A reference", REFERENCE_MOST, 0)(value) for name, value in values.items()})


_FIELD = {written: name for name, written in WRITTEN.items()}
_id = _whole(1, ID_MOST)
_paths = _list(_text)
_tags = _list(_text)
_OPEN = {status.value: status for status in Status if status.open}
_VERSIONED: dict[str, Read] = {
    "id": _id,
    "created_at": _moment,
    "updated_at": _moment,
    "version": _whole(1, VERSION_MOST),
}
_PROJECT: dict[str, Read] = {
    **_VERSIONED,
    "name": _line("A project name", project.NAME_MOST),
    "colour": lambda given: project.parse_colour(_text(given)),
    "description": _prose("A project description", project.DESCRIPTION_MOST),
}
_WORKSPACE: dict[str, Read] = {
    **_VERSIONED,
    "path": lambda given: workspace.parse_path(_text(given)),
    "name": _line("A workspace name", workspace.NAME_MOST),
    "requirements": _prose("Requirements", PROSE_MOST),
    "tech_stack": _prose("A tech stack", workspace.STACK_MOST),
    "initialised_at": _or_none(_moment),
}
_RULE: dict[str, Read] = {
    **_VERSIONED,
    "workspace_id": _id,
    "kind": lambda given: rule.parse_kind(_text(given)),
    "content": lambda given: rule.parse_content(_text(given)),
}
_SESSION: dict[str, Read] = {
    "id": _id,
    "workspace_id": _id,
    "started_at": _moment,
    "ended_at": _or_none(_moment),
}
_TASK: dict[str, Read] = {
    **_VERSIONED,
    "title": _line("Title", TITLE_MOST),
    "description": _prose("Description", PROSE_MOST),
    "notes": _prose("Notes", PROSE_MOST),
    "status": _one_of({status.value: status for status in Status}),
    "reopens_as": _one_of(_OPEN),
    "priority": _one_of({priority.word: priority for priority in Priority}),
    "progress": _whole(0, 100),
    "energy": _one_of({energy.value: energy for energy in Energy}),
    "time_estimate": _line("Time estimate", ESTIMATE_MOST, 0),
    "project_id": _or_none(_id),
    "workspace_id": _or_none(_id),
    "parent_id": _or_none(_id),
    "follows_id": _or_none(_id),
    "tags": lambda given: parse_tags(_tags(given)),
    "blocked_by": lambda given: tuple(sorted(set(_list(_id)(given)))),
    "connected_files": lambda given: parse_paths(_paths(given)),
    "external_refs": _list(_reference),
    "acceptance": lambda given: parse_commands(_paths(given)),
    "due_date": _or_none(_when),
    "scheduled_start": _or_none(_when),
    "remind_at": _or_none(_when),
    "recurrence": lambda given: (
        text.line(_text(given), "Recurrence", RECURRENCE_MOST, 0).upper().removeprefix("RRULE:")
    ),
    "recurs_from": _or_none(_when),
    "started_at": _or_none(_moment),
    "completed_at": _or_none(_moment),
    "rank": _or_none(parse_rank),
}
