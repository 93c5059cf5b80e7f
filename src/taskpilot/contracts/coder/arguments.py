"""What the coder tools take."""

from __future__ import annotations

import os
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from taskpilot.domain.errors import Invalid
from taskpilot.domain.task import parse_id
from taskpilot.toolkit import Args

WAIT_MOST = 300
"""Seconds. Clients give up on a call that takes much longer."""
ToolName = Literal["CLAUDECODE", "GEMINI", "CODEX", "OPENCODE", "COMMAND"]


def _read_id(given: Any) -> int:
    if not isinstance(given, str):
        raise Invalid("taskId: a task id is a text.", hint='Write "42".')
    return parse_id(given)


TaskId = Annotated[
    int, BeforeValidator(_read_id), WithJsonSchema({"type": "string", "description": 'Task identifier, like "42"'})
]


class Config(Args):
    """Whatever else an agent should know is kept as it is."""

    model_config = ConfigDict(extra="allow", strict=True)

    start: bool = Field(True, description="false: make the task and its session, start no agent")
    workspace_path: str | None = Field(None, description="absolute path of the repository; default: the server's")
    command: list[str] | None = Field(None, description="for COMMAND: the program and its arguments")

    def folder(self) -> str | None:
        """The repository: as given, else where this server was started."""
        if self.workspace_path is not None:
            return self.workspace_path
        try:
            return os.getcwd()
        except OSError:  # that folder is gone
            return None

    def settings(self) -> dict[str, Any]:
        """What belongs to the run, and not to its start."""
        return self.model_dump(exclude={"start", "workspace_path"}, exclude_none=True)


class Create(Args):
    tool: ToolName = Field(description="which agent works on it; COMMAND: any program")
    description: str = Field(description="what is to be done; its first line is the title")
    instructions: str = Field(description="detailed instructions for the agent")
    branch: str | None = Field(None, description="git branch; made from the task if not given")
    config: Config | None = Field(None, description="configuration for the agent")

    @property
    def setup(self) -> Config:
        return self.config or Config.model_validate({})


class Update(Args):
    taskId: TaskId
    status: Literal["in_progress", "completed", "failed"] | None = Field(None, description="new status")
    log: str | None = Field(None, description="log message to append")
    instructions: str | None = Field(None, description="a follow-up for its agent, in its session")


class End(Args):
    taskId: TaskId
    status: Literal["completed", "failed"] = Field(description="final status")
    result: Any = Field(None, description="result data, any JSON")


class Report(Args):
    taskId: TaskId | None = None
    wait: int = Field(
        0,
        ge=0,
        le=WAIT_MOST,
        description="seconds to wait for the agent to end or ask; its log goes to the progressToken meanwhile",
    )

    @model_validator(mode="after")
    def one(self) -> Self:
        if self.wait and self.taskId is None:
            raise ValueError("wait goes with taskId")
        return self
