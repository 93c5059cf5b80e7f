"""Hears what an agent says by the Agent Client Protocol, and passes it on in order."""

from __future__ import annotations

import asyncio
import re
from typing import Any

from acp.schema import (
    AgentMessageChunk,
    AgentPlanUpdate,
    AgentThoughtChunk,
    AllowedOutcome,
    DeniedOutcome,
    FileEditToolCallContent,
    PermissionOption,
    RequestPermissionResponse,
    ToolCall,
    ToolCallUpdate,
    UsageUpdate,
)

from taskpilot.agents.kinds.transcript import Call, Transcript, members, micros, words
from taskpilot.agents.talk import Asked, Listener
from taskpilot.agents.ways.program import pass_on
from taskpilot.domain.question import Option
from taskpilot.domain.run import Kind

_OUR_TOOL = r"mcp__{0}__\w+|mcp\.{0}\.\w+|\w+ \({0} MCP Server\)"
"""As Claude Code, Codex and Gemini CLI name one."""
_MARKS = {"completed": "[x]", "in_progress": "[>]"}
_CHANGING = {"edit": "changed", "move": "changed", "delete": "removed"}


class Ear:
    """The client's side of the connection. Has no files and no terminal to offer."""

    def __init__(self, heard: Transcript, listener: Listener, ours: str = "") -> None:
        self.heard = heard
        self._ours = re.compile(_OUR_TOOL.format(re.escape(ours))) if ours else None
        self.deaf = False
        self.broken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """What went wrong where a permission was asked."""
        self._listener = listener
        self._updates: asyncio.Queue[Any] = asyncio.Queue()
        self._calls: dict[str, Call] = {}
        self._plan = ""
        self._message: str | None = None

    async def session_update(self, update: Any, **_: Any) -> None:
        if not self.deaf:
            self._updates.put_nowait(update)

    async def request_permission(
        self, tool_call: ToolCallUpdate, options: list[PermissionOption], **_: Any
    ) -> RequestPermissionResponse:
        self._updates.put_nowait(tool_call)
        await self.settle()
        call = self._calls[tool_call.tool_call_id]
        self.heard.tell(call)
        self._updates.put_nowait(None)
        await self._updates.join()
        if self._is_ours(call):
            return _answer(next((option.option_id for option in options if option.kind == "allow_once"), ""))
        choices = tuple(Option(option.option_id, option.name, option.kind) for option in options)
        try:
            chosen = await self._listener.permit(Asked(call.name, call.kind, choices, self.heard.describe(call)))
        except Exception as error:
            if not self.broken.done():
                self.broken.set_exception(error)
            raise
        found = next((option for option in choices if chosen in (option.id, option.kind)), None)
        return _answer(found.id if found else "")

    def _is_ours(self, call: Call) -> bool:
        """A tool of our own server, whose token knows what it may do. A command of that name is none."""
        if self._ours is None or call.changes or "command" in members(call.given):
            return False
        return self._ours.fullmatch(call.name) is not None

    async def listen(self) -> None:
        """Until it is cancelled, or whoever hears it has had enough."""
        while True:
            try:
                async with asyncio.timeout(self.heard.due):
                    update = await self._updates.get()
            except TimeoutError:
                self.heard.pass_on()
                await pass_on(self.heard, self._listener)
                continue
            self._take(update)
            await pass_on(self.heard, self._listener)
            self._updates.task_done()

    async def settle(self) -> None:
        """All that was said is heard."""
        self._updates.put_nowait(None)
        await self._updates.join()

    async def settle_quietly(self) -> None:
        """The same, when nobody listens any more to the end of it."""
        while not self._updates.empty():
            self._take(self._updates.get_nowait())
        self.heard.flush()
        await pass_on(self.heard, self._listener)

    def _take(self, update: Any) -> None:
        match update:
            case AgentMessageChunk() | AgentThoughtChunk():
                if update.message_id != self._message:
                    self._message = update.message_id
                    self.heard.flush()
                kind = Kind.MESSAGE if isinstance(update, AgentMessageChunk) else Kind.THOUGHT
                self.heard.chunk(_text(update.content), kind)
            case ToolCall() | ToolCallUpdate():
                self._take_call(update)
            case AgentPlanUpdate():
                plan = "\n".join(f"{_MARKS.get(step.status, '[ ]')} {step.content}" for step in update.entries)
                if plan != self._plan:
                    self._plan = plan
                    self.heard.say(Kind.MESSAGE, plan)
            case UsageUpdate() if update.cost and update.cost.currency == "USD":
                self.heard.use_in_all(cost_micros=micros(update.cost.amount))
            case _:
                self.heard.flush()

    def _take_call(self, update: ToolCall | ToolCallUpdate) -> None:
        """Told as soon as it is known what is called, and with what."""
        call = self._calls.setdefault(update.tool_call_id, Call(update.tool_call_id))
        call.name = update.title or call.name
        call.kind = _name_kind(update.kind) if update.kind else call.kind
        call.given = update.raw_input if update.raw_input is not None else call.given
        for part in update.content or []:
            if isinstance(part, FileEditToolCallContent):
                call.changes[part.path] = "added" if part.old_text is None else "changed"
        ended = update.status in ("completed", "failed")
        if ended and call.kind in _CHANGING and not call.changes:
            call.changes = {place.path: _CHANGING[call.kind] for place in update.locations or []}
        if ended or call.given or update.status == "in_progress":
            self.heard.tell(call)
        if ended:
            told = "\n".join(filter(None, (_text(getattr(part, "content", None)) for part in update.content or [])))
            self.heard.result(call.id, update.status == "completed", told or words(update.raw_output))


def _answer(option: str) -> RequestPermissionResponse:
    if option:
        return RequestPermissionResponse(outcome=AllowedOutcome(outcome="selected", option_id=option))
    return RequestPermissionResponse(outcome=DeniedOutcome(outcome="cancelled"))


def _text(content: Any) -> str:
    return str(getattr(content, "text", "") or "")


def _name_kind(kind: str) -> str:
    return "other" if kind == "switch_mode" else kind
