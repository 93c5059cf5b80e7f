"""`/api/admin/users`: who has an account, and whose is closed."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel
from starlette.responses import Response

from taskpilot.domain.moments import wire
from taskpilot.domain.user import User
from taskpilot.ops import closing, users
from taskpilot.surfaces.rest.asking import reply, run, tag
from taskpilot.surfaces.rest.people import Paging, UserId, UserOut, show_user
from taskpilot.surfaces.rest.types import Body

router = APIRouter(prefix="/api/admin/users", tags=["admin"])


class AccountChanges(Body):
    disabled: bool
    """True ends their logins and refuses their tokens at once. Nothing is deleted."""


class AccountOut(UserOut):
    disabled_at: str | None


class AccountsOut(BaseModel):
    users: list[AccountOut]
    total: int


@router.get("", response_model=AccountsOut)
async def list_users(request: Request, page: Annotated[Paging, Query()]) -> Response:
    """Everyone who has an account, in the order of their numbers."""
    found, total = await run(request, users.list_all, limit=page.limit, offset=page.offset)
    return reply({"users": [_show(user) for user in found], "total": total})


@router.get("/{user_id}", response_model=AccountOut)
async def get_user(request: Request, user_id: UserId) -> Response:
    """One account."""
    user = await run(request, users.find, user_id)
    return reply(_show(user), headers=tag(user.version))


@router.patch("/{user_id}", response_model=AccountOut)
async def change_user(request: Request, user_id: UserId, body: AccountChanges) -> Response:
    """Disable an account, or enable it again."""
    user = await run(request, users.disable if body.disabled else users.enable, user_id)
    request.app.state.keeper.forget(user.id)
    return reply(_show(user), headers=tag(user.version))


@router.delete("/{user_id}", status_code=204)
async def remove_user(request: Request, user_id: UserId) -> Response:
    """Delete an account and everything in it, for good."""
    user = await run(request, closing.remove, user_id)
    request.app.state.keeper.forget(user.id)
    return Response(status_code=204)


def _show(user: User) -> dict[str, Any]:
    return show_user(user) | {"disabled_at": wire(user.disabled_at)}
