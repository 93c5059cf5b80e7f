"""`/api/workspaces/{id}/policy`: how agents are to work there."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints
from starlette.responses import Response

from taskpilot.domain.policy import LIST_MOST, NAME_MOST, RUNS_MOST, Policy
from taskpilot.domain.run import BRANCH_MOST
from taskpilot.ops import policies
from taskpilot.surfaces.rest.asking import reply, run
from taskpilot.surfaces.rest.run_bodies import BRANCH, CapsBody
from taskpilot.surfaces.rest.task_bodies import Command, hide_defaults
from taskpilot.surfaces.rest.types import HIDDEN, Body, Number, read_whole

Doing = Literal["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "other"]
Sandbox = Literal["auto", "on", "off"]
_NAME = rf"\.?[^./:\\~{HIDDEN}][^/:\\{HIDDEN.replace('x20', 'x1f')}]*"
Copy = Annotated[
    str,
    StringConstraints(min_length=1, max_length=NAME_MOST, pattern=f"^{_NAME}(/{_NAME})*$"),
    Field(examples=[".env"]),
]
Variable = Annotated[
    str, StringConstraints(max_length=NAME_MOST, pattern=r"^[A-Za-z0-9_]+\*?$"), Field(examples=["NODE_ENV", "AWS_*"])
]
Base = Annotated[str, StringConstraints(max_length=BRANCH_MOST, pattern=f"^({BRANCH})?$"), Field(examples=["main"])]
Most = Annotated[int, Field(ge=0, le=RUNS_MOST), BeforeValidator(read_whole)]

router = APIRouter(prefix="/api/workspaces", tags=["workspaces"])


class PolicyChanges(Body):
    """Only what is to change."""

    model_config = ConfigDict(json_schema_extra=hide_defaults)

    allow: list[Doing] = Field(
        default_factory=list[Doing],
        max_length=LIST_MOST,
        description="Done without asking. What is in neither list is asked.",
    )
    deny: list[Doing] = Field(default_factory=list[Doing], max_length=LIST_MOST, description="Never done.")
    caps: CapsBody | None = None
    base: Base = Field("", description="The branch to start from; empty: the one that is checked out.")
    copies: list[Copy] = Field(
        default_factory=list[str], max_length=LIST_MOST, description="Files that git does not know, for each worktree."
    )
    setup: list[Command] = Field(default_factory=list[str], max_length=LIST_MOST, description="Run in a new worktree.")
    cleanup: list[Command] = Field(default_factory=list[str], max_length=LIST_MOST, description="Run after each turn.")
    environment: list[Variable] = Field(
        default_factory=list[str], max_length=LIST_MOST, description="Variables of the worker that agents may see."
    )
    sandbox: Sandbox = "auto"
    network: bool = True
    most_runs: Most = Field(0, description="At a time; 0: no limit.")


class CapsOut(BaseModel):
    """How much a run may use before it rests and asks. 0: as much as it likes."""

    seconds: int
    idle_seconds: int
    turns: int
    tokens: int
    cost_micros: int


class PolicyOut(BaseModel):
    workspace_id: int
    allow: list[Doing]
    deny: list[Doing]
    caps: CapsOut
    base: str
    copies: list[str]
    setup: list[str]
    cleanup: list[str]
    environment: list[str]
    sandbox: Sandbox
    network: bool
    most_runs: int


@router.get("/{workspace_id}/policy", response_model=PolicyOut)
async def get_policy(request: Request, workspace_id: Number) -> Response:
    """How agents are to work in a workspace: the usual, where nobody has said otherwise."""
    return reply(show_policy(await run(request, policies.get, workspace_id)))


@router.patch("/{workspace_id}/policy", response_model=PolicyOut)
async def change_policy(request: Request, workspace_id: Number, body: PolicyChanges) -> Response:
    """Say how agents are to work there. What is not given stays as it is."""
    given = body.model_dump(exclude_unset=True, exclude_none=True)
    return reply(show_policy(await run(request, policies.change, workspace_id, given)))


def show_policy(policy: Policy) -> dict[str, Any]:
    return {
        "workspace_id": policy.workspace,
        "allow": policy.allow,
        "deny": policy.deny,
        "caps": {name: getattr(policy.caps, name) for name in CapsOut.model_fields},
        "base": policy.base,
        "copies": policy.copies,
        "setup": policy.setup,
        "cleanup": policy.cleanup,
        "environment": policy.environment,
        "sandbox": policy.sandbox,
        "network": policy.network,
        "most_runs": policy.most_runs,
    }
