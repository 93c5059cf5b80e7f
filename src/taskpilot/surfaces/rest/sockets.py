"""`/api/events/ws`: the stream of events over a WebSocket, for clients that prefer one.

Every message is a JSON text `{"id", "event", "data"}`, with what the server-sent events carry, and `heartbeat`
besides. A client resumes with `last_event_id` in the query, or in its first message `{"last_event_id": n}`.
One that cannot set headers offers the subprotocols `taskpilot` and `bearer.TOKEN`.
"""

from __future__ import annotations

import asyncio

import anyio
from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import Field, ValidationError
from starlette.responses import Response

from taskpilot.domain.errors import OutOfScope, TaskPilotError, Unauthenticated
from taskpilot.domain.task import ID_MOST
from taskpilot.surfaces.rest.errors import STATUS, tell
from taskpilot.surfaces.rest.events import EventsQuery, admit_again, encode, refuse_more, streams_of
from taskpilot.surfaces.rest.streams import Listener, Notice, TooMany, Wish
from taskpilot.surfaces.rest.types import Body

PROTOCOL = "taskpilot"
FIRST_SECONDS = 1.0
"""How long the first message may take; without one, the stream begins where the log was when the client came."""
DONE, REFUSED = 1000, 1008

router = APIRouter(prefix="/api/events", tags=["events"])


class First(Body):
    last_event_id: int | None = Field(None, ge=0, le=ID_MOST)


class Ended(Exception):
    """The server ends the conversation, and says why."""

    def __init__(self, code: int, reason: str = "") -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


@router.websocket("/ws")
async def exchange_events(socket: WebSocket) -> None:
    """The same stream as `/api/events`."""
    try:
        wish = read_wish(socket)
        listener = await streams_of(socket).open(admit_again(socket), wish)
    except (ValidationError, TooMany, TaskPilotError) as error:
        return await socket.send_denial_response(deny(error))
    try:
        await socket.accept(PROTOCOL if PROTOCOL in socket.scope["subprotocols"] else None)
        if wish.last is None:
            await begin(socket, listener)
        await serve(socket, listener)
    except Ended as ended:
        await socket.close(ended.code, ended.reason)
    except WebSocketDisconnect:
        pass
    finally:
        listener.leave()


def read_wish(socket: WebSocket) -> Wish:
    return EventsQuery.model_validate(dict(socket.query_params)).wish()


def deny(error: Exception) -> Response:
    if isinstance(error, TooMany):
        return refuse_more()
    if isinstance(error, TaskPilotError):
        code = "insufficient_scope" if isinstance(error, OutOfScope) else error.kind
        return tell(STATUS[error.kind], error.message, error=code, hint=error.hint)
    return tell(422, "The query is not valid.", hint="See /api/events in the description of this API.")


async def begin(socket: WebSocket, listener: Listener) -> None:
    """Where to go on from, if the client says so first."""
    try:
        async with asyncio.timeout(FIRST_SECONDS):
            said = await socket.receive_text()
    except TimeoutError:
        return
    except KeyError:
        raise Ended(REFUSED, "Messages are JSON texts.") from None
    try:
        last = First.model_validate_json(said).last_event_id
    except ValidationError:
        raise Ended(REFUSED, 'The first message is {"last_event_id": n}, or none.') from None
    if last is not None:
        listener.resume(last)


async def serve(socket: WebSocket, listener: Listener) -> None:
    """Until either side has had enough."""
    outcome: Exception | None = None

    async def heed() -> None:
        nonlocal outcome
        try:
            await socket.receive_text()
            outcome = Ended(REFUSED, "Only the first message may say something.")
        except KeyError:
            outcome = Ended(REFUSED, "Messages are JSON texts.")
        except WebSocketDisconnect as left:
            outcome = left
        group.cancel_scope.cancel()

    async with anyio.create_task_group() as group:
        group.start_soon(heed)
        try:
            await pass_on(socket, listener)
            outcome = Ended(DONE)
        except Unauthenticated as error:
            outcome = Ended(REFUSED, error.message)
        except WebSocketDisconnect as left:
            outcome = left
        group.cancel_scope.cancel()
    if outcome is not None:
        raise outcome


async def pass_on(socket: WebSocket, listener: Listener) -> None:
    async for told in listener.hear():
        for notice in told or [Notice(listener.last, "heartbeat", {})]:
            await socket.send_text(encode({"id": notice.id, "event": notice.name, "data": notice.data}).decode())
