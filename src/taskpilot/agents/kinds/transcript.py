"""What an agent has said so far in a turn, put into the one shape that all of them share."""

from __future__ import annotations

import json
import os
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from taskpilot.agents.talk import Said, Spent
from taskpilot.domain.run import Kind
from taskpilot.domain.text import shorten

PIECE = 8_000
"""Characters in one entry; what is longer comes in several."""
RESULT = 4_000
VALUE = 500
PATIENCE = 1.0
"""Seconds until half a message is passed on as it is."""


@dataclass(slots=True)
class Call:
    """A tool that the agent called."""

    id: str
    name: str = ""
    kind: str = "other"
    given: Any = None
    changes: dict[str, str] = field(default_factory=dict[str, str])
    """Files it changes, each with how: added, changed or removed."""
    told: bool = False
    over: bool = False


class Transcript:
    """Said things wait in `said` until somebody takes them. Pieces of a message are joined."""

    def __init__(self, cwd: Path, spent: Spent | None = None) -> None:
        self.said: deque[Said] = deque()
        self.session = ""
        self.reason = ""
        """Why the turn ended; empty: it has not."""
        self.error = ""
        self.hopeless = False
        """It failed, and will not notice by itself."""
        self._roots = {os.path.abspath(cwd), os.path.realpath(cwd)}
        self.spent = self._before = spent or Spent()
        """What the session has used, this turn included."""
        self._sums: dict[str, int] = {}
        self.spoke = False
        """Whether the agent itself has come to say anything."""
        self._calls: dict[str, Call] = {}
        self._chunks: list[str] = []
        self._chunk_kind = Kind.MESSAGE
        self._since = 0.0

    def say(self, kind: Kind, text: str, data: Mapping[str, Any] | None = None) -> None:
        self.flush()
        self.spoke = self.spoke or kind is not Kind.LOG
        for piece in split(text):
            self.said.append(Said(kind, piece, data))

    def chunk(self, text: str, kind: Kind = Kind.MESSAGE) -> None:
        """A part of a message that goes on until something else is said."""
        if kind is not self._chunk_kind:
            self.flush()
        if not self._chunks:
            self._chunk_kind, self._since = kind, time.monotonic()
        self._chunks.append(text)

    @property
    def due(self) -> float | None:
        """Seconds until `pass_on` should be called; None: there is nothing to pass on."""
        return max(0.0, self._since + PATIENCE - time.monotonic()) if self._chunks else None

    def pass_on(self) -> None:
        """What there is of a message, up to where a line or a word ends."""
        text = "".join(self._chunks)
        cut = text.rfind("\n") + 1 or text.rfind(" ") + 1 or len(text)
        self._chunks = [text[:cut]]
        self.flush()
        if text[cut:]:
            self.chunk(text[cut:], self._chunk_kind)

    def flush(self) -> None:
        text = "".join(self._chunks).strip("\n").rstrip()
        self._chunks = []
        if text.strip():
            self.spoke = True
            self.said.extend(Said(self._chunk_kind, piece) for piece in split(text))

    def call(
        self, call_id: str, name: str, kind: str = "other", given: Any = None, changes: Mapping[str, str] | None = None
    ) -> None:
        """Safe to repeat."""
        if call_id not in self._calls:
            self.tell(Call(call_id, name, kind, given, dict(changes or {})))

    def tell(self, call: Call) -> None:
        """That a tool is being called. Once."""
        self._calls[call.id] = call
        if not call.told:
            call.told = True
            data = self.describe(call)
            self.say(Kind.TOOL_CALL, shorten(str(data.get("command") or call.name), VALUE), data)

    def describe(self, call: Call) -> dict[str, Any]:
        data: dict[str, Any] = {"id": call.id, "name": call.name, "kind": call.kind, "input": _trim(call.given)}
        command = _find_command(call)
        return {**data, "command": command} if command else data

    def result(self, call_id: str, ok: bool, text: str = "") -> None:
        call = self._calls.get(call_id) or Call(call_id)
        if call.over:
            return
        call.over = True
        self.say(Kind.TOOL_RESULT, shorten(text.strip("\n"), RESULT), {"id": call_id, "ok": ok})
        for path, change in call.changes.items() if ok else ():
            self.change(path, change)

    def change(self, path: str, change: str = "changed") -> None:
        shown = self.place(path)
        self.say(Kind.FILE_CHANGE, f"{change} {shown}", {"path": shown, "change": change})

    def place(self, path: str) -> str:
        """A path as seen from the worktree."""
        for root in self._roots:
            if path.startswith(root + os.sep):
                return path[len(root) + 1 :]
        return path

    def use(self, tokens_in: int = 0, tokens_out: int = 0, cost_micros: int = 0) -> None:
        """What has come on top."""
        used = {"tokens_in": tokens_in, "tokens_out": tokens_out, "cost_micros": cost_micros}
        used = {name: max(0, value) for name, value in used.items()}
        if any(used.values()):
            self.spent = Spent(**{name: getattr(self.spent, name) + value for name, value in used.items()})
            self.say(Kind.USAGE, "", used)

    def use_in_all(self, **now: int) -> None:
        """What the session has used since it began, as far as it is told.

        Some versions begin anew with each process: a sum that has not grown since the last one is such.
        """
        more: dict[str, int] = {}
        for name, value in now.items():
            before = self._sums.get(name)
            anew = value <= getattr(self._before, name) if before is None else value < before
            more[name] = value if anew else value - (getattr(self._before, name) if before is None else before)
            self._sums[name] = value
        self.use(**more)

    def finish(self, reason: str = "end_turn") -> None:
        self.flush()
        self.reason = reason

    def fail(self, error: str, reason: str = "error") -> None:
        self.flush()
        self.error, self.reason = self.error or error.strip() or "It gave no reason.", reason


def split(text: str) -> list[str]:
    """Into entries that are not too long, at the ends of lines where there are any."""
    pieces: list[str] = []
    while len(text) > PIECE:
        cut = text.rfind("\n", 1, PIECE) + 1 or PIECE
        pieces.append(text[:cut].rstrip("\n"))
        text = text[cut:]
    return [*pieces, text]


def micros(dollars: Any) -> int:
    return round(dollars * 1_000_000) if isinstance(dollars, int | float) else 0


def whole(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def members(value: Any) -> Mapping[str, Any]:
    """An object of somebody else's JSON, or nothing at all."""
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def load(text: str | None) -> Mapping[str, Any]:
    """An object from its JSON; from anything else, an empty one."""
    try:
        return members(json.loads(text or "{}"))
    except (ValueError, RecursionError):
        return {}


def items(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def words(value: Any) -> str:
    """The text in whatever form content comes."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(filter(None, map(words, items(value))))
    inner = members(value)
    return words(inner.get("text") or inner.get("content") or inner.get("message") or "") if inner else ""


def _find_command(call: Call) -> str:
    if call.kind != "execute":
        return ""
    command = members(call.given).get("command")
    if isinstance(command, list):
        return " ".join(str(item) for item in items(command))
    return command if isinstance(command, str) else call.name


def _trim(given: Any) -> Any:
    """Arguments of a call, without the whole files that may be in them."""
    if isinstance(given, str):
        return shorten(given, VALUE)
    if isinstance(given, list):
        return [_trim(item) for item in items(given)[:20]]
    if isinstance(given, Mapping):
        return {str(name): _trim(value) for name, value in list(members(cast("Any", given)).items())[:20]}
    return given if given is None or isinstance(given, int | float) else json.dumps(given, default=str)[:VALUE]
