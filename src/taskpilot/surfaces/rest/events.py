"""`/api/events`: what happens, as it happens, as server-sent events.

Whoever comes back with the id of the last event they have seen misses nothing.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema
from starlette.requests import HTTPConnection
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from taskpilot.access.doorkeeper import Doorkeeper
from taskpilot.domain.caller import Caller
from taskpilot.domain.errors import Unauthenticated
from taskpilot.domain.task import ID_MOST
from taskpilot.surfaces.rest.errors import tell
from taskpilot.surfaces.rest.streams import Admit, Listener, Notice, Streams, TooMany, Wish

RETRY_MILLISECONDS = 2_000
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
BEAT = b": still here\n\n"
BEARER = "bearer."
Absent = SkipJsonSchema[None]
"""A parameter may be left out, but nobody can send a null there."""
Position = Annotated[int, Field(ge=0, le=ID_MOST)]
Kinds = Annotated[str, Field(max_length=500, pattern=r"^[a-z_]+(\.[a-z_]+)?(,[a-z_]+(\.[a-z_]+)?)*$")]
Workspace = Annotated[int, Field(ge=1, le=ID_MOST)]
MESSAGE = {
    "type": "object",
    "description": "One message of the stream.",
    "properties": {
        "id": {"type": "string", "pattern": "^[0-9]+$"},
        "event": {"type": "string", "examples": ["ready", "task.created", "reset"]},
        "data": {"type": "string", "contentMediaType": "application/json"},
    },
    "required": ["id", "event", "data"],
}
DESCRIBED: dict[int | str, dict[str, Any]] = {
    200: {"description": "The stream.", "content": {"text/event-stream": {"schema": MESSAGE}}}
}

router = APIRouter(prefix="/api/events", tags=["events"])


class EventsQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    last_event_id: Position | Absent = Field(
        None, description="As Last-Event-ID, for clients that cannot set headers. The header counts."
    )
    kinds: Kinds | Absent = Field(
        None,
        description="Only these: nouns and kinds, separated by commas.",
        examples=["task", "task.created,task.completed,project"],
    )
    workspace_id: Workspace | Absent = Field(None, description="Only what happens in this workspace.")
    wait: int = Field(
        3600,
        ge=0,
        le=3600,
        description="Seconds until the stream ends by itself. 0: tell what was missed, and end.",
    )

    def wish(self, last: int | None = None) -> Wish:
        return Wish(
            last=self.last_event_id if last is None else last,
            kinds=frozenset(self.kinds.split(",") if self.kinds else ()),
            workspace=self.workspace_id,
            seconds=self.wait,
        )


LastEventId = Annotated[
    Position | Absent,
    Header(
        alias="Last-Event-ID",
        description="The id of the last event seen: the stream goes on right after it. Without: from now on.",
    ),
]


class EventStream(StreamingResponse):
    media_type = "text/event-stream"

    def __init__(self, listener: Listener) -> None:
        super().__init__(write(listener), headers=HEADERS)
        self._listener = listener

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._listener.leave()


@router.get("", response_class=EventStream, status_code=200, responses=DESCRIBED)
async def stream_events(
    request: Request, query: Annotated[EventsQuery, Query()], last_event_id: LastEventId = None
) -> Response:
    """Your own changes, from every door, as server-sent events.

    First comes `ready` with the id where the stream begins. Then each change in order: its id, its kind as the event,
    and as data a JSON object with `id`, `change`, `at`, `actor`, `door`, `kind`, `subject`, `before`, `after`,
    `reason` and `workspace`. `reset` says that what you know is void, because a backup was restored or your
    Last-Event-ID is not of this log: load everything again; the stream goes on from there.
    A stream ends when its credential does. At most 100 a user are open at a time.
    """
    try:
        return EventStream(await streams_of(request).open(admit_again(request), query.wish(last_event_id)))
    except TooMany:
        return refuse_more()


def streams_of(connection: HTTPConnection) -> Streams:
    return connection.app.state.streams


def admit_again(connection: HTTPConnection) -> Admit:
    """Whom the gate let in, for as long as it would let them in again."""
    known: Caller = connection.scope["caller"]
    keeper: Doorkeeper = connection.app.state.keeper
    token, base = read_token(connection), connection.scope["base_url"]

    async def admit() -> Caller:
        if not known.credential:
            return known
        return await keeper.admit(token, known.door, address=known.address, resource=base)

    return admit


def read_token(connection: HTTPConnection) -> str:
    """What was shown at the gate: the header, or the subprotocol of a WebSocket."""
    shown = connection.headers.get("authorization")
    if shown is not None:
        return shown.partition(" ")[2].strip()
    offered: list[str] = connection.scope.get("subprotocols", [])
    return next((each.removeprefix(BEARER) for each in offered if each.startswith(BEARER)), "")


def refuse_more() -> Response:
    return tell(
        429,
        "You have too many event streams open.",
        error="too_many_streams",
        hint="Close one, then try again.",
        headers={"Retry-After": "5"},
    )


async def write(listener: Listener) -> AsyncGenerator[bytes]:
    """As the HTML standard has it. One piece for all that is told together."""
    yield f"retry: {RETRY_MILLISECONDS}\n\n".encode()
    try:
        async for told in listener.hear():
            yield b"".join(map(write_notice, told)) or BEAT
    except Unauthenticated:
        return


def write_notice(notice: Notice) -> bytes:
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (notice.id, notice.name.encode(), encode(notice.data))


def encode(data: Any) -> bytes:
    """On one line: line breaks in a text are escaped."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
