"""A conversation with the assistant: what was said, what it is about, and what waits for a yes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from taskpilot.domain import payload, text
from taskpilot.domain.errors import Invalid, NotFound

TITLE_MOST = 200
TITLE_USUAL = 60
"""Of a title that nobody gave: the first words that were said."""
SAID_MOST = 10_000
"""The longest message a person can send."""
ANSWER_MOST = 100_000
SUMMARY_MOST = 20_000
RESULT_MOST = 4_000
"""As much of a tool's answer as is kept for people to read."""
CALLS_MOST = 200
LIST_MOST = 1_000
STATE_MOST = 4_000_000
LEFT_OUT = {"left_out": "too long to keep"}


class Role(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Call:
    """A tool that the assistant used, and what came of it."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    ok: bool = True
    text: str = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A tool that the assistant would use if the person agreed."""

    id: str
    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Pending:
    """What waits for a yes."""

    calls: tuple[Wanted, ...]
    question: str
    """As it was put to the person."""
    model_state: Any = None
    """Whatever JSON the assistant needs to go on from there. Nobody else reads it."""


@dataclass(frozen=True, slots=True)
class Context:
    """What "it", "that task" and "the second one" mean now."""

    last_task: int | None = None
    last_operation: str = ""
    last_list: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    id: int
    conversation: int
    number: int
    """Its place in the conversation, from 1."""
    role: Role
    text: str
    at: datetime
    calls: tuple[Call, ...] = ()
    usage: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """`requests`, `input_tokens`, `output_tokens`, and `cost` in dollars where it is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    id: int
    owner: int
    title: str
    created_at: datetime
    updated_at: datetime
    """When something was last said."""
    messages: int = 0
    """How many there are; the last one has this number."""
    summary: str = ""
    summarised: int = 0
    """The last message that the summary covers."""
    context: Context = Context()
    pending: Pending | None = None

    def rename(self, title: str) -> Conversation:
        return replace(self, title=text.line(title, "A title", TITLE_MOST))

    def grow(self, message: Message) -> Conversation:
        """With one more message. The first thing a person says gives it its name."""
        title = self.title
        if not title and message.role is Role.USER:
            title = text.shorten(text.clean_line(message.text[: TITLE_USUAL * 10]), TITLE_USUAL)
        return replace(self, title=title, messages=message.number, updated_at=message.at)


@dataclass(frozen=True, slots=True)
class Trace:
    """As much of a conversation as the log may tell: nothing that was said."""

    id: int
    messages: int = 0
    waiting: bool = False


def trace(conversation: Conversation) -> Trace:
    return Trace(conversation.id, conversation.messages, conversation.pending is not None)


def parse_said(given: str) -> str:
    """What a person says."""
    said = text.prose(given, "A message", SAID_MOST)
    if not said:
        raise Invalid("A message cannot be empty.", hint="Say what you would like to do.")
    return said


def tidy_answer(given: str) -> str:
    """What the assistant says. It is kept however long it is, as far as it fits."""
    return text.shorten(text.clean(given), ANSWER_MOST)


def tidy_calls(calls: Iterable[Call]) -> tuple[Call, ...]:
    """What a model asked of tools can be anything: it is kept as far as it can be shown."""
    return tuple(
        Call(
            text.shorten(text.clean_line(call.tool), TITLE_MOST),
            _tidy(call.arguments),
            call.ok,
            text.shorten(text.clean(call.text), RESULT_MOST),
        )
        for call in list(calls)[:CALLS_MOST]
    )


def tidy_usage(usage: Mapping[str, Any]) -> Mapping[str, Any]:
    return _tidy(usage)


def tidy_context(context: Context) -> Context:
    return replace(
        context,
        last_operation=text.shorten(text.clean_line(context.last_operation), TITLE_MOST),
        last_list=context.last_list[:LIST_MOST],
    )


def check_pending(pending: Pending) -> Pending:
    """Kept to the letter, or not at all: a yes must run what was asked about."""
    try:
        size = len(json.dumps(write_pending(pending), allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        raise Invalid("What waits for a yes is not JSON.", hint="Ask for it again in other words.") from None
    if size > STATE_MOST:
        raise Invalid("What waits for a yes is too long to keep.", hint="Ask for less at a time.")
    return pending


def write_pending(pending: Pending) -> dict[str, Any]:
    return {
        "calls": [{"id": call.id, "tool": call.tool, "arguments": dict(call.arguments)} for call in pending.calls],
        "question": pending.question,
        "model_state": pending.model_state,
    }


def read_pending(written: Mapping[str, Any]) -> Pending:
    return Pending(tuple(Wanted(**call) for call in written["calls"]), written["question"], written["model_state"])


def missing(conversation_id: object) -> NotFound:
    return NotFound(
        f"Conversation {conversation_id} not found.", hint="List the conversations, or begin one without a number."
    )


def _tidy(given: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        return payload.parse(dict(given), "arguments")
    except Invalid:
        return LEFT_OUT
