"""`/api/chat`: tasks in plain language, answered at once or word by word."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, cast

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field, StringConstraints
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from taskpilot.domain.conversation import SAID_MOST
from taskpilot.domain.errors import TaskPilotError
from taskpilot.surfaces.rest.asking import caller_of, reply
from taskpilot.surfaces.rest.conversations import CallOut, PendingOut
from taskpilot.surfaces.rest.errors import tell, tell_bug, tell_error
from taskpilot.surfaces.rest.events import BEAT, HEADERS, encode
from taskpilot.surfaces.rest.streams import BEAT_SECONDS
from taskpilot.surfaces.rest.task_bodies import Id
from taskpilot.surfaces.rest.types import VISIBLE, Body

if TYPE_CHECKING:
    from taskpilot.agents.chat.assistant import Assistant, Piece

STREAM = "text/event-stream"
RETRY_SECONDS = "5"
STATUS = {"bug": 500}
"""Of an assistant that could not answer, by its reason; all others are a model that is away."""
MESSAGE = {
    "type": "object",
    "description": "One message of the stream, where `Accept` asks for it.",
    "properties": {
        "event": {"type": "string", "enum": ["text", "call", "result", "pending", "done", "error"]},
        "data": {"type": "string", "contentMediaType": "application/json"},
    },
    "required": ["event", "data"],
}
DESCRIBED: dict[int | str, dict[str, Any]] = {200: {"content": {STREAM: {"schema": MESSAGE}}}}

router = APIRouter(prefix="/api/chat", tags=["chat"])


class ChatBody(Body):
    message: Annotated[str, StringConstraints(min_length=1, max_length=SAID_MOST, pattern=VISIBLE)] = Field(
        examples=["Add buy milk tomorrow at 5pm", "What should I do next?", "yes"]
    )
    conversation_id: Id | None = Field(None, description="Go on with this one. Without: a new conversation.")


class ChatOut(BaseModel):
    conversation_id: int
    message: str
    """The answer, or the question that waits for your yes."""
    tool_calls: list[CallOut]
    pending: PendingOut | None
    usage: dict[str, Any]
    """What the answer took: `requests`, `input_tokens`, `output_tokens`, and `cost` in dollars where it is known."""


@router.post("", response_model=ChatOut, responses=DESCRIBED)
async def chat(request: Request, body: ChatBody) -> Response:
    """Say something to the assistant.

    With `Accept: text/event-stream` the answer comes as it is made: `text` is the next bit of it, `call` and `result`
    tell of a tool at work, `pending` is a question that waits for your yes, and `done` carries what is otherwise the
    whole answer. `error` carries a problem, as it would have come instead of an answer. Whoever hangs up stops the
    answer; what was done until then stays.
    """
    assistant = await assistant_of(request)
    told = tell_pieces(assistant.reply(caller_of(request), body.message, body.conversation_id))
    if STREAM in request.headers.get("accept", ""):
        # Until the first piece a failure has a status of its own; afterwards it is an event.
        return AnswerStream(request, await anext(told, None), told)
    return await answer_whole(told)


async def assistant_of(request: Request) -> Assistant:
    """Made when somebody first talks to it: loading it takes a while, and most servers never need it."""
    state = request.app.state
    if state.assistant is None:
        made = await asyncio.to_thread(_make_assistant, state)
        state.assistant = state.assistant or made
    return state.assistant


def _make_assistant(state: Any) -> Assistant:
    from taskpilot.agents.chat.assistant import Assistant

    return Assistant(state.app, state.settings)


async def tell_pieces(pieces: AsyncIterator[Piece]) -> AsyncGenerator[Piece | None]:
    """Each piece as it comes; None now and then, as a sign of life.

    The answer is made in a task of its own from beginning to end, as what it uses may insist on.
    """
    made: asyncio.Queue[Piece | None] = asyncio.Queue()

    async def make() -> None:
        try:
            async for piece in pieces:
                made.put_nowait(piece)
        finally:
            made.put_nowait(None)

    making = asyncio.create_task(make())
    try:
        while True:
            try:
                async with asyncio.timeout(BEAT_SECONDS):
                    piece = await made.get()
            except TimeoutError:
                yield None
                continue
            if piece is None:
                await making
                return
            yield piece
    finally:
        making.cancel()
        await asyncio.gather(making, return_exceptions=True)


async def answer_whole(told: AsyncIterator[Piece | None]) -> Response:
    """All of it at once. An assistant that could not answer is a server that could not."""
    failed: Piece | None = None
    done: Mapping[str, Any] = {}
    async for piece in told:
        if piece is not None and piece.kind == "error":
            failed = piece
        elif piece is not None and piece.kind == "done":
            done = piece.data or {}
    return tell_failure(failed, done) if failed is not None else reply(show_answer(done))


def show_answer(done: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "conversation_id": done["conversation_id"],
        "message": done["message"],
        "tool_calls": list(done.get("tool_calls") or ()),
        "pending": done.get("pending"),
        "usage": dict(done.get("usage") or {}),
    }


def tell_failure(failed: Piece, done: Mapping[str, Any] | None = None) -> Response:
    """With all that was said and done before it failed, where that is known."""
    details = {**(show_answer(done) if done else {}), **(failed.data or {})}
    error = str(details.get("reason") or "unavailable")
    return tell(
        STATUS.get(error, 503), failed.text, error=error, details=details, headers={"Retry-After": RETRY_SECONDS}
    )


class AnswerStream(StreamingResponse):
    """As the HTML standard has server-sent events. Whoever hangs up stops the answer."""

    media_type = STREAM

    def __init__(self, request: Request, first: Piece | None, rest: AsyncGenerator[Piece | None]) -> None:
        self._pieces = rest
        super().__init__(write(request, first, rest), headers=HEADERS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await cast("AsyncGenerator[bytes]", self.body_iterator).aclose()
            await self._pieces.aclose()


async def write(request: Request, first: Piece | None, rest: AsyncIterator[Piece | None]) -> AsyncGenerator[bytes]:
    yield write_piece(first)
    try:
        async for piece in rest:
            yield write_piece(piece)
    except TaskPilotError as error:
        yield write_event("error", bytes((await tell_error(request, error)).body))
    except Exception as error:
        yield write_event("error", bytes((await tell_bug(request, error)).body))


def write_piece(piece: Piece | None) -> bytes:
    if piece is None:
        return BEAT
    if piece.kind == "error":
        return write_event("error", bytes(tell_failure(piece).body))
    if piece.kind == "done":
        return write_event("done", encode(show_answer(piece.data or {})))
    text = {"text": piece.text} if piece.text else {}
    return write_event(piece.kind, encode({**(piece.data or {}), **text}))


def write_event(name: str, data: bytes) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (name.encode(), data)
