"""`/api/runs/{id}/log`: what an agent says and does, page by page or as it happens."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Send
from starlette.types import Scope as Connection

from taskpilot.domain.errors import Unauthenticated, Unavailable
from taskpilot.domain.task import ID_MOST
from taskpilot.ops import run_views
from taskpilot.ops.run_views import News
from taskpilot.surfaces.rest.asking import reply, run
from taskpilot.surfaces.rest.events import (
    BEAT,
    HEADERS,
    RETRY_MILLISECONDS,
    LastEventId,
    admit_again,
    refuse_more,
    streams_of,
    write_notice,
)
from taskpilot.surfaces.rest.run_shapes import LogOut, show_entry, show_question
from taskpilot.surfaces.rest.streams import Listener, Notice, TooMany, Wish
from taskpilot.surfaces.rest.types import Number

STREAM = "text/event-stream"
AT_ONCE = 200
MESSAGE = {
    "type": "object",
    "description": "One message of the stream, where `Accept` asks for it.",
    "properties": {
        "id": {"type": "string", "pattern": "^[0-9]+$", "description": "The number of the entry."},
        "event": {"type": "string", "examples": ["message", "tool_call", "end"]},
        "data": {"type": "string", "contentMediaType": "application/json"},
    },
    "required": ["id", "event", "data"],
}
DESCRIBED: dict[int | str, dict[str, Any]] = {200: {"content": {STREAM: {"schema": MESSAGE}}}}

router = APIRouter(prefix="/api/runs", tags=["runs"])


class LogQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    after: int = Field(
        0, ge=0, le=ID_MOST, description="The number of the last entry seen. In a stream the header counts."
    )
    limit: int = Field(AT_ONCE, ge=1, le=1000, description="Of a page.")
    wait: int = Field(3600, ge=0, le=3600, description="Seconds until a stream ends by itself.")


class LogStream(StreamingResponse):
    media_type = STREAM

    def __init__(self, pieces: AsyncGenerator[bytes], listener: Listener) -> None:
        super().__init__(pieces, headers=HEADERS)
        self._listener = listener

    async def __call__(self, scope: Connection, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._listener.leave()


@router.get("/{run_id}/log", response_model=LogOut, responses=DESCRIBED)
async def read_run_log(
    request: Request, run_id: Number, query: Annotated[LogQuery, Query()], last_event_id: LastEventId = None
) -> Response:
    """What an agent said and did, in order.

    With `Accept: text/event-stream` it is a stream: each entry's number is its id and its kind the event, so that
    whoever comes back with `Last-Event-ID` misses nothing and hears nothing twice. When the run is over, or rests
    until somebody says more, the event `end` tells its state and what it asks, and the stream ends.
    """
    if STREAM not in request.headers.get("accept", ""):
        news = await run(request, run_views.follow, run_id, after=query.after, limit=query.limit)
        return reply(_show_page(news, query.after))
    after = query.after if last_event_id is None else last_event_id
    await run(request, run_views.follow, run_id, limit=1)  # or say now that there is no such run
    try:
        listener = await streams_of(request).open(
            admit_again(request), Wish(kinds=frozenset({"run"}), seconds=query.wait)
        )
    except TooMany:
        return refuse_more()
    return LogStream(write(request, listener, run_id, after), listener)


async def write(request: Request, listener: Listener, run_id: int, last: int) -> AsyncGenerator[bytes]:
    """The feed only wakes us: what is told is read from the run's own log."""
    yield f"retry: {RETRY_MILLISECONDS}\n\n".encode()
    try:
        async for told in listener.hear():
            if told and not any(_concerns(notice, run_id) for notice in told):
                continue
            while True:
                news = await run(request, run_views.follow, run_id, after=last, limit=AT_ONCE)
                last = news.entries[-1].number if news.entries else last
                notices = [Notice(each.number, each.kind.value, show_entry(each)) for each in news.entries]
                if news.complete:
                    notices.append(Notice(last, "end", _show_end(news)))
                yield b"".join(map(write_notice, notices)) or BEAT
                if news.complete:
                    return
                if not news.more:
                    break
    except (Unauthenticated, Unavailable):  # who comes back goes on from here
        return


def _concerns(notice: Notice, run_id: int) -> bool:
    return "subject" not in notice.data or notice.data["subject"] == run_id


def _show_page(news: News, after: int) -> dict[str, Any]:
    return {
        "entries": [show_entry(entry) for entry in news.entries],
        "state": news.run.state.value,
        "complete": news.complete,
        "next_after": news.entries[-1].number if news.entries else after,
    }


def _show_end(news: News) -> dict[str, Any]:
    return {
        "run_id": news.run.id,
        "state": news.run.state.value,
        "error": news.run.error,
        "question": show_question(news.question) if news.question else None,
    }
