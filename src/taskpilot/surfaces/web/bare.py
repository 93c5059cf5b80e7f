"""MCP at `/` itself, for clients that post a bare `{"method", "params"}` as well as for those that speak JSON-RPC.

A bare request gets a bare result, and an error with a status; a JSON-RPC request gets its envelope, with status 200.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any, cast

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from taskpilot.domain.caller import Caller
from taskpilot.surfaces.web.conversation import BATCH_MOST, INVALID_REQUEST, REVISION, Conversation, Failure, Message

Endpoint = Callable[[Request], Awaitable[Response]]
HEADERS = {"MCP-Protocol-Version": REVISION}
STATUS = {-32600: 400, -32601: 404, -32602: 400, -32603: 500}


def open_root(conversation: Conversation, show_page: Endpoint) -> Endpoint:
    """The endpoint of `/`: people get the page, programs a word about the protocol, or an answer."""

    async def answer(request: Request) -> Response:
        if request.method == "GET":
            return await show_page(request)
        return Response(headers=HEADERS) if request.method == "HEAD" else await converse(conversation, request)

    return answer


async def converse(conversation: Conversation, request: Request) -> Response:
    caller: Caller = request.scope["caller"]
    if not request.headers.get("content-type", "").lower().startswith("application/json"):
        return tell_bare(Failure(INVALID_REQUEST, "Content-Type must be application/json"))
    try:
        given = parse(await request.body())
    except (ValueError, RecursionError):
        return tell_bare(Failure(INVALID_REQUEST, "The request is not valid JSON"))
    except ClientDisconnect:
        return Response(status_code=400)
    if isinstance(given, list):
        return await answer_batch(conversation, caller, cast(list[Any], given))
    if not isinstance(given, dict):
        return tell_bare(Failure(INVALID_REQUEST, "A request is a JSON object"))
    message = cast(Message, given)
    if "jsonrpc" in message:
        reply = await answer_envelope(conversation, caller, message)
        return respond(reply) if reply is not None else Response(status_code=202, headers=HEADERS)
    return await answer_bare(conversation, caller, message)


async def answer_bare(conversation: Conversation, caller: Caller, message: Message) -> Response:
    method = message.get("method")
    if isinstance(method, str) and method.startswith("notifications/"):
        return Response(status_code=202, headers=HEADERS)
    try:
        return respond(await conversation.answer(caller, message))
    except Failure as failure:
        return tell_bare(failure)


async def answer_envelope(conversation: Conversation, caller: Caller, given: Any) -> Message | None:
    """The reply in its envelope; None for a notification, which is carried out and never answered."""
    message = cast(Message, given) if isinstance(given, dict) else {}
    number = message.get("id") if is_id(message.get("id")) else None
    try:
        check_envelope(message)
    except Failure as failure:
        return wrap(number, error=describe(failure))
    try:
        reply = wrap(number, result=await conversation.answer(caller, message))
    except Failure as failure:
        reply = wrap(number, error=describe(failure))
    return reply if "id" in message else None


async def answer_batch(conversation: Conversation, caller: Caller, messages: list[Any]) -> Response:
    """One after the other, in the order given: a later request may rely on an earlier one."""
    if not 1 <= len(messages) <= BATCH_MOST:
        problem = Failure(INVALID_REQUEST, f"A batch holds 1 to {BATCH_MOST} requests")
        return respond(wrap(None, error=describe(problem)))
    replies = [
        reply for message in messages if (reply := await answer_envelope(conversation, caller, message)) is not None
    ]
    return respond(replies) if replies else Response(status_code=202, headers=HEADERS)


def check_envelope(message: Message) -> None:
    """Refuse what is no JSON-RPC 2.0 request at all, not even one that wants no answer."""
    if message.get("jsonrpc") != "2.0":
        raise Failure(INVALID_REQUEST, 'A request is a JSON object with "jsonrpc": "2.0"')
    if not isinstance(message.get("method"), str):
        raise Failure(INVALID_REQUEST, "method is missing, or not a string")
    if not is_id(message.get("id")):
        raise Failure(INVALID_REQUEST, "id must be a string or a number")


def is_id(given: Any) -> bool:
    if isinstance(given, float):
        return given.is_integer()
    return given is None or (isinstance(given, str | int) and not isinstance(given, bool))


def parse(body: bytes) -> Any:
    """JSON as the standard has it: Python would take NaN as well."""

    def forbid(constant: str) -> None:
        raise ValueError(constant)

    return json.loads(body.decode("utf-8"), parse_constant=forbid)


def wrap(number: Any, **outcome: Any) -> Message:
    return {"jsonrpc": "2.0", "id": number, **outcome}


def describe(failure: Failure) -> Message:
    return {"code": failure.code, "message": failure.message}


def tell_bare(failure: Failure, status: int | None = None) -> Response:
    return respond({"error": describe(failure)}, status or STATUS[failure.code])


def respond(value: Any, status: int = 200) -> Response:
    """ASCII with escapes: a stranger's text may hold half a character, which UTF-8 cannot carry."""
    return Response(json.dumps(value), status, HEADERS, "application/json")
