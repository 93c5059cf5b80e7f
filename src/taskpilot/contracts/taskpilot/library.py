"""The resources: workspaces, what is in each of them, single tasks, and prose."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from taskpilot.contracts.taskpilot import addresses, answers, layout, prose, reports
from taskpilot.contracts.taskpilot.addresses import CURRENT, SHELVES
from taskpilot.contracts.taskpilot.vocabulary import write_id
from taskpilot.domain.errors import NotFound, TaskPilotError
from taskpilot.domain.events import Event
from taskpilot.domain.moments import wire
from taskpilot.domain.operation import reads
from taskpilot.domain.selection import Selection, Sort
from taskpilot.domain.task import Task, parse_id
from taskpilot.domain.workspace import Workspace
from taskpilot.ops import rules, tasks, workbench, workspaces
from taskpilot.store.work import Work
from taskpilot.toolkit import Annotations, Document, Library, Resource, Template

JSON, MARKDOWN = "application/json", "text/markdown"
PAGE = 500
MOST_TASKS = 5_000
"""In one document; its `_meta` says how many there are."""

WORKSPACES = Resource(
    uri=addresses.WORKSPACES,
    name="All Workspaces",
    title="🏢 TaskPilot Workspaces",
    description="List of all registered workspaces",
)
ABOUT = {
    "tasks": ("Current Tasks", "📋 Active Workspace Tasks", "All tasks in the current workspace", JSON, 0.9),
    "rules": (
        "Workspace Rules",
        "📝 Project Rules & Guidelines",
        "Project-specific coding standards and rules",
        MARKDOWN,
        0.8,
    ),
    "status": ("Project Status", "📊 Project Status", "Project status summary", JSON, 0.7),
    "files": ("Connected Files", "📁 Connected Files", "Connected files list", JSON, 0.6),
}
TEMPLATES = (
    Template(
        uri=addresses.TASK_TEMPLATE,
        name="Workspace Task",
        title="📌 A Task of a Workspace",
        description="One task, whole; the workspace's number or current, and the task's id",
        annotations=Annotations(audience=("assistant",), priority=0.9),
    ),
    Template(
        uri=addresses.PROMPT_TEMPLATE,
        name="Prompts",
        title="💬 Prose for People",
        description="What happened in the current workspace, told in words",
        mime=MARKDOWN,
        annotations=Annotations(audience=("user",), priority=0.5),
    ),
)


@reads
def shelve(work: Work) -> Sequence[Resource]:
    """All workspaces, the current one's four, those of each, then the prompts."""
    listed = [WORKSPACES, *_shelve_four(CURRENT)]
    for workspace, _ in sorted(workspaces.list_all(work), key=lambda item: item[0].id):
        listed += _shelve_four(str(workspace.id), workspace.name)
    return [*listed, *(_shelve_prompt(name) for name in prose.NAMES)]


@reads
def read(work: Work, uri: str) -> Sequence[Document]:
    """One resource, made from the database as it is now."""
    if uri == addresses.WORKSPACES:
        return [_show(WORKSPACES, uri, _write(_list_workspaces(work)))]
    try:
        if shelf := addresses.read_shelf(uri):
            return [_read_shelf(work, uri, *shelf)]
        if named := addresses.read_task(uri):
            return [_read_task(work, uri, *named)]
        if name := addresses.read_prompt(uri):
            return [show_prompt(*prose.tell(work, name, {}))]
    except TaskPilotError:
        pass
    raise NotFound(f"Resource not found: {uri}")


def touched(event: Event) -> Iterator[str]:
    """Whatever happens in a workspace makes it the current one, so all that is read as current may differ."""
    moved = [] if event.noun != "task" else [(event.before or {}).get("workspace"), event.after.get("workspace")]
    places = dict.fromkeys(place for place in (event.workspace, *moved) if place is not None)
    if not places and event.noun != "store":
        return
    yield addresses.WORKSPACES
    for place in (*places, CURRENT):
        shelves = SHELVES if place == CURRENT else _CHANGES.get(event.noun, ())
        yield from (addresses.write_shelf(place, shelf) for shelf in shelves)
        if event.noun == "task":
            yield addresses.write_task(place, event.subject)
    yield from (addresses.write_prompt(name) for name in prose.NAMES)


_CHANGES: dict[str, tuple[str, ...]] = {
    "task": ("tasks", "status", "files"),
    "rule": ("rules",),
    "session": ("status",),
    "workspace": ("rules", "status"),
}
"""What tells of which noun."""


