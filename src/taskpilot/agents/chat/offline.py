"""The model that needs no key: the rules, behind the interface of every other model."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Sequence

from pydantic_ai.messages import ModelMessage, ModelRequest, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

from taskpilot.agents.chat.rules.outcome import Answer, Ask, Calls, Confirm, Understanding
from taskpilot.agents.chat.rules.view import Wanted
from taskpilot.agents.chat.toolset import Desk

NAME = "offline"
CALLS_MOST = 100
TOO_MANY = "Those are {number} tasks, and I do at most {most} at a time. Can you ask for less?"
NOT_HERE = "I can't do that with the tools I have here. Ask for help to see what I can do."
NOTHING_WAITS = "There is nothing to confirm. What would you like to do?"


def make_model(desk: Desk, understood: Understanding | None) -> FunctionModel:
    """A model for one answer. First it says which tools to call, or what to say; then what came of the calls."""

    async def speak(messages: list[ModelMessage], _: AgentInfo) -> AsyncGenerator[str | DeltaToolCalls]:
        if _answered(messages):
            yield "\n".join(desk.news)
            return
        match understood:
            case Calls(calls=calls):
                yield _call(desk, calls)
            case Ask(text=text) | Answer(text=text):
                yield text
            case Confirm() | None:
                yield NOTHING_WAITS

    return FunctionModel(stream_function=speak, model_name=NAME)


def _call(desk: Desk, calls: Sequence[Wanted]) -> str | DeltaToolCalls:
    if len(calls) > CALLS_MOST:
        return TOO_MANY.format(number=len(calls), most=CALLS_MOST)
    fitting = [_fit(desk, wanted) for wanted in calls]
    if not fitting or any(wanted.tool not in desk.tools for wanted in fitting):
        return NOT_HERE
    return {
        place: DeltaToolCall(wanted.tool, json.dumps(dict(wanted.arguments)), tool_call_id=f"call_{place}")
        for place, wanted in enumerate(fitting)
    }


def _fit(desk: Desk, wanted: Wanted) -> Wanted:
    """With the six todo tools alone, completing is an update."""
    if wanted.tool == "task_complete" and wanted.tool not in desk.tools:
        return Wanted("update_task", {"task_id": wanted.arguments["task_id"], "completed": True})
    return wanted


def _answered(messages: Sequence[ModelMessage]) -> bool:
    """Whether the tools have done their part."""
    last = messages[-1]
    return isinstance(last, ModelRequest) and any(isinstance(part, ToolReturnPart) for part in last.parts)
