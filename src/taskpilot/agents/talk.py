"""What is said between a run and its agent, the same for every way of running one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from taskpilot.agents.programs.sandbox import Sandbox
from taskpilot.domain.question import Option
from taskpilot.domain.run import Said

__all__ = ["Asked", "Listener", "McpServer", "Outcome", "Said", "Spent", "Turn", "Way"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A permission that an agent wants before it goes on."""

    title: str
    kind: str
    """As in ACP: read, edit, delete, move, search, execute, think, fetch, other."""
    options: tuple[Option, ...]
    data: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class McpServer:
    """Our own server, as the agent is to reach it."""

    name: str
    url: str
    token: str


@dataclass(frozen=True, slots=True)
class Spent:
    """What a session has used."""

    tokens_in: int = 0
    tokens_out: int = 0
    cost_micros: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What an agent is told to do, and where."""

    prompt: str
    cwd: Path
    env: Mapping[str, str]
    session: str = ""
    """The agent's own session to go on with; empty: a new one."""
    anew: str = ""
    """What to say instead of `prompt` where that session is lost; empty: the same."""
    spent: Spent = field(default_factory=Spent)
    """What that session had used before: some agents tell sums only."""
    model: str = ""
    argv: tuple[str, ...] = ()
    """The program, for the way `command`; more arguments for the others."""
    mcp: McpServer | None = None
    sandbox: Sandbox | None = None
    config: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    ok: bool
    reason: str
    """end_turn, exit, refusal, max_tokens, max_turns, error."""
    error: str = ""
    exit_code: int | None = None
    session: str = ""
    resumable: bool = False


class Listener(Protocol):
    """Who hears what an agent says. What raises here ends the turn."""

    async def hear(self, said: Said) -> None: ...

    async def remember(self, session: str) -> None:
        """The agent's own name for its session, as soon as it is known."""
        ...

    async def permit(self, asked: Asked) -> str:
        """The id of the option that was chosen. Waits for as long as it takes."""
        ...

    async def next_prompt(self) -> str | None:
        """More to do in the same session, now that a turn is over; None: that was all."""
        ...


class Way(Protocol):
    async def converse(self, turn: Turn, listener: Listener) -> Outcome:
        """One conversation, from its first prompt to its last answer.

        Cancelling it stops the program and everything it started.
        """
        ...
