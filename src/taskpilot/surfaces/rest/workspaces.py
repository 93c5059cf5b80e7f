"""`/api/workspaces`: folders and repositories that tasks belong to."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from starlette.responses import Response

from taskpilot import folder
from taskpilot.app import Errand
from taskpilot.domain.operation import sends, writes
from taskpilot.domain.scopes import Scope
from taskpilot.domain.task import TITLE_MOST
from taskpilot.domain.text import clean_line
from taskpilot.domain.workspace import NAME_MOST, PATH_MOST, STACK_MOST
from taskpilot.ops import audit, workbench, workspaces
from taskpilot.store.work import Work
from taskpilot.surfaces.rest.asking import create, expected_version, reply, run, send, tag
from taskpilot.surfaces.rest.group_shapes import (
    FindingOut,
    OutlineOut,
    WorkspaceOut,
    cut,
    show_finding,
    show_outline,
    show_workspace,
)
from taskpilot.surfaces.rest.people import Paging
from taskpilot.surfaces.rest.streams import show_event
from taskpilot.surfaces.rest.types import VISIBLE, Body, IdempotencyKey, IfMatch, Number

PATH = (
    "^/[^\x00-\x1f\x7f-\x9f\xad\u200b\u200c\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]*$"
)
"""The whole path of a folder, with no hidden character in it."""
Name = Annotated[str, StringConstraints(min_length=1, max_length=NAME_MOST, pattern=VISIBLE)]
Requirement = Annotated[str, StringConstraints(min_length=1, max_length=TITLE_MOST, pattern=VISIBLE)]
Stack = Annotated[str, StringConstraints(max_length=STACK_MOST)]
Sight = Literal["full", "tasks", "dependencies", "files"]

router = APIRouter(prefix="/api/workspaces", tags=["workspaces"])


class NewWorkspace(Body):
    path: Annotated[str, StringConstraints(max_length=PATH_MOST, pattern=PATH), Field(examples=["/home/ann/shop"])]
    name: Name | None = Field(None, description="Otherwise as the folder.")


class Setup(Body):
    """What to begin with."""

    requirements: list[Requirement] = Field(default_factory=list[str], max_length=100, description="A task for each.")
    tech_stack: Stack = ""


class WorkspaceChanges(Body):
    name: Name


class WorkspacesOut(BaseModel):
    workspaces: list[WorkspaceOut]
    total: int


class FileOut(BaseModel):
    path: str
    task_ids: list[int]


class FilesOut(BaseModel):
    files: list[FileOut]
    total: int


class WorkspaceEventOut(BaseModel):
    id: int
    change: int = Field(description="The first event of the same change.")
    at: str
    actor: str
    door: str
    kind: str
    subject: int
    before: dict[str, Any] | None
    after: dict[str, Any]
    reason: str
    workspace: int | None


class WorkspaceEventsOut(BaseModel):
    events: list[WorkspaceEventOut]


class EventsQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    limit: int = Field(50, ge=1, le=1000)


class AuditQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    scope: Sight = "full"


class Repair(Body):
    scope: Sight = "full"


class FixOut(BaseModel):
    finding: FindingOut
    done: str


class AuditOut(BaseModel):
    score: int = Field(description="100, less 5 for each finding.")
    tasks_checked: int
    findings: list[FindingOut]
    fixed: list[FixOut]
    files_checked: bool = Field(description="False where this server does not see the folder.")


class Asked(NamedTuple):
    workspace: int
    scope: Sight


@router.get("", response_model=WorkspacesOut)
async def list_workspaces(request: Request, page: Annotated[Paging, Query()]) -> Response:
    """Your workspaces, latest used first, each with its number of open tasks."""
    found = await run(request, workspaces.list_all)
    return reply({"workspaces": [show_workspace(*each) for each in cut(found, page)], "total": len(found)})


@router.post("", status_code=201, response_model=WorkspaceOut)
async def open_workspace(request: Request, body: NewWorkspace, key: IdempotencyKey = None) -> Response:  # noqa: ARG001
    """Make a workspace of a folder. A folder that is one already is answered as it is."""

    @writes
    def make(work: Work) -> dict[str, Any]:
        opened = workspaces.open_folder(work, body.path, name=body.name or "")
        return show_workspace(opened, workspaces.outline(work, opened.id, most=1).left)

    return await create(request, make, asked=body.model_dump(), location=lambda made: f"/api/workspaces/{made['id']}")


@router.get("/{workspace_id}", response_model=OutlineOut)
async def get_workspace(request: Request, workspace_id: Number) -> Response:
    """One workspace at a glance: counts, the open session, what is most urgent."""
    return _show(show_outline(await run(request, workspaces.outline, workspace_id)))


@router.patch("/{workspace_id}", response_model=OutlineOut)
async def rename_workspace(
    request: Request, workspace_id: Number, body: WorkspaceChanges, if_match: IfMatch = None
) -> Response:
    """Give a workspace another name. Its folder stays."""

    @writes
    def change(work: Work) -> dict[str, Any]:
        workspaces.rename(work, workspace_id, body.name, version=expected_version(if_match))
        return show_outline(workspaces.outline(work, workspace_id))

    return _show(await run(request, change))


@router.post("/{workspace_id}/setup", response_model=OutlineOut)
async def set_up_workspace(request: Request, workspace_id: Number, body: Setup) -> Response:
    """Give a workspace its first tasks and rules. Safe to repeat: what was set up stays as it is."""

    @writes
    def change(work: Work) -> dict[str, Any]:
        requirements = "\n".join(clean_line(each) for each in body.requirements)
        place = workspaces.get(work, workspace_id)
        workbench.set_up(work, place.path, requirements=requirements, tech_stack=body.tech_stack)
        return show_outline(workspaces.outline(work, workspace_id))

    return _show(await run(request, change))


@router.get("/{workspace_id}/files", response_model=FilesOut)
async def list_files(request: Request, workspace_id: Number, page: Annotated[Paging, Query()]) -> Response:
    """Files that tasks are connected with, by path."""
    found = list((await run(request, workspaces.list_files, workspace_id)).items())
    files = [{"path": path, "task_ids": ids} for path, ids in cut(found, page)]
    return reply({"files": files, "total": len(found)})


@router.get("/{workspace_id}/events", response_model=WorkspaceEventsOut)
async def list_workspace_events(
    request: Request, workspace_id: Number, asked: Annotated[EventsQuery, Query()]
) -> Response:
    """What happened last to its tasks, rules and sessions, latest first."""
    found = await run(request, workspaces.list_events, workspace_id, limit=asked.limit)
    return reply({"events": [show_event(event) for event in found]})


@router.get("/{workspace_id}/audit", response_model=AuditOut)
async def audit_workspace(request: Request, workspace_id: Number, asked: Annotated[AuditQuery, Query()]) -> Response:
    """Whatever is not in order in a workspace."""
    return reply(await send(request, inspect, Asked(workspace_id, asked.scope)))


@router.post("/{workspace_id}/audit", response_model=AuditOut)
async def repair_workspace(request: Request, workspace_id: Number, body: Repair) -> Response:
    """Put right what is safe to put right: links to dropped tasks and missing files are taken away."""
    return reply(await send(request, repair, Asked(workspace_id, body.scope)))


@sends(scope=Scope.READ)
def inspect(errand: Errand, asked: Asked) -> dict[str, Any]:
    missing = _look(errand, asked)
    report = errand.run(audit.inspect, asked.workspace, scope=asked.scope, missing=missing or ())
    return _show_audit(report, (), missing is not None)


@sends(scope=Scope.WRITE)
def repair(errand: Errand, asked: Asked) -> dict[str, Any]:
    missing = _look(errand, asked)
    repaired = errand.run(audit.repair, asked.workspace, scope=asked.scope, missing=missing or ())
    return _show_audit(repaired.report, repaired.fixed, missing is not None)


def _look(errand: Errand, asked: Asked) -> frozenset[str] | None:
    """Which connected files are not there. The disk is looked at outside of any transaction."""
    place = errand.run(workspaces.get, asked.workspace)
    return folder.look_for(errand, place.path, errand.run(workspaces.list_files, place.id))


def _show_audit(report: audit.Report, fixed: tuple[tuple[Any, str], ...], files_checked: bool) -> dict[str, Any]:
    return {
        "score": report.score,
        "tasks_checked": report.checked,
        "findings": [show_finding(finding) for finding in report.findings],
        "fixed": [{"finding": show_finding(finding), "done": done} for finding, done in fixed],
        "files_checked": files_checked,
    }


def _show(shown: dict[str, Any]) -> Response:
    return reply(shown, headers=tag(shown["version"]))
