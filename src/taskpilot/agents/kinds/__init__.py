"""The agents that can be started, one file each. A new one is one more file, named as in `domain.run.Agent`."""

from __future__ import annotations

import importlib
from functools import cache

from taskpilot.agents.kinds.kind import AgentKind
from taskpilot.domain.errors import NotFound
from taskpilot.domain.run import Agent

__all__ = ["AgentKind", "find", "find_all"]


@cache
def find(agent: Agent) -> AgentKind:
    if not agent.startable:
        raise NotFound(f"{agent.value} is nothing that can be started.", hint=f"Choose one of: {', '.join(names())}.")
    return importlib.import_module(f"{__name__}.{agent.value}").KIND


def find_all() -> list[AgentKind]:
    return [find(agent) for agent in Agent if agent.startable]


def names() -> list[str]:
    return [agent.value for agent in Agent if agent.startable]
