"""A person in conversation with the assistant, for tests: says something, and hears all of the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Any

from taskpilot.agents.chat.assistant import Assistant, Piece
from taskpilot.app import App
from taskpilot.domain.caller import Caller, local
from taskpilot.domain.selection import Selection
from taskpilot.ops import tasks
from taskpilot.ops.tasks import KEPT
from taskpilot.settings import Secret, Settings
from tests.agents.chat.servers.anthropic import AnthropicModel
from tests.agents.chat.servers.google import GoogleModel
from tests.agents.chat.servers.openai import OpenAIModel

NAMES = {
    OpenAIModel: "openai:gpt-4o",
    AnthropicModel: "anthropic:claude-opus-5",
    GoogleModel: "google:gemini-2.5-pro",
}
KEY = "sk-very-secret"


class Answer:
    def __init__(self, pieces: list[Piece]) -> None:
        self.pieces = pieces
        self.kinds = [piece.kind for piece in pieces]
        assert self.kinds[-1] == "done"
        assert self.kinds.count("done") == 1
        self.done: Mapping[str, Any] = pieces[-1].data or {}
        self.text: str = self.done["message"]
        self.calls = [(call["tool"], call["arguments"]) for call in self.done["tool_calls"]]
        self.pending: Mapping[str, Any] | None = self.done["pending"]
        self.reason = next((piece.data["reason"] for piece in pieces if piece.kind == "error" and piece.data), "")


class Room:
    """`model`: a scripted server, or none for the rules."""

    def __init__(
        self, app: App, model: OpenAIModel | AnthropicModel | GoogleModel | None = None, **settings: Any
    ) -> None:
        self.app = app
        self.me: Caller = local("cli")
        self.conversation: int | None = None
        if model is not None:
            settings = {
                "chat_model": NAMES[type(model)],
                "chat_url": model.url,
                "chat_api_key": Secret(KEY),
                "chat_seconds": 30,
                **settings,
            }
        self.settings = Settings(data_dir=Path("/nowhere"), **settings)

    def say(self, said: str, *, conversation: int | None = None) -> Answer:
        answer = asyncio.run(self.hear(said, conversation or self.conversation))
        self.conversation = answer.done["conversation_id"]
        return answer

    async def hear(self, said: str, conversation: int | None) -> Answer:
        return Answer([piece async for piece in Assistant(self.app, self.settings).reply(self.me, said, conversation)])

    def interrupt(self, said: str, after: int) -> None:
        """Leave after so many pieces."""

        async def leave() -> None:
            pieces = Assistant(self.app, self.settings).reply(self.me, said, self.conversation)
            async with aclosing(pieces):
                for _ in range(after):
                    await anext(pieces)

        asyncio.run(leave())

    def cancel(self, said: str, when: Callable[[], bool]) -> None:
        """Stop the answer at some point, as Ctrl-C does."""

        async def stop() -> None:
            hearing = asyncio.create_task(self.hear(said, self.conversation))
            while not when():  # noqa: ASYNC110
                await asyncio.sleep(0.01)  # the server that it waits for is in another thread
            hearing.cancel()
            with suppress(asyncio.CancelledError):
                await hearing

        asyncio.run(stop())

    def titles(self) -> list[str]:
        """Of all that is there, done or not."""
        return [task.title for task in self.app.run(self.me, tasks.list_slice, Selection(statuses=KEPT)).items]
