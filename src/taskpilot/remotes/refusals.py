"""What another service's "no" means to us, and when to try again."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, cast

from taskpilot.domain import text
from taskpilot.domain.errors import Conflict, Forbidden, Invalid, NotFound, TaskPilotError, Unavailable
from taskpilot.domain.moments import wire

SAID_MOST = 300


def refusal(
    title: str, status: int, headers: Mapping[str, str], body: Any, mask: Callable[[str], str]
) -> TaskPilotError:
    """The error for an answer that is not a success, with the service's own explanation as far as it has one."""
    said, code = mask(explain(body)), _code(body)
    because = f": {said.rstrip('.')}." if said else "."
    if status == 429 or code == "RATELIMITED" or (status == 403 and _is_limited(headers)):
        return limited(title, headers)
    if status == 401 or code == "AUTHENTICATION_ERROR":
        return Forbidden(f"{title} did not accept the token.", hint="Connect again with a valid one.")
    if status == 403:
        return Forbidden(f"{title} does not allow this{because}", hint="Check what the token may do.")
    if status in (404, 410):
        return NotFound(f"{title} has no such thing, or the token may not see it{because}", hint="Check the names.")
    if status == 409:
        return Conflict(f"{title} says this is in conflict{because}", hint="Sync, then repeat.")
    if status in (400, 405, 413, 415, 422):
        return Invalid(f"{title} did not accept it{because}", hint="Correct it and repeat.")
    if 300 <= status < 400:
        return Unavailable(f"{title} has moved elsewhere.", hint="Configure its new address.")
    if status >= 500:
        return Unavailable(f"{title} has trouble of its own (status {status}).", hint="Try again in a while.")
    return Unavailable(f"{title} answered with status {status}{because}", hint="Check the address.")


def limited(title: str, headers: Mapping[str, str]) -> Unavailable:
    """Too many requests: say when the next one is welcome."""
    until = _welcome_again(headers)
    when = f" until {wire(until)}" if until else ""
    return Unavailable(
        f"{title} wants no more requests{when}: its rate limit is used up.",
        hint="Repeat after that." if until else "Try again in a while.",
    )


def explain(body: Any) -> str:
    """The explanation inside an error body, wherever services put it."""
    parts: list[str] = []
    if isinstance(body, dict):
        given = cast("dict[str, Any]", body)
        for name in ("message", "errorMessages", "errors", "error", "detail"):
            parts.extend(_sentences(given.get(name)))
    return text.shorten("; ".join(dict.fromkeys(text.clean_line(part) for part in parts)), SAID_MOST)


def _sentences(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value] if value else []
    if isinstance(value, list):
        return [sentence for item in cast("list[Any]", value)[:5] for sentence in _sentences(item)]
    if isinstance(value, dict):
        given = cast("dict[str, Any]", value)
        if isinstance(given.get("message"), str):
            return [given["message"]]
        if "field" in given:
            return [f"{given['field']} {str(given.get('code', 'is wrong')).replace('_', ' ')}"]
        return [f"{name}: {said}" for name, said in given.items() if isinstance(said, str)][:5]
    return []


def _code(body: Any) -> str:
    """GraphQL names the kind of an error inside of it, whatever the status says."""
    try:
        return str(body["errors"][0]["extensions"]["code"])
    except (KeyError, IndexError, TypeError):
        return ""


def _is_limited(headers: Mapping[str, str]) -> bool:
    return headers.get("x-ratelimit-remaining") == "0" or "retry-after" in headers


def _welcome_again(headers: Mapping[str, str]) -> datetime | None:
    try:
        if "retry-after" in headers:
            return datetime.fromtimestamp(time.time() + float(headers["retry-after"]), UTC)
        reset = float(headers.get("x-ratelimit-reset") or headers["x-ratelimit-requests-reset"])
        return datetime.fromtimestamp(reset / 1000 if reset > 1e11 else reset, UTC)
    except (KeyError, ValueError, OverflowError, OSError):
        return None
