"""Speaks as OpenAI's chat completions do, and Ollama, vLLM and llama.cpp with them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.agents.chat.servers.script import ANSWER_TOKENS, PROMPT_TOKENS, Say, ScriptedModel, Use


class OpenAIModel(ScriptedModel):
    @property
    def url(self) -> str:
        return f"{self.address}/v1"

    def stream(self, step: Say | Use, number: int) -> Iterator[bytes]:
        model = self.asked[-1]["model"]

        def send(**members: Any) -> bytes:
            sent = {"id": f"c{number}", "object": "chat.completion.chunk", "created": 1, "model": model, **members}
            return f"data: {json.dumps(sent)}\n\n".encode()

        def event(delta: dict[str, Any], reason: str | None = None) -> bytes:
            return send(choices=[{"index": 0, "delta": delta, "finish_reason": reason}])

        yield event({"role": "assistant", "content": ""})
        if isinstance(step, Say):
            for piece in step.pieces:
                yield event({"content": piece})
            if step.cut:
                return
            yield event({}, "stop")
        else:
            if step.before:
                yield event({"content": step.before})
            for place, (name, given) in enumerate(step.written()):
                begun = {"index": place, "id": f"{step.id or f'call_{number}'}_{place}", "type": "function"}
                yield event({"tool_calls": [{**begun, "function": {"name": name, "arguments": ""}}]})
                half = len(given) // 2
                for part in (given[:half], given[half:]):
                    yield event({"tool_calls": [{"index": place, "function": {"arguments": part}}]})
            yield event({}, "tool_calls")
        usage = {
            "prompt_tokens": PROMPT_TOKENS,
            "completion_tokens": ANSWER_TOKENS,
            "total_tokens": PROMPT_TOKENS + ANSWER_TOKENS,
        }
        if self.counts:
            yield send(choices=[], usage=usage)
        yield b"data: [DONE]\n\n"

    def results(self, request: int = -1) -> list[str]:
        """What it was told that its tools had answered; failures are wrapped, as its messages have no mark for them."""
        told = [message["content"] for message in self.asked[request]["messages"] if message["role"] == "tool"]
        return [json.loads(text)["error"] if text.startswith('{"error"') else text for text in told]
