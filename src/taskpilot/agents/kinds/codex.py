"""Codex, by OpenAI."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from taskpilot.agents.kinds.kind import TOKEN, AgentKind, Start
from taskpilot.agents.kinds.transcript import Transcript, items, load, members, whole, words
from taskpilot.agents.talk import Turn
from taskpilot.domain.run import Agent, Kind

_CONFIG, _MODE, _FREE = "CODEX_CONFIG", "INITIAL_AGENT_MODE", "agent-full-access"
_CHANGES = {"add": "added", "delete": "removed"}


def _start_acp(turn: Turn) -> Start:
    """Left alone, it has a model decide what may be done; we are to be asked.

    Its own sandbox does not work inside ours, and without it, it never asks.
    """
    config = {**load(turn.env.get(_CONFIG)), **({"model": turn.model} if turn.model else {})}
    mode = turn.env.get(_MODE) or (_FREE if turn.sandbox else "workspace-write")
    env = {_MODE: mode, **({_CONFIG: json.dumps(config)} if config else {})}
    return Start(argv=("codex-acp", *turn.argv), env=env, unasked=mode == _FREE)


def _start_cli(turn: Turn) -> Start:
    argv = ["codex", "exec", "--json", "-s", "danger-full-access" if turn.sandbox else "workspace-write"]
    argv += ["-m", turn.model] if turn.model else []
    if turn.mcp:
        ours = {"url": turn.mcp.url, "bearer_token_env_var": TOKEN, "default_tools_approval_mode": "approve"}
        for name, value in ours.items():
            argv += ["-c", f"mcp_servers.{turn.mcp.name}.{name}={json.dumps(value)}"]
    argv += [*turn.argv, *(["resume", turn.session] if turn.session else []), "-"]
    return Start(argv=tuple(argv), env={TOKEN: turn.mcp.token} if turn.mcp else {}, feed=turn.prompt, unasked=True)


def _read(event: Mapping[str, Any], heard: Transcript) -> None:
    match event.get("type"):
        case "thread.started":
            heard.session = str(event.get("thread_id") or "")
        case "item.started":
            _read_start(members(event.get("item")), heard)
        case "item.completed":
            _read_start(members(event.get("item")), heard)
            _read_item(members(event.get("item")), heard)
        case "turn.completed":
            usage = members(event.get("usage"))
            sums = {"tokens_in": whole(usage.get("input_tokens")), "tokens_out": whole(usage.get("output_tokens"))}
            heard.use_in_all(**sums)
            heard.finish()
        case "turn.failed":
            heard.fail(words(event.get("error")))
        case "error":
            _read_error(words(event), heard)
        case _:
            pass


def _read_error(message: str, heard: Transcript) -> None:
    """It tries for ever to reach a service that does not let it in."""
    if "401" in message or not message.startswith("Reconnecting"):
        heard.fail(message)
        heard.hopeless = True
    else:
        heard.say(Kind.LOG, message)


def _read_start(item: Mapping[str, Any], heard: Transcript) -> None:
    name = str(item.get("id"))
    match item.get("type"):
        case "command_execution":
            heard.call(name, "shell", "execute", {"command": item.get("command")})
        case "mcp_tool_call":
            heard.call(name, f"{item.get('server')}.{item.get('tool')}", "other", item.get("arguments"))
        case "web_search":
            heard.call(name, "web_search", "fetch", {"query": item.get("query")})
        case "file_change":
            changes = [members(change) for change in items(item.get("changes"))]
            paths = {str(change.get("path")): _CHANGES.get(str(change.get("kind")), "changed") for change in changes}
            heard.call(name, "apply_patch", "edit", {"paths": list(paths)}, paths)
        case _:
            pass


def _read_item(item: Mapping[str, Any], heard: Transcript) -> None:
    text = words(item)
    match item.get("type"):
        case "agent_message":
            heard.say(Kind.MESSAGE, text)
        case "reasoning":
            heard.say(Kind.THOUGHT, text)
        case "todo_list":
            steps = [members(step) for step in items(item.get("items"))]
            heard.say(Kind.MESSAGE, "\n".join(f"[{'x' if s.get('completed') else ' '}] {words(s)}" for s in steps))
        case "error":
            heard.say(Kind.LOG, text)
        case "command_execution" | "mcp_tool_call" | "web_search" | "file_change":
            told = item.get("aggregated_output") or item.get("error") or item.get("result") or ""
            heard.result(str(item.get("id")), item.get("status") in (None, "completed"), words(told))
        case _:
            pass


def _choose_method(env: Mapping[str, str]) -> str:
    return "api-key" if env.get("CODEX_API_KEY") or env.get("OPENAI_API_KEY") else ""


KIND = AgentKind(
    agent=Agent.CODEX,
    title="Codex",
    install="Install it with: npm install -g @openai/codex @agentclientprotocol/codex-acp",
    sign_in="Run codex login, or set OPENAI_API_KEY for the worker.",
    variables=("OPENAI_*", "CODEX_*", "AZURE_OPENAI_*", "MODEL_PROVIDER", "DEFAULT_AUTH_REQUEST", "INITIAL_AGENT_MODE"),
    folders=(".codex",),
    acp=_start_acp,
    acp_program="codex-acp",
    method=_choose_method,
    cli=_start_cli,
    cli_program="codex",
    read=_read,
)
