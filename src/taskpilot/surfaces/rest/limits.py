"""`/api/limits`: how much may be under way at once."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, BeforeValidator, Field
from starlette.responses import Response

from taskpilot.domain import text
from taskpilot.domain.wip import EACH, MOST, LimitKind, WipLimit
from taskpilot.ops import claims
from taskpilot.surfaces.rest.asking import reply, run
from taskpilot.surfaces.rest.task_bodies import Id, ProjectName, read_whole
from taskpilot.surfaces.rest.types import VISIBLE, Body

router = APIRouter(prefix="/api/limits", tags=["agents"])

AgentName = Annotated[str, Field(min_length=1, max_length=100, pattern=VISIBLE)]
Most = Annotated[int, Field(ge=0, le=MOST, description="0: no limit."), BeforeValidator(read_whole)]


class ProjectLimit(Body):
    """Tasks in progress in a project."""

    kind: Literal["project"]
    name: ProjectName
    most: Most

    def said(self) -> tuple[LimitKind, str, int]:
        return LimitKind.PROJECT, text.clean_line(self.name), self.most


class WorkspaceLimit(Body):
    """Tasks in progress in a workspace."""

    kind: Literal["workspace"]
    workspace_id: Id
    most: Most

    def said(self) -> tuple[LimitKind, str, int]:
        return LimitKind.WORKSPACE, str(self.workspace_id), self.most


class AgentLimit(Body):
    """Tasks in the hands of one agent; without a name, of each that has no limit of its own."""

    kind: Literal["agent"]
    name: AgentName | None = None
    most: Most

    def said(self) -> tuple[LimitKind, str, int]:
        return LimitKind.AGENT, EACH if self.name is None else text.clean_line(self.name), self.most


class LimitOut(BaseModel):
    kind: Literal["project", "workspace", "agent"]
    name: str
    """The project's name, the workspace's number, or the agent's name; empty for each agent."""
    most: int


class LimitsOut(BaseModel):
    limits: list[LimitOut]
    total: int


@router.get("", response_model=LimitsOut)
async def list_limits(request: Request) -> Response:
    """How much may be under way at once."""
    found = await run(request, claims.list_limits)
    return reply({"limits": [show(each) for each in found], "total": len(found)})


@router.put("", response_model=LimitOut)
async def set_limit(request: Request, body: ProjectLimit | WorkspaceLimit | AgentLimit) -> Response:
    """Say how much may be under way at once in a project, in a workspace, or in the hands of an agent."""
    return reply(show(await run(request, claims.limit, *body.said())))


def show(limit: WipLimit) -> dict[str, Any]:
    return {"kind": limit.kind, "name": limit.name, "most": limit.most}
