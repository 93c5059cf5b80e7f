"""The wires between agents and the models of their makers: what is asked on each, and how an answer is written."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

Event = tuple[str, Any]
"""Its name, where the wire has names, and its data."""


@dataclass(frozen=True)
class Heard:
    """A conversation so far."""

    told: list[tuple[str, str]]
    """In order: ("said", text) by a person, ("result", text) of a tool."""
    tools: list[str]
    """By name; one in a namespace as `namespace.name`."""


@dataclass(frozen=True)
class Call:
    tool: str
    arguments: dict[str, Any]


Answer = Call | str


@dataclass(frozen=True)
class Wire:
    path: str
    """What the path of a request has in it."""
    read: Callable[[dict[str, Any]], Heard]
    write: Callable[[dict[str, Any], Answer], Iterator[Event]]


def _texts(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content or [] if isinstance(part, dict))


def _read_anthropic(body: dict[str, Any]) -> Heard:
    """Claude Code does not offer every tool at once: its model has to look for those of a server."""
    told: list[tuple[str, str]] = []
    tools = [tool["name"] for tool in body.get("tools") or []]
    for message in body["messages"]:
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for part in parts:
            if part["type"] == "tool_result":
                found = [each["tool_name"] for each in part.get("content") or [] if "tool_name" in each]
                tools += found
                told += [] if found else [("result", _texts(part.get("content")))]
            elif part["type"] == "text" and message["role"] == "user":
                told.append(("said", part["text"]))
    return Heard(told, tools)


def _write_anthropic(body: dict[str, Any], answer: Answer) -> Iterator[Event]:
    def event(kind: str, **data: Any) -> Event:
        return kind, {"type": kind, **data}

    usage = {"input_tokens": 120, "output_tokens": 1, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    message = {"id": f"msg_{uuid4().hex}", "type": "message", "role": "assistant", "model": body.get("model")}
    yield event("message_start", message={**message, "content": [], "stop_reason": None, "usage": usage})
    if isinstance(answer, Call):
        block = {"type": "tool_use", "id": f"toolu_{uuid4().hex}", "name": answer.tool, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(answer.arguments)}
    else:
        block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": answer}
    yield event("content_block_start", index=0, content_block=block)
    yield event("content_block_delta", index=0, delta=delta)
    yield event("content_block_stop", index=0)
    why = "tool_use" if isinstance(answer, Call) else "end_turn"
    yield event("message_delta", delta={"stop_reason": why, "stop_sequence": None}, usage={"output_tokens": 25})
    yield event("message_stop")


def _read_responses(body: dict[str, Any]) -> Heard:
    told: list[tuple[str, str]] = []
    for item in body["input"]:
        if item.get("type") == "message" and item.get("role") == "user":
            told.append(("said", _texts(item["content"])))
        elif str(item.get("type")).endswith("call_output"):
            told.append(("result", _texts(item.get("output"))))
    tools: list[str] = []
    for tool in body.get("tools") or []:
        within = tool.get("tools") or []
        name = tool.get("name") or tool.get("type")
        tools += [f"{name}.{each['name']}" for each in within] or [name]
    return Heard(told, tools)


def _write_responses(body: dict[str, Any], answer: Answer) -> Iterator[Event]:
    response = {"id": f"resp_{uuid4().hex}", "object": "response", "created_at": int(time.time())}
    response |= {"model": body.get("model"), "status": "in_progress", "output": []}
    if isinstance(answer, Call):
        space, _, name = answer.tool.rpartition(".")
        item = {"type": "function_call", "id": f"fc_{uuid4().hex}", "call_id": f"call_{uuid4().hex}", "name": name}
        item |= {"arguments": json.dumps(answer.arguments), **({"namespace": space} if space else {})}
    else:
        content = [{"type": "output_text", "text": answer, "annotations": []}]
        item = {"type": "message", "id": f"msg_{uuid4().hex}", "role": "assistant", "content": content}
    item["status"] = "completed"
    usage = {"input_tokens": 120, "output_tokens": 25, "total_tokens": 145}
    usage |= {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    begun = {**item, "status": "in_progress", **({"arguments": ""} if "arguments" in item else {"content": []})}
    done = {**response, "status": "completed", "output": [item], "usage": usage}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": response},
        {"type": "response.output_item.added", "output_index": 0, "item": begun},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": done},
    ]
    for number, event in enumerate(events):
        yield event["type"], {**event, "sequence_number": number}


def _read_chat(body: dict[str, Any]) -> Heard:
    kinds = {"user": "said", "tool": "result"}
    told = [(kinds[each["role"]], _texts(each.get("content"))) for each in body["messages"] if each["role"] in kinds]
    return Heard(told, [tool["function"]["name"] for tool in body.get("tools") or []])


def _write_chat(body: dict[str, Any], answer: Answer) -> Iterator[Event]:
    chunk = {"id": f"chatcmpl-{uuid4().hex}", "object": "chat.completion.chunk", "created": int(time.time())}
    chunk["model"] = body.get("model")

    def event(delta: dict[str, Any], why: str | None = None, **more: Any) -> Event:
        return "", {**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": why}], **more}

    yield event({"role": "assistant", "content": ""})
    if isinstance(answer, Call):
        function = {"name": answer.tool, "arguments": json.dumps(answer.arguments)}
        call = {"index": 0, "id": f"call_{uuid4().hex}", "type": "function", "function": function}
        yield event({"tool_calls": [call]})
    else:
        yield event({"content": answer})
    usage = {"prompt_tokens": 120, "completion_tokens": 25, "total_tokens": 145}
    yield event({}, "tool_calls" if isinstance(answer, Call) else "stop", usage=usage)
    yield "", "[DONE]"


def _read_gemini(body: dict[str, Any]) -> Heard:
    told: list[tuple[str, str]] = []
    for content in body["contents"]:
        for part in content.get("parts") or []:
            if "functionResponse" in part:
                told.append(("result", json.dumps(part["functionResponse"].get("response"))))
            elif "text" in part and content.get("role") == "user":
                told.append(("said", part["text"]))
    groups = [tool.get("functionDeclarations") or [] for tool in body.get("tools") or []]
    return Heard(told, [tool["name"] for group in groups for tool in group])


def _write_gemini(body: dict[str, Any], answer: Answer) -> Iterator[Event]:
    """Beside its work it has a small model choose which model is to work; that one is asked for JSON."""
    if body.get("generationConfig", {}).get("responseMimeType") == "application/json":
        chosen = {"reasoning": "any will do", "model_choice": "flash", "next_speaker": "user"}
        part: dict[str, Any] = {
            "text": json.dumps({**chosen, "complexity_score": 1, "complexity_reasoning": "it is easy"})
        }
    elif isinstance(answer, Call):
        part = {"functionCall": {"name": answer.tool, "args": answer.arguments}}
    else:
        part = {"text": answer}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 120, "candidatesTokenCount": 25, "totalTokenCount": 145}
    yield "", {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "scripted"}


ANTHROPIC = Wire("/messages", _read_anthropic, _write_anthropic)
RESPONSES = Wire("/responses", _read_responses, _write_responses)
CHAT = Wire("/chat/completions", _read_chat, _write_chat)
GEMINI = Wire("enerateContent", _read_gemini, _write_gemini)
WIRES = (ANTHROPIC, RESPONSES, CHAT, GEMINI)
