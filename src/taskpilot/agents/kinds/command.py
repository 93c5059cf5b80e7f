"""Any program, by its argv."""

from __future__ import annotations

from taskpilot.agents.kinds.kind import AgentKind
from taskpilot.domain.run import Agent

KIND = AgentKind(agent=Agent.COMMAND, title="The command")
