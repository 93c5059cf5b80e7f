"""Conversations with the assistant: what was said, and what it needs to remember.

The log tells that something was said, never what: a conversation that is deleted is gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from taskpilot.domain import conversation, text
from taskpilot.domain.conversation import (
    SUMMARY_MOST,
    TITLE_MOST,
    Call,
    Context,
    Conversation,
    Message,
    Pending,
    Role,
    trace,
)
from taskpilot.domain.errors import Invalid
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.selection import Page, limit
from taskpilot.domain.task import ID_MOST
from taskpilot.store.work import Work

WINDOW_USUAL = 40


class Unsaid:
    """What a memory is left at when nothing is said about it: None means something there."""


UNSAID = Unsaid()


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation and a stretch of its messages, oldest first."""

    conversation: Conversation
    messages: tuple[Message, ...]
    cursor: str | None = None
    """Hand it back to see what was said before; None at the beginning."""


@reads(quick=True)
def get(work: Work, conversation_id: int) -> Conversation:
    return work.conversations.get(conversation_id)


@reads
def list_page(work: Work, *, limit: int = 50, cursor: str | None = None) -> Page[Conversation]:
    """The caller's conversations; those in which something was said last come first."""
    return work.conversations.page(_limit(limit), cursor)


@reads
def read_messages(work: Work, conversation_id: int, *, limit: int = 50, cursor: str | None = None) -> Talk:
    """The latest messages, or those before a cursor."""
    found, most = work.conversations.get(conversation_id), _limit(limit)
    messages = work.conversations.latest_messages(found.id, most, before=_before(cursor))
    earlier = bool(messages) and messages[0].number > 1
    return Talk(found, tuple(messages), str(messages[0].number) if earlier else None)


@reads
def read_window(work: Work, conversation_id: int, *, most: int = WINDOW_USUAL) -> Talk:
    """What a model is shown: what was said since the summary ends, or the latest of it."""
    found = work.conversations.get(conversation_id)
    messages = work.conversations.latest_messages(found.id, _limit(most), after=found.summarised)
    return Talk(found, tuple(messages))


@writes
def start(work: Work, *, title: str = "") -> Conversation:
    """Begin a conversation. Without a title, the first thing the person says becomes it."""
    made = work.conversations.add(
        Conversation(
            id=0,
            owner=work.caller.user,
            title=text.line(title, "A title", TITLE_MOST, 0),
            created_at=work.now,
            updated_at=work.now,
        )
    )
    work.record("conversation.started", None, trace(made))
    return made


@writes
def rename(work: Work, conversation_id: int, title: str) -> Conversation:
    before = work.conversations.get(conversation_id)
    after = before.rename(title)
    if after != before:
        work.conversations.save(after)
        work.record("conversation.renamed", trace(before), trace(after))
    return after


@writes
def delete(work: Work, conversation_id: int) -> None:
    """Remove a conversation and all that was said in it, for good. The tasks it was about stay."""
    before = work.conversations.get(conversation_id)
    work.conversations.delete(before.id)
    work.record("conversation.deleted", trace(before), trace(replace(before, messages=0, pending=None)))


@writes
def add_message(
    work: Work,
    conversation_id: int,
    role: Role | str,
    said: str,
    *,
    calls: Iterable[Call] = (),
    usage: Mapping[str, Any] | None = None,
    context: Context | None = None,
    pending: Pending | Unsaid | None = UNSAID,
) -> Message:
    """Write down what somebody said; with an answer, also what is to be remembered, in the same transaction."""
    before, role = work.conversations.get(conversation_id), Role(role)
    made = work.conversations.add_message(
        Message(
            id=0,
            conversation=before.id,
            number=before.messages + 1,
            role=role,
            text=conversation.parse_said(said) if role is Role.USER else conversation.tidy_answer(said),
            at=work.now,
            calls=conversation.tidy_calls(calls),
            usage=conversation.tidy_usage(usage or {}),
        )
    )
    after = work.conversations.save(_keep(before.grow(made), context, pending))
    work.record("conversation.continued", trace(before), trace(after))
    return made


@writes
def remember(
    work: Work,
    conversation_id: int,
    *,
    context: Context | None = None,
    pending: Pending | Unsaid | None = UNSAID,
    summary: str | None = None,
    summarised: int | None = None,
) -> Conversation:
    """Change what the assistant knows of a conversation; what is not given stays. `pending=None`: nothing waits."""
    before = work.conversations.get(conversation_id)
    after = _keep(before, context, pending)
    if summary is not None:
        after = replace(after, summary=text.shorten(text.clean(summary), SUMMARY_MOST))
    if summarised is not None:
        after = replace(after, summarised=min(max(summarised, before.summarised), before.messages))
    if after != before:
        work.conversations.save(after)
        work.record("conversation.remembered", trace(before), trace(after))
    return after


@writes
def take_pending(work: Work, conversation_id: int) -> Pending | None:
    """What waits for a yes, which from now on nothing does: whoever is given it is the only one to act on it."""
    before = work.conversations.get(conversation_id)
    if before.pending is not None:
        after = work.conversations.save(replace(before, pending=None))
        work.record("conversation.settled", trace(before), trace(after))
    return before.pending


def _keep(found: Conversation, context: Context | None, pending: Pending | Unsaid | None) -> Conversation:
    if context is not None:
        found = replace(found, context=conversation.tidy_context(context))
    if not isinstance(pending, Unsaid):
        found = replace(found, pending=None if pending is None else conversation.check_pending(pending))
    return found


def _before(cursor: str | None) -> int:
    if cursor is None:
        return ID_MOST
    if not cursor.isascii() or not cursor.isdigit():
        raise Invalid("This cursor does not belong to this list.", hint="Start again without a cursor.")
    return int(cursor[:18])


def _limit(given: int) -> int:
    return limit(given)
