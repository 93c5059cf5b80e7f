"""`/api/tokens`: what programs show instead of a password."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, BeforeValidator, Field
from starlette.responses import Response

from taskpilot.access.secrets import hash_secret, make_secret
from taskpilot.domain.operation import writes
from taskpilot.domain.scopes import Scope, parse_scopes
from taskpilot.domain.token import LIFETIME_MOST, NAME_MOST, write_token
from taskpilot.ops import tokens
from taskpilot.store.work import Work
from taskpilot.surfaces.rest.asking import app_of, caller_of, create, reply, run
from taskpilot.surfaces.rest.people import Granted, Paging, TokenOut, show_token
from taskpilot.surfaces.rest.types import VISIBLE, Body, IdempotencyKey, Number, read_whole

Days = Annotated[int, Field(ge=1, le=LIFETIME_MOST.days), BeforeValidator(read_whole)]

router = APIRouter(prefix="/api/tokens", tags=["tokens"])


class NewToken(Body):
    name: str = Field(min_length=1, max_length=NAME_MOST, pattern=VISIBLE)
    scopes: list[Granted] = Field(min_length=1, max_length=10)
    expires_in_days: Days | None = Field(None, description="Never, if not given.")


class NewTokenOut(TokenOut):
    token: str | None = Field(description="Shown this once; null where an Idempotency-Key brings the answer again.")


class TokensOut(BaseModel):
    tokens: list[TokenOut]
    total: int


@router.post("", status_code=201, response_model=NewTokenOut)
async def create_token(request: Request, body: NewToken, key: IdempotencyKey = None) -> Response:  # noqa: ARG001
    """Make a token for a program. It can do at most what you can."""
    secret, scopes, days = make_secret(), parse_scopes(body.scopes), body.expires_in_days

    @writes(scope=Scope.ACCOUNT)
    def make(work: Work) -> dict[str, Any]:
        until = None if days is None else work.now + timedelta(days=days)
        token = tokens.create(work, body.name, hash_secret(secret), scopes, expires_at=until)
        return show_token(token, work.now) | {"token": None}

    made = await create(request, make, asked=body.model_dump(), location=lambda made: f"/api/tokens/{made['id']}")
    return show_once(made, lambda shown: {"token": write_token(shown["id"], secret)})


@router.get("", response_model=TokensOut)
async def list_tokens(request: Request, page: Annotated[Paging, Query()]) -> Response:
    """Your tokens, latest first."""
    found, total = await run(request, tokens.list_all, limit=page.limit, offset=page.offset)
    now = app_of(request).now()
    return reply({"tokens": [show_token(token, now) for token in found], "total": total})


@router.get("/{token_id}", response_model=TokenOut)
async def get_token(request: Request, token_id: Number) -> Response:
    """One token, without its secret."""
    return reply(show_token(await run(request, tokens.get, token_id), app_of(request).now()))


@router.delete("/{token_id}", status_code=204)
async def revoke_token(request: Request, token_id: Number) -> Response:
    """End a token at once."""
    await run(request, tokens.revoke, token_id)
    request.app.state.keeper.forget(caller_of(request).user)
    return Response(status_code=204)


def show_once(made: Response, secret: Callable[[dict[str, Any]], dict[str, str]]) -> Response:
    """Put a secret into the answer of a create. What is kept under an Idempotency-Key never had it."""
    if "idempotency-replayed" in made.headers:
        return made
    shown: dict[str, Any] = json.loads(bytes(made.body))
    return reply(shown | secret(shown), made.status_code, {"Location": made.headers["location"]})
