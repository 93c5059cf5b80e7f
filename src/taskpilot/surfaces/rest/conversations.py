"""`/api/conversations`: what was said to the assistant, and what it answered."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from starlette.responses import Response

from taskpilot.domain.conversation import TITLE_MOST, Call, Conversation, Message, Pending
from taskpilot.domain.moments import wire
from taskpilot.ops import conversations
from taskpilot.surfaces.rest.asking import reply, run
from taskpilot.surfaces.rest.types import VISIBLE, Body, Number

router = APIRouter(prefix="/api/conversations", tags=["chat"])


class ConversationsQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    limit: int = Field(50, ge=1, le=1000)
    cursor: str | None = Field(
        None, max_length=1_000, pattern="^[A-Za-z0-9_-]+$", description="The `next_cursor` of the page before."
    )


class MessagesQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    limit: int = Field(50, ge=1, le=1000)
    cursor: str | None = Field(
        None, pattern="^[0-9]{1,18}$", description="The `next_cursor` of the answer before: what was said earlier."
    )


class ConversationChanges(Body):
    title: Annotated[str, StringConstraints(min_length=1, max_length=TITLE_MOST, pattern=VISIBLE)]


class CallOut(BaseModel):
    """A tool that the assistant used, and what came of it."""

    tool: str
    arguments: dict[str, Any]
    ok: bool
    text: str


class WantedOut(BaseModel):
    id: str
    tool: str
    arguments: dict[str, Any]


class PendingOut(BaseModel):
    """What waits for your yes. Anything but a yes leaves it undone."""

    question: str
    calls: list[WantedOut]


class MessageOut(BaseModel):
    number: int
    """Its place in the conversation, from 1."""
    role: Literal["user", "assistant"]
    text: str
    tool_calls: list[CallOut]
    usage: dict[str, Any]
    at: str


class ConversationOut(BaseModel):
    id: int
    title: str
    created_at: str
    updated_at: str
    """When something was last said."""
    messages: int
    """How many there are."""
    pending: PendingOut | None


class ConversationsOut(BaseModel):
    conversations: list[ConversationOut]
    next_cursor: str | None


class TalkOut(BaseModel):
    conversation: ConversationOut
    messages: list[MessageOut]
    next_cursor: str | None


@router.get("", response_model=ConversationsOut)
async def list_conversations(request: Request, query: Annotated[ConversationsQuery, Query()]) -> Response:
    """Your conversations; those in which something was said last come first."""
    page = await run(request, conversations.list_page, limit=query.limit, cursor=query.cursor)
    shown = [show_conversation(each) for each in page.items]
    return reply({"conversations": shown, "next_cursor": page.cursor})


@router.get("/{conversation_id}", response_model=TalkOut)
async def get_conversation(
    request: Request, conversation_id: Number, query: Annotated[MessagesQuery, Query()]
) -> Response:
    """A conversation with its latest messages, oldest first; the cursor leads to what was said before them."""
    talk = await run(request, conversations.read_messages, conversation_id, limit=query.limit, cursor=query.cursor)
    return reply(
        {
            "conversation": show_conversation(talk.conversation),
            "messages": [show_message(each) for each in talk.messages],
            "next_cursor": talk.cursor,
        }
    )


@router.patch("/{conversation_id}", response_model=ConversationOut)
async def rename_conversation(request: Request, conversation_id: Number, body: ConversationChanges) -> Response:
    """Give a conversation another title."""
    return reply(show_conversation(await run(request, conversations.rename, conversation_id, body.title)))


@router.delete("/{conversation_id}", status_code=204)
async def delete_conversation(request: Request, conversation_id: Number) -> Response:
    """Remove a conversation and all that was said in it, for good. The tasks it was about stay."""
    await run(request, conversations.delete, conversation_id)
    return Response(status_code=204)


def show_conversation(conversation: Conversation) -> dict[str, Any]:
    return {
        "id": conversation.id,
        "title": conversation.title,
        "created_at": wire(conversation.created_at),
        "updated_at": wire(conversation.updated_at),
        "messages": conversation.messages,
        "pending": show_pending(conversation.pending),
    }


def show_message(message: Message) -> dict[str, Any]:
    return {
        "number": message.number,
        "role": message.role.value,
        "text": message.text,
        "tool_calls": [show_call(call) for call in message.calls],
        "usage": dict(message.usage),
        "at": wire(message.at),
    }


def show_call(call: Call) -> dict[str, Any]:
    return {"tool": call.tool, "arguments": dict(call.arguments), "ok": call.ok, "text": call.text}


def show_pending(pending: Pending | None) -> dict[str, Any] | None:
    if pending is None:
        return None
    calls = [{"id": call.id, "tool": call.tool, "arguments": dict(call.arguments)} for call in pending.calls]
    return {"question": pending.question, "calls": calls}
