"""OpenCode, with whichever model it is set up for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from taskpilot.agents.kinds.kind import AgentKind, Start
from taskpilot.agents.kinds.transcript import Transcript, load, members, micros, whole, words
from taskpilot.agents.talk import Turn
from taskpilot.domain.run import Agent, Kind

_TOOLS = {
    **dict.fromkeys(("write", "edit", "multiedit", "patch", "apply_patch"), "edit"),
    **dict.fromkeys(("grep", "glob", "list"), "search"),
    **dict.fromkeys(("webfetch", "websearch"), "fetch"),
    "read": "read",
    "bash": "execute",
}
_CONFIG = "OPENCODE_CONFIG_CONTENT"


def _start_acp(turn: Turn) -> Start:
    """It asks for nothing unless it is told to."""
    asking = {"permission": {"bash": "ask", "edit": "ask", "webfetch": "ask"}}
    more = {**asking, **({"model": turn.model} if turn.model else {})}
    return Start(argv=("opencode", "acp", *turn.argv), env={_CONFIG: _configure(turn, more)})


def _start_cli(turn: Turn) -> Start:
    argv = ["opencode", "run", "--format", "json", "--auto"]
    argv += ["-m", turn.model] if turn.model else []
    argv += ["--session", turn.session] if turn.session else []
    env = dict[str, str]()
    if turn.mcp:
        headers = {"Authorization": f"Bearer {turn.mcp.token}"}
        server = {"type": "remote", "url": turn.mcp.url, "headers": headers, "oauth": False, "enabled": True}
        env = {_CONFIG: _configure(turn, {"mcp": {turn.mcp.name: server}})}
    return Start(argv=(*argv, *turn.argv), env=env, feed=turn.prompt, unasked=True)


def _configure(turn: Turn, more: Mapping[str, Any]) -> str:
    """What the environment says already, and this. What is said already stays, except for servers: ours is added."""
    given = load(turn.env.get(_CONFIG))
    servers = {**members(given.get("mcp")), **members(more.get("mcp"))}
    return json.dumps({**more, **given, **({"mcp": servers} if servers else {})})


def _read(event: Mapping[str, Any], heard: Transcript) -> None:
    heard.session = str(event.get("sessionID") or heard.session)
    part = members(event.get("part"))
    match event.get("type"):
        case "text":
            heard.say(Kind.MESSAGE, words(part))
        case "reasoning":
            heard.say(Kind.THOUGHT, words(part))
        case "tool_use":
            _read_tool(part, heard)
        case "step_finish":
            tokens, cache = members(part.get("tokens")), members(members(part.get("tokens")).get("cache"))
            read = whole(tokens.get("input")) + whole(cache.get("read")) + whole(cache.get("write"))
            written = whole(tokens.get("output")) + whole(tokens.get("reasoning"))
            heard.use(read, written, micros(part.get("cost")))
            if part.get("reason") != "tool-calls":
                heard.finish()
        case "error":
            error = members(event.get("error"))
            heard.fail(words(error.get("data")) or str(error.get("name") or ""))
        case _:
            pass


def _read_tool(part: Mapping[str, Any], heard: Transcript) -> None:
    """Told when it is over, call and result in one."""
    state, name, call = members(part.get("state")), str(part.get("tool")), str(part.get("callID") or part.get("id"))
    given, kind = members(state.get("input")), _TOOLS.get(name, "other")
    path = given.get("filePath")
    heard.call(call, name, kind, given, {str(path): "changed"} if kind == "edit" and path else {})
    heard.result(call, state.get("status") == "completed", words(state.get("output")) or words(state.get("error")))


KIND = AgentKind(
    agent=Agent.OPENCODE,
    title="OpenCode",
    install="Install it with: npm install -g opencode-ai",
    sign_in="Run opencode auth login, or set the key of your model's service for the worker.",
    variables=("OPENCODE_*", "ANTHROPIC_*", "OPENAI_*", "GEMINI_*", "GOOGLE_*", "OPENROUTER_*", "XDG_*"),
    folders=(".config/opencode", ".local/share/opencode", ".local/state/opencode", ".cache/opencode"),
    acp=_start_acp,
    acp_program="opencode",
    cli=_start_cli,
    cli_program="opencode",
    read=_read,
)
