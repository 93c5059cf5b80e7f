"""What one can do with workspaces."""

from __future__ import annotations

import os.path

from taskpilot.domain import text
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.workspace import NAME_MOST, Workspace, parse_path
from taskpilot.store.work import Work


@reads
def list_all(work: Work) -> list[tuple[Workspace, int]]:
    """Every workspace with its number of open tasks."""
    return work.workspaces.all()


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
            name=text.line(name or os.path.basename(path) or path, "A workspace name", NAME_MOST),
            created_at=work.now,
            updated_at=work.now,
        )
    )
    work.record("workspace.created", None, workspace)
    return workspace
