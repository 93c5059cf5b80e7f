"""How this surface tells a failure: RFC 9457 problems, with the members `error`, `message` and `details` besides."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from taskpilot.domain.calls import BUG
from taskpilot.domain.errors import DiskFull, Kind, OutOfScope, TaskPilotError, TooOften, Unfit
from taskpilot.surfaces.rest.asking import app_of, caller_of
from taskpilot.surfaces.rest.complaints import complain, name

STATUS: dict[Kind, int] = {
    "invalid": 422,
    "not_found": 404,
    "conflict": 409,
    "forbidden": 403,
    "unauthenticated": 401,
    "unavailable": 503,
}
TITLES = {
    400: "Bad request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict",
    412: "Precondition failed",
    413: "Too long",
    415: "Unsupported media type",
    422: "Invalid",
    429: "Too many requests",
    500: "Internal error",
    503: "Unavailable",
    507: "Insufficient storage",
}

log = logging.getLogger(__name__)


def tell(
    status: int,
    message: str,
    *,
    error: str = "",
    hint: str = "",
    details: Any = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    title = TITLES.get(status, "Error")
    problem: dict[str, Any] = {
        "type": "about:blank",
        "title": title,
        "status": status,
        "detail": f"{message} {hint}".strip(),
        "error": error or title.lower().replace(" ", "_"),
        "message": message,
        "details": details,
    }
    return Response(json.dumps(problem), status, headers, "application/problem+json")


async def tell_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, TaskPilotError)
    app_of(request).note(caller_of(request), error.kind)
    status, code, headers = STATUS[error.kind], error.kind, dict[str, str]()
    if isinstance(error, OutOfScope):
        code = "insufficient_scope"
        headers["WWW-Authenticate"] = f'Bearer realm="taskpilot", error="insufficient_scope", scope="{error.scope}"'
    elif error.kind == "unauthenticated":
        headers["WWW-Authenticate"] = 'Bearer realm="taskpilot"'
    elif isinstance(error, TooOften):
        status, code, headers["Retry-After"] = 429, "too_many_requests", str(error.wait)
    elif error.kind == "unavailable":
        status, headers["Retry-After"] = (507 if isinstance(error, DiskFull) else 503), "5"
    elif isinstance(error, Unfit):
        status, code = 409, "conflict"
    elif error.kind == "invalid" and error.message.startswith("Title "):
        status = 400
    return tell(status, error.message, error=code, hint=error.hint, headers=headers)


async def tell_invalid(_: Request, error: Exception) -> Response:
    """Every broken value is named. A title that is empty or too long is a bad request, and so is broken JSON."""
    assert isinstance(error, RequestValidationError)
    broken = any(each["type"] == "json_invalid" for each in error.errors())
    if broken:
        return tell(400, "The body is not valid JSON.", error="invalid", hint="Correct it and send it again.")
    found = [(each["loc"], complain(each)) for each in error.errors()]
    said = "; ".join(dict.fromkeys(f"{name(where)} {what}" for where, what in found))
    details = [{"where": [str(part) for part in where], "what": what} for where, what in found]
    title = any(where[-1:] == ("title",) for where, _ in found)
    return tell(400 if title else 422, f"{said}.", error="invalid", details=details)


async def tell_refusal(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return tell(error.status_code, f"{error.detail}.", headers=error.headers)


async def tell_bug(request: Request, error: Exception) -> Response:
    """The wire learns an id and nothing else."""
    incident = uuid4().hex[:12]
    log.error("bug %s in %s", incident, request.url.path, exc_info=error, extra={"incident": incident})
    app_of(request).note(caller_of(request), BUG)
    return tell(500, f"Internal error {incident}.", hint="It is in the server's log under this id.")


def map_errors(rest: FastAPI) -> None:
    rest.add_exception_handler(TaskPilotError, tell_error)
    rest.add_exception_handler(RequestValidationError, tell_invalid)
    rest.add_exception_handler(HTTPException, tell_refusal)
    rest.add_exception_handler(Exception, tell_bug)
