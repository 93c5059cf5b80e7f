"""What was said to the assistant: listed, shown, renamed, deleted."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from taskpilot.domain import text
from taskpilot.domain.conversation import Conversation, Message, Role
from taskpilot.domain.moments import wire
from taskpilot.domain.selection import LIMIT_MOST
from taskpilot.ops import conversations
from taskpilot.surfaces.cli.dates import write_ago
from taskpilot.surfaces.cli.output import print_json, say
from taskpilot.surfaces.cli.session import Session

if TYPE_CHECKING:
    from rich.text import Text

UNTITLED = "(nothing said yet)"


def list_conversations(session: Session, limit: int) -> None:
    page = session.run(conversations.list_page, limit=limit)
    if session.json:
        return print_json([conversation_json(each) for each in page.items])
    if not page.items:
        return say("Nothing has been said yet. Begin with: taskpilot chat")
    now = datetime.now(UTC)
    say(*(_describe(each, now) for each in page.items))
    more = [] if page.cursor is None else [f"There are more: -n {min(limit * 5, LIMIT_MOST)} shows them."]
    return say("", *more, f"To go on with one: taskpilot chat --conversation {page.items[0].id}")


def show_conversation(session: Session, number: int | None, limit: int) -> None:
    """Its latest messages, oldest first."""
    number = find_latest(session) if number is None else number
    if number is None:
        return list_conversations(session, limit)
    talk = session.run(conversations.read_messages, number, limit=limit)
    if session.json:
        messages = [message_json(each) for each in talk.messages]
        return print_json(conversation_json(talk.conversation) | {"messages": messages})
    earlier = [] if talk.cursor is None else [f"… {talk.messages[0].number - 1} earlier; -n shows more."]
    say(f"Conversation {talk.conversation.id}: {talk.conversation.title or UNTITLED}", *earlier)
    return say(*(line for message in talk.messages for line in write_message(message)))


def rename_conversation(session: Session, number: int, title: str) -> None:
    renamed = session.run(conversations.rename, number, title)
    print_json(conversation_json(renamed)) if session.json else say(f"Conversation {number} is now {renamed.title!r}.")


def delete_conversation(session: Session, number: int, *, yes: bool) -> None:
    found = session.run(conversations.get, number)
    session.confirm(f"Delete conversation {number} ({found.title or UNTITLED}) for good?", yes=yes)
    session.run(conversations.delete, number)
    print_json({"deleted": number}) if session.json else say(f"Deleted conversation {number}. Its tasks stay.")


def find_latest(session: Session) -> int | None:
    page = session.run(conversations.list_page, limit=1)
    return page.items[0].id if page.items else None


def conversation_json(conversation: Conversation) -> dict[str, Any]:
    return {
        "id": conversation.id,
        "title": conversation.title,
        "created_at": wire(conversation.created_at),
        "updated_at": wire(conversation.updated_at),
        "messages": conversation.messages,
        "pending": None if conversation.pending is None else conversation.pending.question,
    }


def message_json(message: Message) -> dict[str, Any]:
    return {
        "number": message.number,
        "role": message.role.value,
        "text": message.text,
        "tool_calls": [
            {"tool": call.tool, "arguments": dict(call.arguments), "ok": call.ok, "text": call.text}
            for call in message.calls
        ],
        "usage": dict(message.usage),
        "at": wire(message.at),
    }


def write_message(message: Message) -> Iterator[Text]:
    from rich.text import Text

    if message.role is Role.USER:
        yield Text(f"› {message.text}", style="bold")
        return
    for call in message.calls:
        yield write_call(call.tool, call.arguments)
    yield Text(message.text)


def write_call(tool: str, arguments: Any) -> Text:
    """`· create_task title='Milk'`: which tool is at work, on what."""
    from rich.text import Text

    given = arguments.items() if isinstance(arguments, dict) else ()  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    words = [f"{name}={value!r}" for name, value in given]  # pyright: ignore[reportUnknownVariableType]
    return Text(text.shorten(text.clean_line(" ".join(["·", tool, *words])), 100), style="dim")


def _describe(conversation: Conversation, now: datetime) -> str:
    said = f"{conversation.messages} message{'' if conversation.messages == 1 else 's'}"
    waits = " · waits for your answer" if conversation.pending is not None else ""
    when = write_ago(conversation.updated_at, now)
    return f"{conversation.id:>4}  {conversation.title or UNTITLED} · {said} · {when}{waits}"
