"""Speaks as Google's Gemini does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.agents.chat.servers.script import ANSWER_TOKENS, PROMPT_TOKENS, Say, ScriptedModel, Use


class GoogleModel(ScriptedModel):
    @property
    def url(self) -> str:
        return self.address

    def stream(self, step: Say | Use, number: int) -> Iterator[bytes]:
        def event(parts: list[dict[str, Any]], **more: Any) -> bytes:
            candidate = {"content": {"role": "model", "parts": parts}, "index": 0, **more}
            usage = {
                "promptTokenCount": PROMPT_TOKENS,
                "candidatesTokenCount": ANSWER_TOKENS,
                "totalTokenCount": PROMPT_TOKENS + ANSWER_TOKENS,
            }
            sent = {"candidates": [candidate], "usageMetadata": usage, "responseId": f"r{number}"}
            return f"data: {json.dumps(sent)}\r\n\r\n".encode()

        if isinstance(step, Say):
            for piece in step.pieces:
                yield event([{"text": piece}])
        else:
            if step.before:
                yield event([{"text": step.before}])
            for name, given in step.written():
                yield event([{"functionCall": {"name": name, "args": json.loads(given)}}])
        yield event([{"text": ""}], finishReason="STOP")

    def results(self, request: int = -1) -> list[str]:
        """What it was told that its tools had answered."""
        parts = [part for content in self.asked[request]["contents"] for part in content["parts"]]
        told = [part["functionResponse"]["response"] for part in parts if "functionResponse" in part]
        return [next(iter(response.values())) for response in told]
