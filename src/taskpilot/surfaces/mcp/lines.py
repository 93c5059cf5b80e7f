"""JSON-RPC as lines of text: where one ends, and what is wrong with one that is no message."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any

from mcp_types import INVALID_REQUEST, PARSE_ERROR, RequestId
from pydantic import ValidationError

Read = Callable[[], Awaitable[bytes]]
"""The next bytes, however many there are; none at the end."""

LONGEST_LINE = 16 * 1024 * 1024


def diagnose(line: bytes, error: ValidationError) -> tuple[int, str, RequestId | None]:
    """The JSON-RPC error for a line that is no message: code, text, and the id if one can be told."""
    if error.errors(include_url=False, include_input=False)[0]["type"] == "json_invalid":
        return PARSE_ERROR, "This line is not JSON (UTF-8, one message a line).", None
    given = json.loads(line)
    if isinstance(given, list):
        return INVALID_REQUEST, "Batches are not supported: send one message a line.", None
    return INVALID_REQUEST, 'This is not a JSON-RPC 2.0 message: it needs "jsonrpc": "2.0".', read_id(given)


def read_id(given: Any) -> RequestId | None:
    return as_id(given.get("id")) if isinstance(given, dict) else None  # pyright: ignore[reportUnknownMemberType]


def as_id(value: Any) -> RequestId | None:
    """An id that an answer may carry: a string or a whole number."""
    return value if isinstance(value, str | int) and not isinstance(value, bool) else None


async def split_lines(read: Read, longest: int = LONGEST_LINE) -> AsyncGenerator[bytes | None, None]:
    """Lines without their ends, the last one even if unfinished; None in place of one that is too long."""
    parts: list[bytes] = []
    size = 0
    while chunk := await read():
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            yield b"".join((*parts, end)) if size + len(end) <= longest else None
            parts.clear()
            size = 0
        size += len(rest)
        if size > longest:
            parts.clear()
        elif rest:
            parts.append(rest)
    if size:
        yield b"".join(parts) if size <= longest else None
