"""Claims: a task in one agent's hands alone, for as long as its lease lasts."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, BeforeValidator, Field
from starlette.responses import Response

from taskpilot.domain import text
from taskpilot.domain.claim import HANDOFF_MOST, LEASE_LEAST, LEASE_MOST, LEASE_USUAL, Claim
from taskpilot.domain.moments import wire
from taskpilot.domain.operation import writes
from taskpilot.domain.task import Task, parse_id
from taskpilot.ops import claims, tasks
from taskpilot.ops.queue import Wish
from taskpilot.store.work import Work
from taskpilot.surfaces.rest.asking import create, reply, run, uuid_of
from taskpilot.surfaces.rest.finding import HeldBackOut, Length, show_held_back
from taskpilot.surfaces.rest.routes import TaskRoute
from taskpilot.surfaces.rest.shapes import EnergyName, TaskOut, show_task
from taskpilot.surfaces.rest.task_bodies import Id, ProjectName, read_whole
from taskpilot.surfaces.rest.task_filters import Word
from taskpilot.surfaces.rest.types import Body, IdempotencyKey, TaskId

router = APIRouter(prefix="/api", tags=["agents"], route_class=TaskRoute)

Lease = Annotated[
    int,
    Field(ge=LEASE_LEAST, le=LEASE_MOST, description=f"Seconds; otherwise {LEASE_USUAL}."),
    BeforeValidator(read_whole),
]
Left = Annotated[str, Field(max_length=HANDOFF_MOST, description="For whoever takes the task next.")]
Ending = Literal["completed", "released", "expired", "taken"]


class TakeBody(Body):
    lease: Lease | None = None


class TakeNextBody(TakeBody):
    """What the next task should be like, and what you have to give."""

    project: ProjectName | None = None
    tag: Word | None = None
    workspace_id: Id | None = None
    energy: EnergyName | None = None
    time: Length | None = None

    def wish(self) -> Wish:
        project, tag = (None if given is None else text.clean_line(given) for given in (self.project, self.tag))
        return Wish(project=project, tag=tag, workspace=self.workspace_id, energy=self.energy, time=self.time)


class RenewBody(TakeBody):
    token: Id


class ReleaseBody(Body):
    token: Id | None = Field(None, description="Of your claim; without it, the task is taken from whoever has it.")
    done: Left = ""
    tried: Left = ""
    failed: Left = ""
    next: Left = ""


class ClaimOut(BaseModel):
    token: int
    """Send it as `Claim-Token` with each change: it is refused once somebody else may have the task."""
    task_id: int
    actor: str
    claimed_at: str
    lease_until: str
    lease: int


class HandoffOut(BaseModel):
    """What whoever had the task last left behind."""

    actor: str
    ended_at: str
    ending: Ending
    done: str
    tried: str
    failed: str
    next: str
    did: list[str]
    """What they changed, where they left no word."""


class HoldOut(BaseModel):
    claim: ClaimOut | None
    handoff: HandoffOut | None


class TakenOut(BaseModel):
    task: TaskOut | None
    claim: ClaimOut | None
    reason: str
    held_back: list[HeldBackOut]
    handoff: HandoffOut | None


class ReleasedOut(BaseModel):
    task: TaskOut
    handoff: HandoffOut


class ClaimsOut(BaseModel):
    claims: list[ClaimOut]
    total: int


@writes
def renew_held(work: Work, task_id: int, token: int, *, lease: int | None) -> Claim:
    tasks.get(work, task_id)
    return claims.renew(work, task_id, token, lease=lease)


@writes
def release_held(work: Work, task_id: int, token: int | None, handoff: dict[str, str]) -> tuple[Task, Claim]:
    tasks.get(work, task_id)
    return claims.release(work, task_id, token, handoff=handoff)


@router.post("/next/claim", response_model=TakenOut)
async def claim_next(request: Request, body: TakeNextBody, key: IdempotencyKey = None) -> Response:  # noqa: ARG001
    """Take the best task that can be started now: nobody else gets it while the lease lasts."""
    user = await uuid_of(request)

    @writes
    def make(work: Work) -> dict[str, Any]:
        return show_taken(claims.take_next(work, body.wish(), lease=body.lease), user)

    return await create(request, make, asked=body.model_dump(), status=200)


@router.post("/tasks/{task_id}/claim", status_code=201, response_model=TakenOut)
async def claim_task(request: Request, task_id: TaskId, body: TakeBody, key: IdempotencyKey = None) -> Response:  # noqa: ARG001
    """Take this task: nobody else gets it while the lease lasts."""
    user = await uuid_of(request)

    @writes
    def make(work: Work) -> dict[str, Any]:
        return show_taken(claims.take(work, parse_id(task_id), lease=body.lease), user)

    return await create(request, make, asked=body.model_dump())


@router.get("/tasks/{task_id}/claim", response_model=HoldOut)
async def get_claim(request: Request, task_id: TaskId) -> Response:
    """Who holds a task now, and what whoever had it last left behind."""
    held, last = await run(request, claims.find, parse_id(task_id))
    return reply({"claim": show_claim(held) if held else None, "handoff": show_handoff(last) if last else None})


@router.patch("/tasks/{task_id}/claim", response_model=ClaimOut)
async def renew_claim(request: Request, task_id: TaskId, body: RenewBody) -> Response:
    """Keep a task for longer. Any change with the token does so, too."""
    return reply(show_claim(await run(request, renew_held, parse_id(task_id), body.token, lease=body.lease)))


@router.post("/tasks/{task_id}/release", response_model=ReleasedOut)
async def release_task(request: Request, task_id: TaskId, body: ReleaseBody) -> Response:
    """Give a task back, and tell whoever takes it next where it stands."""
    handoff = body.model_dump(include={"done", "tried", "failed", "next"})
    task, ended = await run(request, release_held, parse_id(task_id), body.token, handoff)
    return reply({"task": show_task(task, await uuid_of(request)), "handoff": show_handoff(ended)})


@router.get("/claims", response_model=ClaimsOut)
async def list_claims(request: Request) -> Response:
    """Who holds what, longest first."""
    found = await run(request, claims.list_live)
    return reply({"claims": [show_claim(each) for each in found], "total": len(found)})


def show_taken(taken: claims.Taken, user: str) -> dict[str, Any]:
    return {
        "task": show_task(taken.task, user) if taken.task else None,
        "claim": show_claim(taken.claim) if taken.claim else None,
        "reason": taken.reason,
        "held_back": show_held_back(taken.held_back),
        "handoff": show_handoff(taken.before, taken.did) if taken.before else None,
    }


def show_claim(claim: Claim) -> dict[str, Any]:
    return {
        "token": claim.id,
        "task_id": claim.task,
        "actor": claim.actor,
        "claimed_at": wire(claim.claimed_at),
        "lease_until": wire(claim.lease_until),
        "lease": claim.lease,
    }


def show_handoff(ended: Claim, did: tuple[str, ...] = ()) -> dict[str, Any]:
    said = ended.handoff
    return {
        "actor": ended.actor,
        "ended_at": wire(ended.ended_at),
        "ending": ended.ending,
        "done": said.done,
        "tried": said.tried,
        "failed": said.failed,
        "next": said.next,
        "did": did,
    }
