"""Conversations and their messages in the database."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from taskpilot.domain.conversation import (
    Call,
    Context,
    Conversation,
    Message,
    Pending,
    Role,
    missing,
    read_pending,
    write_pending,
)
from taskpilot.domain.moments import stamp
from taskpilot.domain.selection import Page, foreign, read_cursor, write_cursor
from taskpilot.domain.task import ID_MOST
from taskpilot.store.database import Connection, Row

ORDER = "conversations"
_MOMENT = re.compile(r"[0-9T:.Z-]{1,40}")


class Conversations:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    def get(self, conversation_id: int) -> Conversation:
        row = None
        if 0 < conversation_id <= ID_MOST:
            row = self.db.one(
                "SELECT * FROM conversation WHERE id = :id AND owner_id = :owner", id=conversation_id, owner=self.owner
            )
        if row is None:
            raise missing(conversation_id)
        return _load(row)

    def page(self, limit: int, cursor: str | None) -> Page[Conversation]:
        """Those in which something was said last come first."""
        past, params = "", dict[str, Any]()
        if cursor:
            past, params = "AND (updated_at, id) < (:at, :number)", _read(cursor)
        rows = self.db.all(
            f"""
            SELECT * FROM conversation WHERE owner_id = :owner {past}
             ORDER BY updated_at DESC, id DESC LIMIT :limit
            """,
            owner=self.owner,
            limit=limit + 1,
            **params,
        )
        last = rows[limit - 1] if len(rows) > limit else None
        more = write_cursor(ORDER, [last["updated_at"], last["id"]]) if last else None
        return Page(tuple(_load(row) for row in rows[:limit]), more)

    def add(self, conversation: Conversation) -> Conversation:
        number = self.db.insert(
            """
            INSERT INTO conversation
                (owner_id, title, created_at, updated_at, messages, summary, summarised, context, pending)
            VALUES (:owner, :title, :created_at, :updated_at, :messages, :summary, :summarised, :context, :pending)
            """,
            owner=self.owner,
            created_at=stamp(conversation.created_at),
            **_dump(conversation),
        )
        return replace(conversation, id=number)

    def save(self, conversation: Conversation) -> Conversation:
        self.db.run(
            """
            UPDATE conversation
               SET title = :title, updated_at = :updated_at, messages = :messages, summary = :summary,
                   summarised = :summarised, context = :context, pending = :pending
             WHERE id = :id AND owner_id = :owner
            """,
            id=conversation.id,
            owner=self.owner,
            **_dump(conversation),
        )
        return conversation

    def delete(self, conversation_id: int) -> None:
        """With all that was said in it."""
        for sql in (
            "DELETE FROM message WHERE conversation_id = :id AND owner_id = :owner",
            "DELETE FROM conversation WHERE id = :id AND owner_id = :owner",
        ):
            self.db.run(sql, id=conversation_id, owner=self.owner)

    def add_message(self, message: Message) -> Message:
        number = self.db.insert(
            """
            INSERT INTO message (owner_id, conversation_id, number, role, text, calls, usage, at)
            VALUES (:owner, :conversation, :number, :role, :text, :calls, :usage, :at)
            """,
            owner=self.owner,
            conversation=message.conversation,
            number=message.number,
            role=message.role.value,
            text=message.text,
            calls=_write([asdict(call) for call in message.calls]),
            usage=_write(dict(message.usage)),
            at=stamp(message.at),
        )
        return replace(message, id=number)

    def latest_messages(
        self, conversation_id: int, limit: int, *, before: int = ID_MOST, after: int = 0
    ) -> list[Message]:
        """The last so many between two of them; oldest first."""
        rows = self.db.all(
            """
            SELECT * FROM message
             WHERE conversation_id = :conversation AND owner_id = :owner AND number < :before AND number > :after
             ORDER BY number DESC LIMIT :limit
            """,
            conversation=conversation_id,
            owner=self.owner,
            before=before,
            after=after,
            limit=limit,
        )
        return [_load_message(row) for row in reversed(rows)]


def _dump(conversation: Conversation) -> dict[str, Any]:
    return {
        "title": conversation.title,
        "updated_at": stamp(conversation.updated_at),
        "messages": conversation.messages,
        "summary": conversation.summary,
        "summarised": conversation.summarised,
        "context": _write(asdict(conversation.context)),
        "pending": _write_pending(conversation.pending),
    }


def _write(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _write_pending(pending: Pending | None) -> str:
    """In ASCII: what a model said may hold half a character, and has to come back as it was."""
    return "" if pending is None else json.dumps(write_pending(pending), separators=(",", ":"))


def _load(row: Row) -> Conversation:
    context = json.loads(row["context"])
    return Conversation(
        id=row["id"],
        owner=row["owner_id"],
        title=row["title"],
        created_at=datetime.fromisoformat(row["created_at"]),
        updated_at=datetime.fromisoformat(row["updated_at"]),
        messages=row["messages"],
        summary=row["summary"],
        summarised=row["summarised"],
        context=Context(context["last_task"], context["last_operation"], tuple(context["last_list"])),
        pending=read_pending(json.loads(row["pending"])) if row["pending"] else None,
    )


def _load_message(row: Row) -> Message:
    return Message(
        id=row["id"],
        conversation=row["conversation_id"],
        number=row["number"],
        role=Role(row["role"]),
        text=row["text"],
        at=datetime.fromisoformat(row["at"]),
        calls=tuple(Call(**call) for call in json.loads(row["calls"])),
        usage=json.loads(row["usage"]),
    )


def _read(cursor: str) -> dict[str, Any]:
    at, number = read_cursor(cursor, ORDER, 2)
    if not isinstance(at, str) or not isinstance(number, int) or abs(number) > ID_MOST or not _MOMENT.fullmatch(at):
        raise foreign()
    return {"at": at, "number": number}
