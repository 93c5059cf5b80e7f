"""What one can do with workspaces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from taskpilot.domain import text
from taskpilot.domain.errors import NotFound
from taskpilot.domain.events import Event
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.selection import Selection, Sort
from taskpilot.domain.session import Session
from taskpilot.domain.task import Priority, Status, Task
from taskpilot.domain.version import expect
from taskpilot.domain.workspace import NAME_MOST, Line, Workspace, name_folder, parse_path
from taskpilot.store.work import Work


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """A workspace at a glance, the same size however many tasks it has."""

    workspace: Workspace
    session: Session | None
    by_status: Mapping[Status, int]
    by_priority: Mapping[Priority, int]
    """Of open tasks."""
    open: tuple[Task, ...]
    """The most urgent ones."""

    @property
    def total(self) -> int:
        return sum(self.by_status.values())

    @property
    def kept(self) -> int:
        """All that was not dropped."""
        return self.total - self.by_status.get(Status.DROPPED, 0)

    @property
    def left(self) -> int:
        return sum(number for status, number in self.by_status.items() if status.open)

    @property
    def completed(self) -> int:
        return self.by_status.get(Status.DONE, 0)

    @property
    def completion_rate(self) -> float:
        """Percent of all that was not dropped, two decimals."""
        return round(100 * self.completed / self.kept, 2) if self.kept else 0.0


@dataclass(frozen=True, slots=True)
class Sheet:
    """The tasks of a workspace as a list on paper shows them."""

    workspace: Workspace
    open: tuple[Line, ...]
    """The most urgent ones."""
    done: tuple[Line, ...]
    """The latest."""
    left: int
    completed: int


@reads
def list_all(work: Work) -> list[tuple[Workspace, int]]:
    """Every workspace with its number of open tasks."""
    return work.workspaces.all()


@reads
def find(work: Work, path: str) -> Workspace:
    """The workspace of a folder."""
    path = parse_path(path)
    found = work.workspaces.find(path)
    if found is None:
        raise NotFound(f"{path} is not a workspace yet.", hint="Initialize it first.")
    return found


@reads
def find_current(work: Work) -> Workspace | None:
    """The caller's workspace that was initialised, started or written to last, through any door."""
    return work.workspaces.current()


@writes
def open_folder(work: Work, path: str, *, name: str = "") -> Workspace:
    """The workspace of a folder, made on first use. Safe to repeat."""
    path = parse_path(path)
    found = work.workspaces.find(path)
    if found is not None:
        return found
    workspace = work.workspaces.add(
        Workspace(
            id=0,
            owner=work.caller.user,
            path=path,
            name=text.line(name or name_folder(path), "A workspace name", NAME_MOST),
            created_at=work.now,
            updated_at=work.now,
        )
    )
    work.record("workspace.created", None, workspace)
    return workspace


@writes
def rename(work: Work, workspace_id: int, name: str, *, version: int | None = None) -> Workspace:
    """Give a workspace another name; its folder stays. `version` refuses a change made on an old view."""
    before = work.workspaces.get(workspace_id)
    expect(f"Workspace {before.id}", before.version, version)
    name = text.line(name, "A workspace name", NAME_MOST)
    if name == before.name:
        return before
    after = replace(before, name=name, updated_at=work.now, version=before.version + 1)
    work.record("workspace.renamed", before, work.workspaces.save(after))
    return after


@reads(quick=True)
def get(work: Work, workspace_id: int) -> Workspace:
    """One workspace."""
    return work.workspaces.get(workspace_id)


@reads
def outline(work: Work, workspace_id: int, *, most: int = 20) -> Outline:
    """Counts, the open session, what is most urgent, and what was done last."""
    workspace = work.workspaces.get(workspace_id)
    statuses, priorities = Counter[Status](), Counter[Priority]()
    for status, priority, number in work.workspaces.counts(workspace.id):
        statuses[Status(status)] += number
        if Status(status).open:
            priorities[Priority(priority)] += number
    return Outline(
        workspace=workspace,
        session=work.sessions.find_open(workspace.id),
        by_status=statuses,
        by_priority=priorities,
        open=work.tasks.page(Selection(workspace=workspace.id), Sort.PRIORITY, most).items,
    )


@reads
def list_lines(work: Work, workspace_id: int, *, most: int, most_done: int) -> Sheet:
    """The tasks of a workspace for a list on paper; a tenth of the cost of the tasks themselves."""
    workspace = work.workspaces.get(workspace_id)
    statuses = Counter[Status]()
    for status, _, number in work.workspaces.counts(workspace.id):
        statuses[Status(status)] += number
    return Sheet(
        workspace,
        tuple(work.workspaces.open_lines(workspace.id, most)),
        tuple(work.workspaces.done_lines(workspace.id, most_done)) if statuses[Status.DONE] else (),
        sum(number for status, number in statuses.items() if status.open),
        statuses[Status.DONE],
    )


@reads
def list_files(work: Work, workspace_id: int) -> dict[str, list[int]]:
    """Every connected file of a workspace with the tasks it belongs to, by path."""
    found: dict[str, list[int]] = {}
    for task_id, paths in work.workspaces.files(work.workspaces.get(workspace_id).id):
        for path in paths:
            found.setdefault(path, []).append(task_id)
    return dict(sorted(found.items()))


@reads
def list_events(work: Work, workspace_id: int, *, limit: int = 20) -> list[Event]:
    """What happened in a workspace last, latest first: to its tasks, rules and sessions."""
    return work.workspaces.events(work.workspaces.get(workspace_id).id, limit)
