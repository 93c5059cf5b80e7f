"""Speaks as Anthropic's messages do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.agents.chat.servers.script import ANSWER_TOKENS, PROMPT_TOKENS, Say, ScriptedModel, Use


class AnthropicModel(ScriptedModel):
    @property
    def url(self) -> str:
        return self.address

    def stream(self, step: Say | Use, number: int) -> Iterator[bytes]:
        message = {
            "id": f"msg_{number}",
            "type": "message",
            "role": "assistant",
            "model": self.asked[-1]["model"],
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": PROMPT_TOKENS, "output_tokens": 1},
        }
        yield event("message_start", message=message)
        blocks = [("text", "", list(step.pieces))] if isinstance(step, Say) else []
        if isinstance(step, Use):
            blocks = [("text", "", [step.before])] if step.before else []
            blocks += [("tool_use", name, [given]) for name, given in step.written()]
        for place, (kind, name, pieces) in enumerate(blocks):
            begun: dict[str, Any] = {"type": "text", "text": ""}
            if kind == "tool_use":
                given = (isinstance(step, Use) and step.id) or f"toolu_{number}"
                begun = {"type": "tool_use", "id": f"{given}_{place}", "name": name, "input": {}}
            yield event("content_block_start", index=place, content_block=begun)
            for piece in pieces:
                delta = {"type": "text_delta", "text": piece}
                if kind == "tool_use":
                    delta = {"type": "input_json_delta", "partial_json": piece}
                yield event("content_block_delta", index=place, delta=delta)
            if isinstance(step, Say) and step.cut:
                return
            yield event("content_block_stop", index=place)
        reason = "end_turn" if isinstance(step, Say) else "tool_use"
        yield event(
            "message_delta",
            delta={"stop_reason": reason, "stop_sequence": None},
            usage={"output_tokens": ANSWER_TOKENS},
        )
        yield event("message_stop")

    def results(self, request: int = -1) -> list[str]:
        """What it was told that its tools had answered."""
        told: list[str] = []
        for message in self.asked[request]["messages"]:
            for block in message["content"] if isinstance(message["content"], list) else []:
                if block["type"] == "tool_result":
                    content = block["content"]
                    told.append(content if isinstance(content, str) else "".join(part["text"] for part in content))
        return told


def event(kind: str, **members: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **members})}\n\n".encode()
