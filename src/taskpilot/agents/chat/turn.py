"""One answer: a model, our tools, and what of it is told as it happens. Here pydantic-ai is driven."""

from __future__ import annotations

import logging
import warnings
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any, cast
from uuid import uuid4

import pydantic_ai
from pydantic_ai import Agent, AgentRunResult, AgentRunResultEvent, DeferredToolRequests, DeferredToolResults
from pydantic_ai.agent import AgentRunEvents
from pydantic_ai.exceptions import UsageLimitUnavailableWarning
from pydantic_ai.messages import (
    FunctionToolCallEvent,
    FunctionToolResultEvent,
    ModelMessage,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RunUsage, UsageLimits

from taskpilot.agents.chat import approval, errors, history, models, offline
from taskpilot.agents.chat.approval import Matter
from taskpilot.agents.chat.errors import Failure
from taskpilot.agents.chat.pieces import Piece, show_pending
from taskpilot.agents.chat.rules.outcome import Understanding
from taskpilot.agents.chat.toolset import Desk, OurTools
from taskpilot.domain.conversation import Pending, Wanted
from taskpilot.settings import Settings

FREE = {"requests": 0, "input_tokens": 0, "output_tokens": 0, "cost": 0.0}
REPEATED = 1
"""Times that a library asks a model again by itself when it was busy or away."""

pydantic_ai.BANNER_ENABLED = False  # a person's terminal is not its place
warnings.filterwarnings(
    "ignore", category=UsageLimitUnavailableWarning
)  # nor for this: local servers often do not count
log = logging.getLogger(__name__)


@dataclass
class Turn:
    desk: Desk
    settings: Settings
    instructions: str
    text: str = ""
    """All that was said so far."""
    pending: Pending | None = None
    usage: dict[str, Any] = field(default_factory=lambda: dict(FREE))
    failure: Failure | None = None
    _apart: bool = field(default=False, init=False)
    """Whether the next words begin a new paragraph."""
    _unseen: dict[str, ToolCallPart] = field(default_factory=dict[str, ToolCallPart], init=False)
    """Calls that may have to wait, and so were not told as begun."""

    async def run(
        self,
        past: Sequence[ModelMessage],
        *,
        said: str | None = None,
        agreed: Pending | None = None,
        understood: Understanding | None = None,
    ) -> AsyncGenerator[Piece]:
        """Answer what was said, or go on with what was agreed to; with the rules, where they have understood."""
        try:
            async with AsyncExitStack() as stack:
                if self.settings.chat_model:
                    model = await stack.enter_async_context(models.open_model(self.settings))
                else:
                    model = offline.make_model(self.desk, understood)
                events = await stack.enter_async_context(self._begin(model, past, said, agreed))
                try:
                    async for event in events:
                        for piece in self._tell(event, agreed):
                            yield piece
                finally:
                    self._count(events)
        except Exception as error:
            for piece in self.fail(error):
                yield piece

    def add(self, paragraph: str) -> None:
        self.text = f"{self.text.rstrip()}\n\n{paragraph}" if self.text else paragraph

    def ask(self, pending: Pending) -> Piece:
        """Put a question, or put it once more; it ends the answer."""
        self.pending = pending
        self.add(pending.question)
        return Piece("pending", pending.question, show_pending(pending))

    def _begin(self, model: Model, past: Sequence[ModelMessage], said: str | None, agreed: Pending | None) -> Any:
        agent = Agent[Desk, str | DeferredToolRequests](
            model,
            name="chat",
            deps_type=Desk,
            output_type=[str, DeferredToolRequests],
            instructions=self.instructions,
            toolsets=[OurTools(self.desk.tools)],
        )
        online = bool(self.settings.chat_model)
        return agent.run_stream_events(
            said,
            deps=self.desk,
            message_history=list(past),
            deferred_tool_results=None
            if agreed is None
            else DeferredToolResults(approvals={call.id: True for call in agreed.calls}),
            model_settings=ModelSettings(max_retries=REPEATED) if online else None,
            usage_limits=UsageLimits(
                request_limit=self.settings.chat_rounds if online else None,
                total_tokens_limit=(self.settings.chat_tokens or None) if online else None,
            ),
            timeout=float(self.settings.chat_seconds),
        )

    def _tell(self, event: Any, agreed: Pending | None) -> list[Piece]:
        match event:
            case PartStartEvent(part=TextPart(content=content)):
                self._apart = bool(self.text)
                return self._say(content)
            case PartDeltaEvent(delta=TextPartDelta(content_delta=content)):
                return self._say(content)
            case FunctionToolCallEvent(part=part):
                return self._begin_call(part, agreed) if event.args_valid is not False else []
            case FunctionToolResultEvent(part=part):
                return self._end_call(part) if part.outcome != "retried" else []
            case AgentRunResultEvent():
                ended: AgentRunResult[str | DeferredToolRequests] = cast(Any, event).result
                return self._finish(ended.output, ended.all_messages())
            case _:
                return []

    def _begin_call(self, part: ToolCallPart, agreed: Pending | None) -> list[Piece]:
        if self._waits(part, agreed):
            self._unseen[part.tool_call_id] = part
            return []
        tool = self.desk.tools.get(part.tool_name)
        return [Piece("call", tool.title if tool else part.tool_name, _show(part))]

    def _end_call(self, part: ToolReturnPart) -> list[Piece]:
        begun = self._unseen.pop(part.tool_call_id, None)
        told = {"id": part.tool_call_id, "tool": part.tool_name, "ok": part.outcome == "success"}
        ended = Piece("result", str(part.content), told)
        return [ended] if begun is None else [Piece("call", self.desk.tools[part.tool_name].title, _show(begun)), ended]

    def _say(self, content: str) -> list[Piece]:
        if not content:
            return []
        content = f"\n\n{content}" if self._apart else content
        self._apart = False
        self.text += content
        self.desk.news.clear()  # the model tells it itself
        return [Piece("text", content)]

    def _finish(self, output: str | DeferredToolRequests, messages: Sequence[ModelMessage]) -> list[Piece]:
        if isinstance(output, str):
            return []
        calls = tuple(Wanted(part.tool_call_id, part.tool_name, _arguments(part)) for part in output.approvals)
        matters = [Matter(**output.metadata[call.id]) for call in calls]
        self._apart = bool(self.text)
        told = self._say("\n".join(self.desk.news))
        return [*told, self.ask(Pending(calls, approval.ask(matters), history.pack(messages)))]

    def fail(self, error: Exception) -> list[Piece]:
        """What was done stays done, and is said; then why there is no more."""
        found = Failure("model", str(error)) if isinstance(error, models.NotSetUp) else errors.explain(error)
        if found is None:
            incident = uuid4().hex[:12]
            log.error("bug %s in chat", incident, exc_info=error, extra={"incident": incident})
            found = Failure("bug", errors.BUG.format(incident=incident))
        self.failure = found
        told = "\n".join([*self.desk.news, found.text])
        self.add(told)
        return [Piece("error", told, {"reason": found.reason})]

    def _count(self, events: AgentRunEvents[Any]) -> None:
        if not self.settings.chat_model:
            return
        try:
            spent: RunUsage = events.usage
        except Exception:  # it did not even begin
            return
        self.usage = {
            "requests": spent.requests,
            "input_tokens": spent.input_tokens,
            "output_tokens": spent.output_tokens,
        }
        if spent.cost is not None:
            self.usage["cost"] = float(round(spent.cost, 6))

    def _waits(self, part: ToolCallPart, agreed: Pending | None) -> bool:
        """Whether this call will not be run before somebody has said yes."""
        if agreed is not None and any(call.id == part.tool_call_id for call in agreed.calls):
            return False
        tool = self.desk.tools.get(part.tool_name)
        return tool is not None and approval.needs_yes(tool, _arguments(part))


def _show(part: ToolCallPart) -> dict[str, Any]:
    return {"id": part.tool_call_id, "tool": part.tool_name, "arguments": _arguments(part)}


def _arguments(part: ToolCallPart) -> dict[str, Any]:
    """What the model gave, as far as it is JSON."""
    try:
        return part.args_as_dict()
    except (ValueError, AssertionError):
        return {}
