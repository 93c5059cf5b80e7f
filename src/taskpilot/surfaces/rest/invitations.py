"""`/api/admin/invitations`: codes that let people sign up."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, BeforeValidator, Field
from starlette.responses import Response

from taskpilot.access.secrets import hash_secret, make_secret
from taskpilot.domain.invitation import DAYS_MOST, DAYS_USUAL
from taskpilot.domain.operation import writes
from taskpilot.domain.scopes import Scope
from taskpilot.ops import invitations
from taskpilot.store.work import Work
from taskpilot.surfaces.rest.asking import create, reply, run
from taskpilot.surfaces.rest.people import InvitationOut, Paging, show_invitation
from taskpilot.surfaces.rest.tokens import show_once
from taskpilot.surfaces.rest.types import Body, Email, IdempotencyKey, Number, read_whole

Days = Annotated[int, Field(ge=1, le=DAYS_MOST), BeforeValidator(read_whole)]

router = APIRouter(prefix="/api/admin/invitations", tags=["admin"])


class NewInvitation(Body):
    email: Email | None = Field(None, description="Whom it is for; without one, whoever has the code.")
    expires_in_days: Days = DAYS_USUAL


class NewInvitationOut(InvitationOut):
    code: str | None = Field(description="Shown this once; null where an Idempotency-Key brings the answer again.")


class InvitationsOut(BaseModel):
    invitations: list[InvitationOut]
    total: int


@router.post("", status_code=201, response_model=NewInvitationOut)
async def create_invitation(request: Request, body: NewInvitation, key: IdempotencyKey = None) -> Response:  # noqa: ARG001
    """Invite somebody: signing up takes the code."""
    code = make_secret()

    @writes(scope=Scope.ADMIN)
    def make(work: Work) -> dict[str, Any]:
        made = invitations.create(work, hash_secret(code), email=body.email or "", days=body.expires_in_days)
        return show_invitation(made) | {"code": None}

    asked = body.model_dump()
    made = await create(request, make, asked=asked, location=lambda made: f"/api/admin/invitations/{made['id']}")
    return show_once(made, lambda _: {"code": code})


@router.get("", response_model=InvitationsOut)
async def list_invitations(request: Request, page: Annotated[Paging, Query()]) -> Response:
    """Your invitations that nobody has used yet, latest first."""
    found, total = await run(request, invitations.list_all, limit=page.limit, offset=page.offset)
    return reply({"invitations": [show_invitation(each) for each in found], "total": total})


@router.get("/{invitation_id}", response_model=InvitationOut)
async def get_invitation(request: Request, invitation_id: Number) -> Response:
    """One invitation, without its code."""
    return reply(show_invitation(await run(request, invitations.get, invitation_id)))


@router.delete("/{invitation_id}", status_code=204)
async def revoke_invitation(request: Request, invitation_id: Number) -> Response:
    """Take an invitation back."""
    await run(request, invitations.revoke, invitation_id)
    return Response(status_code=204)
