"""`/api/runs`: agents at work on tasks."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from taskpilot.domain.operation import writes
from taskpilot.domain.run import Agent
from taskpilot.domain.scopes import Scope
from taskpilot.domain.task import parse_id
from taskpilot.ops import evidence, run_orders, run_views
from taskpilot.ops.runs import Standing
from taskpilot.store.work import Work
from taskpilot.surfaces.rest.asking import create, reply, run, tag
from taskpilot.surfaces.rest.routes import TaskRoute
from taskpilot.surfaces.rest.run_bodies import HandoverBody, InstructionsBody, NewRun, RunQuery, read_start
from taskpilot.surfaces.rest.run_shapes import (
    DiffOut,
    ProofOut,
    ReportOut,
    RunOut,
    RunsOut,
    show_brief,
    show_diff,
    show_proof,
    show_report,
    show_run,
)
from taskpilot.surfaces.rest.types import IdempotencyKey, Number, TaskId

router = APIRouter(prefix="/api", tags=["runs"], route_class=TaskRoute)

PATCH = "text/x-diff"
AS_PATCH: dict[int | str, dict[str, Any]] = {
    200: {"content": {PATCH: {"schema": {"type": "string", "description": "Where `Accept` asks for it."}}}}
}


@router.post("/tasks/{task_id}/runs", status_code=201, response_model=RunOut)
async def start_run(request: Request, task_id: TaskId, body: NewRun, key: IdempotencyKey = None) -> Response:  # noqa: ARG001
    """Send an agent off to do a task, in a git worktree of its own. It begins as soon as a worker is free."""

    @writes(scope=Scope.RUN)
    def make(work: Work) -> dict[str, Any]:
        return _look(request, work, run_orders.start(work, parse_id(task_id), **read_start(body)))

    return await create(request, make, asked=body.model_dump(exclude_unset=True), location=_locate)


@router.get("/runs", response_model=RunsOut)
async def list_runs(request: Request, filter: Annotated[RunQuery, Query()]) -> Response:
    """Runs that fit, latest first. Those by hand are shown when `agent` asks for them."""
    found, total = await run(request, run_views.list_page, **filter.fits())
    return reply({"runs": [show_brief(*each) for each in found], "total": total})


@router.get("/runs/{run_id}", response_model=RunOut)
async def get_run(request: Request, run_id: Number) -> Response:
    """One run: how it stands, what it asks, what keeps it waiting, what it has used."""
    return _show(show_run(await run(request, run_views.get, run_id, user_most=_most(request))))


@router.post("/runs/{run_id}/instructions", response_model=RunOut)
async def instruct_run(request: Request, run_id: Number, body: InstructionsBody) -> Response:
    """Tell an agent more: at once if it is at work, else it is sent off again in the session it had."""

    @writes(scope=Scope.RUN)
    def tell(work: Work) -> dict[str, Any]:
        return _look(request, work, run_orders.follow_up(work, run_id, body.instructions))

    return _show(await run(request, tell))


@router.post("/runs/{run_id}/stop", response_model=RunOut)
async def stop_run(request: Request, run_id: Number) -> Response:
    """Stop an agent and everything it started. What it left is committed first. Safe to repeat."""

    @writes(scope=Scope.RUN)
    def stop(work: Work) -> dict[str, Any]:
        return _look(request, work, run_orders.stop(work, run_id))

    return _show(await run(request, stop))


@router.post("/runs/{run_id}/handover", status_code=201, response_model=RunOut)
async def hand_run_over(request: Request, run_id: Number, body: HandoverBody, key: IdempotencyKey = None) -> Response:  # noqa: ARG001
    """Let another agent go on with the task, on the same branch, with a short account of how far this one came."""

    @writes(scope=Scope.RUN)
    def make(work: Work) -> dict[str, Any]:
        return _look(
            request, work, run_orders.hand_over(work, run_id, Agent(body.agent), instructions=body.instructions)
        )

    return await create(request, make, asked=body.model_dump(), location=_locate)


@router.get("/runs/{run_id}/diff", response_model=DiffOut, responses=AS_PATCH)
async def get_run_diff(request: Request, run_id: Number) -> Response:
    """What a run has changed, as it was last kept. As JSON, or as a patch with `Accept: text/x-diff`."""
    found, diff = await run(request, run_views.read_diff, run_id)
    if PATCH in request.headers.get("accept", ""):
        return Response(diff.patch.encode("utf-8", "replace"), media_type=PATCH)
    return reply(show_diff(found, diff))


@router.get("/runs/{run_id}/report", response_model=ReportOut)
async def report_run(request: Request, run_id: Number) -> Response:
    """What a run took, changed and said last, and whether its task's acceptance commands have passed."""
    return reply(show_report(await run(request, run_views.report, run_id)))


@router.get("/tasks/{task_id}/evidence", response_model=ProofOut)
async def get_evidence(request: Request, task_id: TaskId) -> Response:
    """What the task's acceptance commands said when TaskPilot itself ran them."""
    return reply(show_proof(await run(request, evidence.get, parse_id(task_id))))


def _look(request: Request, work: Work, standing: Standing) -> dict[str, Any]:
    assert standing.run is not None
    return show_run(run_views.get(work, standing.run.id, user_most=_most(request)))


def _most(request: Request) -> int:
    return request.app.state.settings.runs_per_user


def _locate(made: Any) -> str:
    return f"/api/runs/{made['id']}"


def _show(shown: dict[str, Any]) -> Response:
    return reply(shown, headers=tag(shown["version"]))
