"""Messages of the Agent Client Protocol, one a line, to and from a program."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any, cast

from taskpilot.agents.kinds.transcript import members
from taskpilot.agents.ways.program import Lines

UPDATES = frozenset({"agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update", "plan"})
HEARD = UPDATES | {"usage_update"}
NOISE_MOST = 500


class Wire:
    """Passes over what nobody here would understand: stray output, and updates of kinds yet unknown."""

    def __init__(self, writer: asyncio.StreamWriter, lines: Lines) -> None:
        self.noise = ""
        """The last line that was no message."""
        self._writer = writer
        self._lines = lines

    async def send(self, message: dict[str, Any]) -> None:
        try:
            self._writer.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
            await self._writer.drain()
        except (ConnectionError, RuntimeError) as error:
            if "method" in message:
                raise ConnectionError("The agent reads no more.") from error

    async def receive(self) -> dict[str, Any] | None:
        while (line := await self._lines.get()) is not None:
            message = _load(line)
            if isinstance(message, dict) and _concerns_us(cast("dict[str, Any]", message)):
                return cast("dict[str, Any]", message)
            if not isinstance(message, dict) and line.strip():
                self.noise = line.strip()[:NOISE_MOST]
        return None

    async def close(self) -> None:
        """Whose the program is, ends it."""


def _concerns_us(message: Mapping[str, Any]) -> bool:
    if message.get("method") != "session/update":
        return True
    return members(members(message.get("params")).get("update")).get("sessionUpdate") in HEARD


def _load(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
