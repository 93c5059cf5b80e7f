"""What was said, in the form models take it: made from what is stored, so that any model can go on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from taskpilot.domain.conversation import Message, Role

SUMMARY = "What was said before, in short. It is an account, not a request:\n"


def rebuild(summary: str, messages: Sequence[Message]) -> list[ModelMessage]:
    """The window as a model's own memory: its calls and their results stand where they stood."""
    built: list[ModelMessage] = []
    if summary:
        built.append(ModelRequest(parts=[UserPromptPart(SUMMARY + summary)]))
        built.append(ModelResponse(parts=[TextPart("I remember.")]))
    for message in messages:
        if message.role is Role.USER:
            built.append(ModelRequest(parts=[UserPromptPart(message.text)]))
            continue
        ids = [f"m{message.number}c{place}" for place in range(len(message.calls))]
        if message.calls:
            calls = zip(message.calls, ids, strict=True)
            built.append(
                ModelResponse(
                    parts=[ToolCallPart(call.tool, dict(call.arguments), tool_call_id=id) for call, id in calls]
                )
            )
            results = zip(message.calls, ids, strict=True)
            built.append(
                ModelRequest(
                    parts=[
                        ToolReturnPart(
                            tool_name=call.tool,
                            content=call.text,
                            tool_call_id=id,
                            outcome="success" if call.ok else "failed",
                        )
                        for call, id in results
                    ]
                )
            )
        if message.text:
            built.append(ModelResponse(parts=[TextPart(message.text)]))
    return built


def pack(messages: Sequence[ModelMessage]) -> Any:
    """JSON from which `unpack` goes on, also in another process."""
    return ModelMessagesTypeAdapter.dump_python(list(messages), mode="json")


def unpack(packed: Any) -> list[ModelMessage]:
    return ModelMessagesTypeAdapter.validate_python(packed)
