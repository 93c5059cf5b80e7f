"""What sets one agent apart from the next, however it is run."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from taskpilot.agents.kinds.transcript import Transcript
from taskpilot.agents.talk import Turn
from taskpilot.domain.run import Agent

TOKEN = "TASKPILOT_TOKEN"
"""The variable our server's token is in, for agents whose settings can name one: a command line is no secret."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """How a program is started for a turn."""

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    """On top of the turn's."""
    settle: Callable[[Path], Mapping[str, str]] | None = None
    """Puts settings into a folder made for this one start, and gives the variables that lead there."""
    feed: str = ""
    """What it reads on its standard input."""
    unasked: bool = False
    """Once started, it does as it sees fit: whether it may is asked before."""


Build = Callable[[Turn], Start]
Read = Callable[[Mapping[str, Any], Transcript], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentKind:
    agent: Agent
    title: str
    install: str = ""
    """What to do where it is missing."""
    sign_in: str = ""
    """What to do where it has no account."""
    variables: tuple[str, ...] = ()
    """Names of the environment that it may see beside the usual; `*` at the end stands for anything."""
    folders: tuple[str, ...] = ()
    """Where it keeps its sessions and settings, in the home folder."""
    acp: Build | None = None
    acp_program: str = ""
    method: Callable[[Mapping[str, str]], str] | None = None
    """Which of its ways to authenticate fits an environment, where it must be told; empty: none."""
    acp_resumes: bool = True
    """Whether it really can go on with a session by the protocol, whatever it says."""
    cli: Build | None = None
    cli_program: str = ""
    read: Read | None = None
    """Writes one event of its own JSON into the transcript. Knows that there will be events it has not met."""

    @property
    def ways(self) -> tuple[str, ...]:
        """All it could be run by, the preferred first."""
        known = (("acp", self.acp), ("cli_json", self.cli))
        return tuple(name for name, build in known if build is not None) or ("command",)

    def find_ways(self, env: Mapping[str, str]) -> tuple[str, ...]:
        """Those whose program is installed."""
        program = {"acp": self.acp_program, "cli_json": self.cli_program}
        path = env.get("PATH")
        return tuple(way for way in self.ways if way == "command" or shutil.which(program[way], path=path))