def reshelved(event: Event) -> bool:
    """A new workspace, one that has a name now, or another database altogether."""
    return event.noun == "store" or (event.noun == "workspace" and (event.before is None or "name" in event.after))


LIBRARY = Library(shelve=shelve, read=read, templates=TEMPLATES, touched=touched, reshelved=reshelved)


def show_task(workspace: int | str, task: Task, uri: str = "") -> Document:
    """A task as a document."""
    return Document(
        uri=uri or addresses.write_task(workspace, task.id),
        name=write_id(task.id),
        title=task.title,
        mime=JSON,
        text=_write(answers.task_row(task)),
        annotations=Annotations(
            audience=("user", "assistant"), priority=0.9, last_modified=wire(task.updated_at) or ""
        ),
    )


def show_prompt(name: str, told: str) -> Document:
    return _show(_shelve_prompt(name), addresses.write_prompt(name), told)


def _shelve_four(named: str, of: str = "") -> list[Resource]:
    return [
        Resource(
            uri=addresses.write_shelf(named, shelf),
            name=f"{name}: {of}" if of else name,
            title=f"{title}: {of}" if of else title,
            description=description.replace("the current workspace", f"the workspace {of}") if of else description,
            mime=mime,
            annotations=Annotations(audience=("assistant",), priority=priority),
        )
        for shelf, (name, title, description, mime, priority) in ABOUT.items()
    ]


def _shelve_prompt(name: str) -> Resource:
    about = prose.ABOUT[name]
    return Resource(
        uri=addresses.write_prompt(name),
        name=about.title,
        description=about.description,
        mime=MARKDOWN,
        annotations=Annotations(audience=("user",), priority=0.5),
    )


def _read_shelf(work: Work, uri: str, named: str, shelf: str) -> Document:
    workspace = reports.find_workspace(work, named)
    about = next(entry for entry in _shelve_four(CURRENT) if entry.uri.endswith(f"/{shelf}"))
    if shelf == "tasks":
        return _show(about, uri, *_list_tasks(work, workspace))
    if shelf == "rules":
        listed = rules.list_all(work, workspace.id) if workspace else []
        return _show(about, uri, layout.write_rules(workspace.name if workspace else "no workspace yet", listed))
    if shelf == "files":
        found = workspaces.list_files(work, workspace.id) if workspace else {}
        rows = [{"path": path, "tasks": [write_id(number) for number in ids]} for path, ids in found.items()]
        return _show(about, uri, _write(rows))
    if workspace is None:
        return _show(about, uri, _write({"operation": "status", "workspace": None, "total": 0}))
    return _show(about, uri, _write(reports.report_standing(work, workspaces.outline(work, workspace.id))))


def _read_task(work: Work, uri: str, named: str, task_id: str) -> Document:
    workspace = reports.find_workspace(work, named)
    task = workbench.get_task(work, workspace.id if workspace else 0, parse_id(task_id))
    if workspace is None or task.workspace != workspace.id:
        raise NotFound(f"Resource not found: {uri}")
    return show_task(workspace.id, task, uri)


def _list_workspaces(work: Work) -> list[dict[str, Any]]:
    current = workspaces.find_current(work)
    return [
        {
            **answers.workspace_row(workspace),
            "open_tasks": number,
            "current": current is not None and current.id == workspace.id,
        }
        for workspace, number in workspaces.list_all(work)
    ]


def _list_tasks(work: Work, workspace: Workspace | None) -> tuple[str, dict[str, Any]]:
    """All but the dropped, highest priority first."""
    if workspace is None:
        return "[]", {"total": 0}
    selection = Selection(workspace=workspace.id, statuses=tasks.KEPT)
    found, cursor = list[Task](), ""
    while cursor is not None and len(found) < MOST_TASKS:
        page = tasks.list_page(work, selection, sort=Sort.PRIORITY, limit=PAGE, cursor=cursor or None)
        found, cursor = [*found, *page.items], page.cursor
    total = len(found) if cursor is None else workspaces.outline(work, workspace.id, most=1).kept
    return _write([answers.task_row(task) for task in found]), {"total": total}


def _show(about: Resource, uri: str, text: str, meta: dict[str, Any] | None = None) -> Document:
    return Document(
        uri=uri,
        name=about.name,
        title=about.title,
        mime=about.mime,
        text=text,
        annotations=about.annotations,
        meta=meta,
    )


def _write(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
