"""The ways to run an agent: by the Agent Client Protocol, by its own JSON, or as a plain command."""

from __future__ import annotations

from collections.abc import Mapping

from taskpilot.agents.kinds.kind import AgentKind
from taskpilot.agents.talk import Way
from taskpilot.domain.errors import Invalid, Unavailable


def choose(kind: AgentKind, env: Mapping[str, str], wanted: str = "") -> Way:
    """The way that was asked for, or else the first that can run in this environment."""
    if wanted and wanted not in kind.ways:
        raise Invalid(
            f"{kind.title} cannot be run by {wanted!r}.", hint=f"Choose one of: {', '.join(kind.ways)}, or none."
        )
    found = [way for way in kind.find_ways(env) if wanted in ("", way)]
    if not found:
        programs = {"acp": kind.acp_program, "cli_json": kind.cli_program}
        needed = dict.fromkeys(programs[way] for way in kind.ways if wanted in ("", way))
        raise Unavailable(
            f"{kind.title} is not installed here: {' and '.join(needed)} not found on the worker's PATH.",
            hint=kind.install,
        )
    return open_way(kind, found[0])


def open_way(kind: AgentKind, name: str) -> Way:
    """Imported when it is needed: the protocol's package takes its time."""
    if name == "acp":
        from taskpilot.agents.ways.acp import Acp

        return Acp(kind)
    if name == "cli_json":
        from taskpilot.agents.ways.cli_json import CliJson

        return CliJson(kind)
    from taskpilot.agents.ways.command import Command

    return Command()
