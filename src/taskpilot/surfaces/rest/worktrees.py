"""Worktrees of runs on this server's machine, and where the work in them goes."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from taskpilot.agents import errands
from taskpilot.agents.errands import Asked
from taskpilot.agents.repository.landing import Landed
from taskpilot.surfaces.rest.asking import reply, send
from taskpilot.surfaces.rest.run_bodies import MergeBody, PushBody, RebaseBody
from taskpilot.surfaces.rest.run_shapes import WorktreesOut, show_worktree
from taskpilot.surfaces.rest.task_filters import Flag
from taskpilot.surfaces.rest.types import Number

router = APIRouter(prefix="/api", tags=["runs"])


class RemovalQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    discard: Flag = Field(False, description="Do not save what is nowhere else.")


class RemovedOut(BaseModel):
    run_id: int
    bytes: int = Field(description="Freed.")
    ref: str = Field(description="Where what nobody else has was saved; empty if there was nothing.")
    commit: str


class LandedOut(BaseModel):
    run_id: int
    text: str
    commit: str


@router.get("/worktrees", response_model=WorktreesOut)
async def list_worktrees(request: Request) -> Response:
    """Your runs' worktrees on this server, and how much disk each takes."""
    found = await send(request, errands.list_worktrees, _ask(request))
    size = sum(kept.bytes for kept in found)
    return reply({"worktrees": [show_worktree(kept) for kept in found], "total": len(found), "bytes": size})


@router.delete("/worktrees/{run_id}", response_model=RemovedOut)
async def remove_worktree(request: Request, run_id: Number, query: Annotated[RemovalQuery, Query()]) -> Response:
    """Remove the worktree of a run at rest. What is nowhere else is saved to a ref first; the branch stays."""
    saved = await send(request, errands.remove_worktree, _ask(request, run_id, discard=query.discard))
    return reply({"run_id": run_id, "bytes": saved.bytes, "ref": saved.ref, "commit": saved.commit})


@router.post("/runs/{run_id}/rebase", response_model=LandedOut)
async def rebase_run(request: Request, run_id: Number, body: RebaseBody) -> Response:
    """Put a run's commits on top of another branch. Conflicts leave everything as it was."""
    return _show(run_id, await send(request, errands.rebase, _ask(request, run_id, body.onto)))


@router.post("/runs/{run_id}/merge", response_model=LandedOut)
async def merge_run(request: Request, run_id: Number, body: MergeBody) -> Response:
    """Bring a run's commits into a branch. Conflicts leave everything as it was."""
    return _show(run_id, await send(request, errands.merge, _ask(request, run_id, body.into)))


@router.post("/runs/{run_id}/push", response_model=LandedOut)
async def push_run(request: Request, run_id: Number, body: PushBody) -> Response:
    """Push a run's branch."""
    return _show(run_id, await send(request, errands.push, _ask(request, run_id, body.remote)))


def _ask(request: Request, run_id: int = 0, target: str | None = None, *, discard: bool = False) -> Asked:
    data_dir = request.app.state.settings.data_dir
    return Asked(data_dir=data_dir, run=run_id, target=target or "", discard=discard)


def _show(run_id: int, landed: Landed) -> Response:
    shown: dict[str, Any] = {"run_id": run_id, "text": landed.text, "commit": landed.commit}
    return reply(shown)
