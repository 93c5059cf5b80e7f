"""The same tools as function definitions, in the form of OpenAI's chat models."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from taskpilot.toolkit import Tool


def define(tools: Iterable[Tool]) -> list[dict[str, Any]]:
    """What a chat request takes as its `tools`."""
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": tool.input_schema},
        }
        for tool in tools
    ]
