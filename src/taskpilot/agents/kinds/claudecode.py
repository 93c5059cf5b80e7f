"""Claude Code, by Anthropic."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from taskpilot.agents.kinds.kind import TOKEN, AgentKind, Start
from taskpilot.agents.kinds.transcript import Transcript, items, members, micros, whole, words
from taskpilot.agents.talk import McpServer, Turn
from taskpilot.domain.run import Agent, Kind

_TOOLS = {
    **dict.fromkeys(("Edit", "MultiEdit", "Write", "NotebookEdit"), "edit"),
    **dict.fromkeys(("Read", "NotebookRead"), "read"),
    **dict.fromkeys(("Grep", "Glob", "LS"), "search"),
    **dict.fromkeys(("WebFetch", "WebSearch"), "fetch"),
    "Bash": "execute",
}


def _start_acp(turn: Turn) -> Start:
    return Start(argv=("claude-agent-acp", *turn.argv), env={"ANTHROPIC_MODEL": turn.model} if turn.model else {})


def _start_cli(turn: Turn) -> Start:
    """Root may not skip permissions, so that the tools are named; which of them may be used was asked before."""
    allowed = [*_TOOLS, *([f"mcp__{turn.mcp.name}"] if turn.mcp else [])]
    argv = ["claude", "-p", "--output-format", "stream-json", "--verbose"]
    argv += ["--permission-mode", "acceptEdits", "--allowedTools", ",".join(allowed)]
    argv += ["--model", turn.model] if turn.model else []
    argv += ["--mcp-config", _describe(turn.mcp), "--strict-mcp-config"] if turn.mcp else []
    argv += ["--resume", turn.session] if turn.session else []
    env = {TOKEN: turn.mcp.token} if turn.mcp else {}
    return Start(argv=(*argv, *turn.argv), env=env, feed=turn.prompt, unasked=True)


def _describe(mcp: McpServer) -> str:
    server = {"type": "http", "url": mcp.url, "headers": {"Authorization": f"Bearer ${{{TOKEN}}}"}}
    return json.dumps({"mcpServers": {mcp.name: server}})


def _read(event: Mapping[str, Any], heard: Transcript) -> None:
    heard.session = str(event.get("session_id") or heard.session)
    kind = event.get("type")
    content = items(members(event.get("message")).get("content"))
    if kind == "assistant":
        for part in map(members, content):
            _read_part(part, heard)
    elif kind == "user":
        for part in map(members, content):
            if part.get("type") == "tool_result":
                heard.result(str(part.get("tool_use_id")), not part.get("is_error"), words(part.get("content")))
    elif kind == "result":
        _read_result(event, heard)


def _read_part(part: Mapping[str, Any], heard: Transcript) -> None:
    match part.get("type"):
        case "text":
            heard.say(Kind.MESSAGE, words(part))
        case "thinking":
            heard.say(Kind.THOUGHT, words(part.get("thinking")))
        case "tool_use":
            name, given = str(part.get("name")), members(part.get("input"))
            path = given.get("file_path") or given.get("notebook_path")
            edited = {str(path): "changed"} if _TOOLS.get(name) == "edit" and path else {}
            heard.call(str(part.get("id")), name, _TOOLS.get(name, "other"), given, edited)
        case _:
            pass


def _read_result(event: Mapping[str, Any], heard: Transcript) -> None:
    """Errors of the model's service come as a success that `is_error`."""
    _count(event, heard)
    subtype = str(event.get("subtype"))
    if event.get("is_error") or subtype.startswith("error"):
        reason = "max_turns" if subtype == "error_max_turns" else "error"
        heard.fail(words(event.get("result")) or words(event.get("errors")) or subtype, reason)
    else:
        heard.finish()


def _count(event: Mapping[str, Any], heard: Transcript) -> None:
    """The cost is the session's or the turn's, by version: it is for the tokens that are told by model."""
    usage = members(event.get("usage"))
    cached = whole(usage.get("cache_read_input_tokens")) + whole(usage.get("cache_creation_input_tokens"))
    read, written = whole(usage.get("input_tokens")) + cached, whole(usage.get("output_tokens"))
    models = map(members, members(event.get("modelUsage")).values())
    paid = sum(whole(value) for model in models for name, value in model.items() if name.endswith("Tokens"))
    session = heard.spent.tokens_in + heard.spent.tokens_out + read + written
    cost = micros(event.get("total_cost_usd"))
    if 0 < paid < session:
        heard.use(read, written, cost)
    else:
        heard.use(read, written)
        heard.use_in_all(cost_micros=cost)


KIND = AgentKind(
    agent=Agent.CLAUDECODE,
    title="Claude Code",
    install="Install it with: npm install -g @anthropic-ai/claude-code @agentclientprotocol/claude-agent-acp",
    sign_in="Run claude once and sign in, or set ANTHROPIC_API_KEY for the worker.",
    variables=("ANTHROPIC_*", "CLAUDE_*", "AWS_*", "CLOUD_ML_REGION", "GOOGLE_APPLICATION_CREDENTIALS"),
    folders=(".claude",),
    acp=_start_acp,
    acp_program="claude-agent-acp",
    cli=_start_cli,
    cli_program="claude",
    read=_read,
)
