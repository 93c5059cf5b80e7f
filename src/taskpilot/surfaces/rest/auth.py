"""`/api/auth`: signing up, in and out, and the logins of whoever asks."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, StringConstraints
from starlette.responses import Response

from taskpilot.access import entry
from taskpilot.access.entry import Admission, Claim, Newcomer
from taskpilot.domain import text
from taskpilot.domain.caller import unknown
from taskpilot.domain.login import read_credential
from taskpilot.domain.moments import wire
from taskpilot.domain.user import EMAIL_MOST
from taskpilot.ops import logins
from taskpilot.surfaces.rest.asking import caller_of, reply, run, send
from taskpilot.surfaces.rest.people import (
    CurrentPassword,
    LoginOut,
    Name,
    Paging,
    UserOut,
    show_login,
    show_user,
)
from taskpilot.surfaces.rest.types import Body, Email, Number, Password

ACTOR_MOST = 80
Secret = Annotated[str, StringConstraints(max_length=200)]

router = APIRouter(prefix="/api/auth", tags=["auth"])


class SignUp(Body):
    email: Email
    password: Password
    name: Name = ""
    invitation: Secret = ""


class SignIn(Body):
    email: Annotated[str, StringConstraints(max_length=EMAIL_MOST)]
    password: CurrentPassword


class Refresh(Body):
    refresh_token: Secret


class ChangePassword(Body):
    current_password: CurrentPassword
    new_password: Password


class AdmissionOut(BaseModel):
    user: UserOut
    token: str
    """Goes into `Authorization: Bearer`."""
    refresh_token: str
    """Good for one refresh."""
    expires_at: str
    """When the token ends."""


class LoginsOut(BaseModel):
    sessions: list[LoginOut]
    total: int


@router.post("/signup", status_code=201, response_model=AdmissionOut)
async def sign_up(request: Request, body: SignUp) -> Response:
    """Make an account, and be in it."""
    _come_unknown(request, body.email)
    newcomer = Newcomer(
        body.email,
        body.password,
        request.app.state.settings.sign_up,
        name=body.name,
        invitation=body.invitation,
        client=_client_of(request),
    )
    return _welcome(await send(request, entry.sign_up, newcomer), 201)


@router.post("/signin", response_model=AdmissionOut)
async def sign_in(request: Request, body: SignIn) -> Response:
    """An access token for a quarter of an hour, and a refresh token for the next."""
    _come_unknown(request, body.email)
    return _welcome(await send(request, entry.sign_in, Claim(body.email, body.password, _client_of(request))))


@router.post("/refresh", response_model=AdmissionOut)
async def refresh(request: Request, body: Refresh) -> Response:
    """A new pair of tokens. A refresh token that comes a second time has been copied: its login ends."""
    _come_unknown(request)
    return _welcome(await send(request, entry.refresh, body.refresh_token))


@router.post("/signout", status_code=204)
async def sign_out(request: Request) -> Response:
    """End the login this request was made with: its tokens stop working at once."""
    await run(request, logins.sign_out)
    return _forget(request)


@router.post("/password", status_code=204)
async def change_password(request: Request, body: ChangePassword) -> Response:
    """Another password. Ends all your other logins; tokens you made for programs stay."""
    await send(request, entry.change_password, entry.NewPassword(body.current_password, body.new_password))
    return _forget(request)


@router.get("/sessions", response_model=LoginsOut)
async def list_logins(request: Request, page: Annotated[Paging, Query()]) -> Response:
    """Where you are signed in, latest first."""
    found, total = await run(request, logins.list_all, limit=page.limit, offset=page.offset)
    current = read_credential(caller_of(request).credential)
    return reply({"sessions": [show_login(login, current) for login in found], "total": total})


@router.delete("/sessions", status_code=204)
async def end_other_logins(request: Request) -> Response:
    """Sign out everywhere else."""
    await run(request, logins.revoke_all, but=read_credential(caller_of(request).credential))
    return _forget(request)


@router.delete("/sessions/{session_id}", status_code=204)
async def end_login(request: Request, session_id: Number) -> Response:
    """Sign out in one place."""
    await run(request, logins.revoke, session_id)
    return _forget(request)


def _come_unknown(request: Request, email: str = "") -> None:
    """Whoever signs in is not yet known, also where there is a local user; the audit says whom they claim to be."""
    before = request.scope["caller"]
    claimed = text.shorten(text.clean_line(email).lower(), ACTOR_MOST)
    found = unknown(before.door, before.address)
    request.scope["caller"] = replace(found, actor=claimed) if claimed else found


def _client_of(request: Request) -> str:
    return request.headers.get("user-agent", "")


def _welcome(admission: Admission, status: int = 200) -> Response:
    shown = {
        "user": show_user(admission.user),
        "token": admission.token,
        "refresh_token": admission.refresh_token,
        "expires_at": wire(admission.expires_at),
    }
    return reply(shown, status, {"Location": "/api/me"} if status == 201 else None)


def _forget(request: Request) -> Response:
    """The news reaches the keeper of the door by itself, but a moment later than this answer."""
    request.app.state.keeper.forget(caller_of(request).user)
    return Response(status_code=204)
