"""An assistant that says what a test tells it to, and keeps its conversations as the real one does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from taskpilot.app import App
from taskpilot.domain.caller import Caller
from taskpilot.domain.conversation import Call, Pending, Role, Wanted
from taskpilot.domain.errors import TaskPilotError
from taskpilot.ops import conversations, tasks


@dataclass(frozen=True)
class Piece:
    kind: str
    text: str = ""
    data: Mapping[str, Any] | None = None


class ScriptedAssistant:
    """`add …` adds a task, `delete …` asks first, `yes` and `no` answer that; the rest is said below."""

    def __init__(self, app: App) -> None:
        self._app = app
        self.heard: list[tuple[Caller, str, int | None]] = []
        self.stopped = 0
        self.waiting = asyncio.Event()

    async def reply(self, caller: Caller, said: str, conversation: int | None = None) -> AsyncIterator[Piece]:
        self.heard.append((caller, said, conversation))
        caller = replace(caller, door="chat", tool="")
        if conversation is None:
            conversation = (await self._app.call(caller, conversations.start)).id
        caller = replace(caller, origin=f"chat:{conversation}")
        await self._app.call(caller, conversations.add_message, conversation, Role.USER, said)
        try:
            async for piece in self._answer(caller, said, conversation):
                yield piece
        except asyncio.CancelledError:
            self.stopped += 1
            raise

    async def _answer(self, caller: Caller, said: str, conversation: int) -> AsyncIterator[Piece]:
        verb, _, rest = said.partition(" ")
        calls: list[Call] = []
        pending: Pending | None = None
        usage = {"requests": 2, "input_tokens": 1200, "output_tokens": 34, "cost": 0.0021}
        match verb:
            case "add":
                yield Piece("call", data={"tool": "create_task", "arguments": {"title": rest}})
                task = (await self._app.call(caller, tasks.create, [{"title": rest}])).tasks[0]
                calls.append(Call("create_task", {"title": rest}, True, f"Added {rest}."))
                yield Piece("result", f"Added {rest}.", {"tool": "create_task", "ok": True})
                words = ["I've added ", f"'{rest}'", f" to your list. It's task #{task.id}."]
            case "delete":
                words, question = [], f"Delete task {rest}? (yes/no)"
                pending = Pending((Wanted("c1", "delete_task", {"task_id": int(rest)}),), question, {"at": 1})
            case "yes":
                taken = await self._app.call(caller, conversations.take_pending, conversation)
                words = ["There is nothing to confirm."]
                if taken is not None:
                    await self._app.call(caller, tasks.delete, taken.calls[0].arguments["task_id"])
                    words = ["Done!"]
            case "wait":
                yield Piece("text", "Let me ")
                self.waiting.set()
                await asyncio.sleep(60)
                words = ["see."]
            case "fail":
                yield Piece("text", "Let me ")
                yield Piece("error", "I can't reach the model.", {"reason": "unreachable"})
                words = []
            case "refuse":
                yield Piece("text", "Let me ")
                raise OutOfLuck("Out of luck.", hint="Try again.")
            case "break":
                yield Piece("text", "Let me ")
                raise RuntimeError("a secret of the server")
            case "odd":
                words = ["\x1b[31mred\x07 ", "\ud800 half\r\n", "line\u202e — 🥛"]
            case _:
                words, usage = ["Hello ", "there."], {}
        for word in words:
            yield Piece("text", word)
        text = "".join(words) or (pending.question if pending else "")
        if pending is not None:
            yield Piece("pending", pending.question, {"calls": [_show(call) for call in pending.calls]})
        await self._app.call(
            caller,
            conversations.add_message,
            conversation,
            Role.ASSISTANT,
            text,
            calls=calls,
            usage=usage,
            pending=pending,
        )
        done = {
            "conversation_id": conversation,
            "message": text,
            "tool_calls": [_show(call) for call in calls],
            "pending": None if pending is None else {"question": pending.question, "calls": [_show(pending.calls[0])]},
            "usage": usage,
        }
        yield Piece("done", data=done)


class OutOfLuck(TaskPilotError):
    kind = "conflict"


def _show(call: Call | Wanted) -> dict[str, Any]:
    if isinstance(call, Wanted):
        return {"id": call.id, "tool": call.tool, "arguments": dict(call.arguments)}
    return {"tool": call.tool, "arguments": dict(call.arguments), "ok": call.ok, "text": call.text}
