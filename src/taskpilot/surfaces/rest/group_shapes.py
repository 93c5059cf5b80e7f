"""What the API shows of the things tasks gather in: projects, tags, workspaces with their rules and sessions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, Field

from taskpilot.domain.audit import Finding
from taskpilot.domain.moments import wire
from taskpilot.domain.project import Project
from taskpilot.domain.rule import Rule
from taskpilot.domain.session import Session
from taskpilot.domain.tag import Tag
from taskpilot.domain.task import Priority, Status, Task
from taskpilot.domain.workspace import Workspace
from taskpilot.ops.workspaces import Outline
from taskpilot.surfaces.rest.people import Paging
from taskpilot.surfaces.rest.shapes import COARSE

T = TypeVar("T")
Kind = Literal["coding", "git", "testing", "security", "performance", "custom"]


class ProjectOut(BaseModel):
    id: int
    name: str
    colour: str
    description: str
    open_tasks: int
    created_at: str
    updated_at: str
    version: int


class TagOut(BaseModel):
    id: int
    name: str
    open_tasks: int


class WorkspaceOut(BaseModel):
    id: int
    path: str
    name: str
    requirements: str
    tech_stack: str
    open_tasks: int
    created_at: str
    updated_at: str
    initialised_at: str | None = Field(description="Since when it has rules and first tasks.")
    version: int


class SessionOut(BaseModel):
    id: int
    workspace_id: int
    started_at: str
    ended_at: str | None


class BriefOut(BaseModel):
    id: int
    title: str
    status: Literal["todo", "in_progress", "review", "done"]
    state: str
    priority: str


class OutlineOut(WorkspaceOut):
    total: int
    completed: int
    completion_rate: float = Field(description="Percent of all that was not dropped.")
    by_status: dict[str, int]
    by_priority: dict[str, int] = Field(description="Of open tasks.")
    session: SessionOut | None = Field(description="The one that is open.")
    tasks: list[BriefOut] = Field(description="The most urgent ones.")


class RuleOut(BaseModel):
    id: int
    workspace_id: int
    kind: Kind
    content: str
    created_at: str
    updated_at: str
    version: int


class FindingOut(BaseModel):
    kind: str
    task_id: int
    title: str
    message: str
    others: list[int] = Field(description="Other tasks it is about.")
    paths: list[str]
    fixable: bool


def cut(items: Sequence[T], page: Paging) -> Sequence[T]:
    return items[page.offset : page.offset + page.limit]


def show_project(project: Project, open_tasks: int) -> dict[str, Any]:
    return {
        "id": project.id,
        "name": project.name,
        "colour": project.colour,
        "description": project.description,
        "open_tasks": open_tasks,
        "created_at": wire(project.created_at),
        "updated_at": wire(project.updated_at),
        "version": project.version,
    }


def show_tag(tag: Tag, open_tasks: int) -> dict[str, Any]:
    return {"id": tag.id, "name": tag.name, "open_tasks": open_tasks}


def show_workspace(workspace: Workspace, open_tasks: int) -> dict[str, Any]:
    return {
        "id": workspace.id,
        "path": workspace.path,
        "name": workspace.name,
        "requirements": workspace.requirements,
        "tech_stack": workspace.tech_stack,
        "open_tasks": open_tasks,
        "created_at": wire(workspace.created_at),
        "updated_at": wire(workspace.updated_at),
        "initialised_at": wire(workspace.initialised_at),
        "version": workspace.version,
    }


def show_outline(found: Outline) -> dict[str, Any]:
    return show_workspace(found.workspace, found.left) | {
        "total": found.total,
        "completed": found.completed,
        "completion_rate": found.completion_rate,
        "by_status": {status.value: found.by_status.get(status, 0) for status in Status},
        "by_priority": {priority.word: found.by_priority.get(priority, 0) for priority in Priority},
        "session": show_session(found.session) if found.session else None,
        "tasks": [show_brief(task) for task in found.open],
    }


def show_brief(task: Task) -> dict[str, Any]:
    return {
        "id": task.id,
        "title": task.title,
        "status": COARSE[task.status],
        "state": task.status.value,
        "priority": task.priority.word,
    }


def show_session(session: Session) -> dict[str, Any]:
    return {
        "id": session.id,
        "workspace_id": session.workspace,
        "started_at": wire(session.started_at),
        "ended_at": wire(session.ended_at),
    }


def show_rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "workspace_id": rule.workspace,
        "kind": rule.kind.value,
        "content": rule.content,
        "created_at": wire(rule.created_at),
        "updated_at": wire(rule.updated_at),
        "version": rule.version,
    }


def show_finding(finding: Finding) -> dict[str, Any]:
    return {
        "kind": finding.kind.value,
        "task_id": finding.task,
        "title": finding.title,
        "message": finding.message,
        "others": list(finding.others),
        "paths": list(finding.paths),
        "fixable": finding.fixable,
    }
