"""`/api/me`: whoever asks, and how they like things."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from taskpilot.access import entry
from taskpilot.domain.user import DEFAULT_SETTINGS, User
from taskpilot.ops import users
from taskpilot.surfaces.rest.asking import expected_version, reply, run, send, tag
from taskpilot.surfaces.rest.people import CurrentPassword, Handle, Name, UserOut, show_user
from taskpilot.surfaces.rest.types import Body, Email, IfMatch, Zone

Theme = Literal["system", "light", "dark"]
WeekStart = Literal["monday", "sunday", "saturday"]

router = APIRouter(prefix="/api/me", tags=["profile"])


class ProfileChanges(Body):
    """What is not named, or null, stays."""

    name: Name | None = None
    handle: Handle | None = None
    email: Email | None = Field(None, description="Takes `current_password` too.")
    current_password: CurrentPassword | None = None


class SettingsChanges(Body):
    """What is not named, or null, stays."""

    time_zone: Zone | None = None
    theme: Theme | None = None
    week_start: WeekStart | None = None


class NewSettings(Body):
    """What is not named goes back to its default."""

    time_zone: Zone = DEFAULT_SETTINGS["time_zone"]
    theme: Theme = "system"
    week_start: WeekStart = "monday"


class SettingsOut(BaseModel):
    time_zone: str
    theme: Theme
    week_start: WeekStart
    version: int


@router.get("", response_model=UserOut)
async def get_me(request: Request) -> Response:
    """Who you are."""
    return _show(await run(request, users.me))


@router.patch("", response_model=UserOut)
async def change_me(request: Request, body: ProfileChanges, if_match: IfMatch = None) -> Response:
    """Change your profile."""
    changes = entry.Profile(
        body.name, body.handle, body.email, body.current_password, version=expected_version(if_match)
    )
    return _show(await send(request, entry.change_profile, changes))


@router.get("/settings", response_model=SettingsOut)
async def get_settings(request: Request) -> Response:
    """How you like things."""
    return _show_settings(await run(request, users.me))


@router.patch("/settings", response_model=SettingsOut)
async def change_settings(request: Request, body: SettingsChanges, if_match: IfMatch = None) -> Response:
    """Change some settings."""
    changes = body.model_dump(exclude_none=True)
    return _show_settings(await run(request, users.change_settings, changes, version=expected_version(if_match)))


@router.put("/settings", response_model=SettingsOut)
async def replace_settings(request: Request, body: NewSettings, if_match: IfMatch = None) -> Response:
    """Set all settings; those not named go back to their defaults."""
    version = expected_version(if_match)
    return _show_settings(await run(request, users.change_settings, body.model_dump(), version=version, whole=True))


def _show(user: User) -> Response:
    return reply(show_user(user), headers=tag(user.version))


def _show_settings(user: User) -> Response:
    shown: dict[str, Any] = user.preferences | {"version": user.version}
    return reply(shown, headers=tag(user.version))
