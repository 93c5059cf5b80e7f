"""What can be said to runs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from taskpilot.domain.policy import CAP_MOST
from taskpilot.domain.run import BRANCH_MOST, Agent, State
from taskpilot.domain.task import ID_MOST, PROSE_MOST
from taskpilot.surfaces.rest.task_bodies import EXACT_MOST, hide_defaults
from taskpilot.surfaces.rest.types import HIDDEN, VISIBLE, Body, read_whole

AgentName = Literal["claudecode", "gemini", "codex", "opencode"]
"""Those that talk."""
AnyAgent = Literal["claudecode", "gemini", "codex", "opencode", "command", "hand"]
RunState = Literal["pending", "in_progress", "waiting", "completed", "failed", "cancelled", "interrupted"]

TOLD_MOST = 20_000
"""What is to be told an agent besides."""
HANDED_MOST = PROSE_MOST - 5_000
"""The account of the run before comes on top."""

_PART = rf"[^~^:?*\[\\/.{{{HIDDEN}]"
"""A character of a branch name that means nothing to git."""


def _avoid(word: str) -> str:
    """Anything made of such characters but this word."""
    known = "".join(f"({word[:place]})|" for place in range(1, len(word)))
    others = "|".join(f"{word[:place]}{_PART[:-1]}{letter}]{_PART}*" for place, letter in enumerate(word))
    return f"({known}{others}|{word}{_PART}+)"


_PIECE = f"{_PART}+([.]{_avoid('lock')})*"
BRANCH = f"{_PART[:-1]}@-]{_PART}*([.]{_avoid('lock')})*(/{_PIECE})*"
"""No root, no way up, no `.lock`, nothing that git reads otherwise."""

Branch = Annotated[
    str,
    StringConstraints(min_length=1, max_length=BRANCH_MOST, pattern=f"^{BRANCH}$"),
    Field(examples=["feature/auth"]),
]
Remote = Annotated[str, Field(pattern="^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$", examples=["origin"])]
Model = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=VISIBLE)]
Words = Annotated[str, StringConstraints(min_length=1, max_length=TOLD_MOST, pattern=VISIBLE)]
Argument = Annotated[
    str,
    StringConstraints(min_length=1, max_length=1_200, pattern=rf"^[^\x00]*{VISIBLE}[^\x00]*$"),
    Field(examples=["make"]),
]
Cap = Annotated[int, Field(ge=0, le=CAP_MOST), BeforeValidator(read_whole)]
Orders = Annotated[str, StringConstraints(max_length=PROSE_MOST)]
Extra = Annotated[str, StringConstraints(max_length=HANDED_MOST)]


class CapsBody(Body):
    """How much may be used before the run rests and asks. 0: as much as it likes."""

    model_config = ConfigDict(json_schema_extra=hide_defaults)

    seconds: Cap = Field(0, description="By the clock on the wall.")
    idle_seconds: Cap = Field(0, description="Without a sign of life.")
    turns: Cap = 0
    tokens: Cap = 0
    cost_micros: Cap = Field(0, description="In millionths of a dollar.")


class AgentConfig(Body):
    model: Model | None = Field(None, description="As the agent calls it.")
    way: Literal["acp", "cli_json"] | None = Field(None, description="How to talk to it; otherwise the best there is.")
    caps: CapsBody | None = None


class CommandConfig(Body):
    command: list[Argument] = Field(min_length=1, max_length=40, description="A program and its arguments; no shell.")
    caps: CapsBody | None = None


class Start(Body):
    instructions: Orders = Field("", description="Otherwise the task says it all.")
    branch: Branch | None = Field(None, description="To work on; otherwise made from the task.")
    base: Branch | None = Field(None, description="To start from; otherwise as the workspace's policy says.")


class StartAgent(Start):
    agent: AgentName
    config: AgentConfig | None = None


class StartCommand(Start):
    agent: Literal["command"]
    config: CommandConfig


NewRun = Annotated[StartAgent | StartCommand, Field(discriminator="agent")]


def read_start(body: StartAgent | StartCommand) -> dict[str, Any]:
    """As the operation takes it."""
    return {
        "agent": Agent(body.agent),
        "instructions": body.instructions,
        "branch": body.branch,
        "base": body.base or "",
        "config": body.config.model_dump(exclude_unset=True, exclude_none=True) if body.config else {},
    }


class InstructionsBody(Body):
    instructions: Words


class HandoverBody(Body):
    agent: AgentName
    instructions: Extra = Field("", description="Before the account of how far the other one came.")


class RebaseBody(Body):
    onto: Branch | None = Field(None, description="Otherwise the branch it started from.")


class MergeBody(Body):
    into: Branch | None = Field(None, description="Otherwise the branch it started from.")


class PushBody(Body):
    remote: Remote | None = Field(None, description="Otherwise origin.")


class RunQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    state: list[RunState] | None = Field(None, max_length=7, description="One, or several of them.")
    agent: AnyAgent | None = None
    task_id: int | None = Field(None, ge=1, le=EXACT_MOST)
    workspace_id: int | None = Field(None, ge=1, le=EXACT_MOST)
    limit: int = Field(50, ge=1, le=1000)
    offset: int = Field(0, ge=0, le=ID_MOST)

    def fits(self) -> dict[str, Any]:
        """As the operation takes it."""
        return {
            "states": tuple(State(word) for word in self.state or ()),
            "agent": None if self.agent is None else Agent(self.agent),
            "task": self.task_id,
            "workspace": self.workspace_id,
            "limit": self.limit,
            "offset": self.offset,
        }
