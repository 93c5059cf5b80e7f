"""From a request to an operation, and from its outcome to an answer. Routes do the rest in a few lines."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from fastapi import Request
from pydantic_core import PydanticSerializationError, to_json
from starlette.responses import Response

from taskpilot.app import App, Errand
from taskpilot.domain.caller import Caller
from taskpilot.domain.errors import Invalid
from taskpilot.domain.operation import scope_of, writes
from taskpilot.ops import answers, users
from taskpilot.store.work import Work

P = ParamSpec("P")
A = TypeVar("A")
R = TypeVar("R")


def app_of(request: Request) -> App:
    return request.app.state.app


def caller_of(request: Request) -> Caller:
    """Whom the gate recognised, with the route that was asked for."""
    scope = request.scope
    return _name_route(scope["caller"], scope["method"], scope["route"].path)


@lru_cache(maxsize=4096)
def _name_route(caller: Caller, method: str, path: str) -> Caller:
    return replace(caller, tool=f"{method} {path}")


async def run(request: Request, op: Callable[Concatenate[Work, P], R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """One operation, for whoever asks."""
    return await app_of(request).call(caller_of(request), op, *args, **kwargs)


async def send(request: Request, op: Callable[[Errand, A], R], args: A) -> R:
    """One errand, for whoever asks."""
    return await app_of(request).send(caller_of(request), op, args)


async def create(
    request: Request,
    make: Callable[[Work], Any],
    *,
    asked: Any,
    location: Callable[[Any], str] | None = None,
    status: int = 201,
) -> Response:
    """Answer with what `make` gives. With an Idempotency-Key it is safe to repeat: the same answer comes again.

    `make` is an operation marked @writes, and gives what JSON can carry; `asked` is what was asked for, to tell a
    repetition from a mistake.
    """
    body, repeated = await answer_once(request, make, asked=asked)
    headers = {"Idempotency-Replayed": "true"} if repeated else {}
    if location is not None:
        headers["Location"] = location(body)
    if isinstance(body, dict) and "version" in body:
        headers |= tag(cast("dict[str, Any]", body)["version"])
    return reply(body, status, headers)


async def answer_once(request: Request, make: Callable[[Work], Any], *, asked: Any) -> tuple[Any, bool]:
    """What `make` gives, and whether it is kept from an earlier request with the same Idempotency-Key."""
    key = request.headers.get("idempotency-key")
    if key is None:
        return await run(request, make), False
    written = json.dumps([request.method, request.url.path, asked], sort_keys=True, default=str)
    fingerprint = hashlib.sha256(written.encode()).hexdigest()

    @writes(scope=scope_of(make))
    def make_once(work: Work) -> tuple[Any, bool]:
        return answers.keep(work, key, fingerprint, make)

    return await run(request, make_once)


def reply(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """JSON, written once: what the routes give needs no second look."""
    try:
        written = to_json(body)
    except PydanticSerializationError:  # half a character, which UTF-8 cannot carry
        written = json.dumps(body, separators=(",", ":")).encode()
    return Response(written, status, headers, "application/json")


def tag(version: int) -> dict[str, str]:
    """The ETag of a thing at a version."""
    return {"ETag": f'"{version}"'}


def expected_version(if_match: str | None) -> int | None:
    """The version a client has seen, from its If-Match; None when it does not care."""
    if if_match is None or if_match.strip() == "*":
        return None
    given = if_match.strip().removeprefix("W/").strip('"')
    if not (given.isascii() and given.isdigit() and len(given) < 18):
        raise Invalid(f"If-Match cannot be {if_match[:40]!r}.", hint="Send the ETag of what you have seen.")
    return int(given)


async def uuid_of(request: Request) -> str:
    """The caller's UUID, which never changes."""
    known: dict[int, str] = request.app.state.uuids
    user = request.scope["caller"].user
    if user not in known:
        known[user] = (await app_of(request).call(request.scope["caller"], users.me)).uuid
    return known[user]
