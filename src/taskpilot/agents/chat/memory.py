"""What the assistant knows of a conversation: the latest messages, a summary of those before, what "it" means.

The summary is made without a model: it costs nothing, and says nothing that was not said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from taskpilot.domain import text
from taskpilot.domain.conversation import Call, Context, Conversation, Message, Pending, Role
from taskpilot.domain.errors import NotFound, Unauthenticated
from taskpilot.domain.operation import writes
from taskpilot.ops import conversations, users
from taskpilot.store.work import Work

WINDOW_MOST = 40
"""Messages a model is shown; with more, the older half goes into the summary."""
WINDOW_CHARACTERS = 40_000
SUMMARY_CHARACTERS = 4_000
LINE_MOST = 160
CREATING = ("create_task", "task_create")


@dataclass(frozen=True, slots=True)
class Heard:
    """A message that was written down, and what an answer to it needs."""

    conversation: Conversation
    said: str
    before: tuple[Message, ...]
    """The window, without the message itself."""
    pending: Pending | None
    """What waited for a yes. It was taken: nobody else can act on it."""
    zone: str | None
    """The person's time zone, if they chose one."""


@writes
def hear(work: Work, conversation_id: int | None, said: str) -> Heard:
    """Write down what the person said, in this conversation or a new one, and recall what was said before."""
    zone = _sign_in(work)
    found = conversations.start(work) if conversation_id is None else conversations.get(work, conversation_id)
    pending = conversations.take_pending(work, found.id) if found.pending is not None else None
    window = conversations.read_window(work, found.id, most=WINDOW_MOST + 2).messages
    message = conversations.add_message(work, found.id, Role.USER, said)
    before = [each for each in window if each.number > found.summarised]
    left, kept = slide(before)
    if left:
        conversations.remember(work, found.id, summary=summarise(found.summary, left), summarised=left[-1].number)
    return Heard(conversations.get(work, found.id), message.text, tuple(kept), pending, zone)


@writes
def keep(
    work: Work,
    conversation_id: int,
    said: str,
    *,
    calls: Sequence[Call],
    usage: Mapping[str, Any],
    context: Context,
    pending: Pending | None,
) -> Message:
    """Write down the answer, what it did, what "it" is now, and what waits for a yes."""
    return conversations.add_message(
        work,
        conversation_id,
        Role.ASSISTANT,
        said,
        calls=calls,
        usage=usage,
        context=context,
        pending=pending,
    )


def slide(messages: Sequence[Message]) -> tuple[list[Message], list[Message]]:
    """What leaves the window, and what stays. It moves by half, so that a provider's cache of the rest lives longer."""
    size = sum(len(message.text) for message in messages)
    if len(messages) <= WINDOW_MOST and size <= WINDOW_CHARACTERS:
        return [], list(messages)
    room, cut = WINDOW_CHARACTERS // 2, len(messages)
    while cut > 0 and len(messages) - cut < WINDOW_MOST // 2 and room >= len(messages[cut - 1].text):
        cut -= 1
        room -= len(messages[cut].text)
    while cut < len(messages) and messages[cut].role is not Role.USER:
        cut += 1
    return list(messages[:cut]), list(messages[cut:])


def summarise(summary: str, messages: Iterable[Message]) -> str:
    """The summary with these messages in it, a line each; where it grows too long, the oldest lines go."""
    lines = summary.splitlines()
    for message in messages:
        who = "User" if message.role is Role.USER else "Assistant"
        lines.append(f"{who}: {_shorten(message.text)}")
        lines += [f"  {call.tool}: {_shorten(call.text)}" for call in message.calls if call.ok]
    size = 0
    for number, line in enumerate(reversed(lines)):
        size += len(line) + 1
        if size > SUMMARY_CHARACTERS:
            return "\n".join(lines[len(lines) - number :])
    return "\n".join(lines)


def follow(context: Context, tool: str, arguments: Mapping[str, Any], data: Mapping[str, Any] | None) -> Context:
    """What "it", "the second one" and "the same" mean after a call that succeeded."""
    now = replace(context, last_operation=tool)
    shown = data or {}
    rows = shown.get("tasks")
    if isinstance(rows, list):
        ids = _ids(cast("list[Any]", rows))
        if tool in CREATING or len(ids) == 1:
            now = replace(now, last_task=ids[-1] if ids else now.last_task)
        return replace(now, last_list=ids) if tool not in CREATING or len(ids) > 1 else now
    task = shown.get("task", shown)
    number = cast("Mapping[str, Any]", task).get("id") if isinstance(task, Mapping) else None
    if not isinstance(number, int):
        number = arguments.get("task_id")
    return replace(now, last_task=number) if isinstance(number, int) and not isinstance(number, bool) else now


def _ids(rows: list[Any]) -> tuple[int, ...]:
    found = (cast("Mapping[str, Any]", row).get("id") for row in rows if isinstance(row, Mapping))
    return tuple(number for number in found if isinstance(number, int))


def _shorten(said: str) -> str:
    return text.shorten(text.clean_line(said[: LINE_MOST * 4]), LINE_MOST)


def _sign_in(work: Work) -> str | None:
    """The caller's time zone. A caller who is nobody has been signed out."""
    try:
        return users.me(work).settings.get("time_zone")
    except NotFound:
        raise Unauthenticated("Your session has expired.", hint="Please sign in again.") from None
