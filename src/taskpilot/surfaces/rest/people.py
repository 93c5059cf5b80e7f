"""What the API shows and takes of people: users, their logins, tokens and invitations."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from taskpilot.domain import user
from taskpilot.domain.invitation import Invitation
from taskpilot.domain.login import Login
from taskpilot.domain.moments import wire
from taskpilot.domain.scopes import Scope
from taskpilot.domain.task import ID_MOST
from taskpilot.domain.token import Token
from taskpilot.domain.user import User

Name = Annotated[str, StringConstraints(max_length=user.NAME_MOST)]
Handle = Annotated[str, StringConstraints(pattern=f"^{user.HANDLE}$")]
CurrentPassword = Annotated[str, StringConstraints(max_length=user.PASSWORD_MOST)]
"""Any text may be tried; only a new one has to be good."""
UserId = Annotated[str, Path(pattern="^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")]
Granted = Literal["tasks:read", "tasks:write", "agents:run", "admin"]


class Paging(BaseModel):
    """Which part of a list."""

    model_config = ConfigDict(extra="forbid")

    limit: int = Field(50, ge=1, le=1000)
    offset: int = Field(0, ge=0, le=ID_MOST)


class UserOut(BaseModel):
    id: str
    number: int
    email: str | None
    name: str
    handle: str
    created_at: str
    admin: bool
    version: int


class LoginOut(BaseModel):
    id: int
    kind: Literal["session", "oauth"]
    client: str = Field(description="What it was done with: a browser, a program, an OAuth client.")
    address: str
    scopes: list[str]
    created_at: str
    last_used_at: str | None
    expires_at: str
    current: bool = Field(description="The one this very request was made with.")


class TokenOut(BaseModel):
    id: int
    name: str
    scopes: list[Granted]
    created_at: str
    expires_at: str | None
    last_used_at: str | None
    expired: bool


class InvitationOut(BaseModel):
    id: int
    email: str = Field(description="Whom it is for; empty: whoever has the code.")
    created_at: str
    expires_at: str
    used_at: str | None


def show_user(user: User) -> dict[str, Any]:
    return {
        "id": user.uuid,
        "number": user.id,
        "email": user.email,
        "name": user.name,
        "handle": user.handle,
        "created_at": wire(user.created_at),
        "admin": user.admin,
        "version": user.version,
    }


def show_login(login: Login, current: int | None) -> dict[str, Any]:
    return {
        "id": login.id,
        "kind": login.kind.value,
        "client": login.client,
        "address": login.address,
        "scopes": [scope.value for scope in Scope if scope in login.scopes],
        "created_at": wire(login.created_at),
        "last_used_at": wire(login.last_used_at),
        "expires_at": wire(login.expires_at),
        "current": login.id == current,
    }


def show_token(token: Token, now: datetime) -> dict[str, Any]:
    return {
        "id": token.id,
        "name": token.name,
        "scopes": [scope.value for scope in Scope if scope in token.scopes],
        "created_at": wire(token.created_at),
        "expires_at": wire(token.expires_at),
        "last_used_at": wire(token.last_used_at),
        "expired": not token.holds(now),
    }


def show_invitation(invitation: Invitation) -> dict[str, Any]:
    return {
        "id": invitation.id,
        "email": invitation.email,
        "created_at": wire(invitation.created_at),
        "expires_at": wire(invitation.expires_at),
        "used_at": wire(invitation.used_at),
    }
