"""Gemini CLI, by Google."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from taskpilot.agents.kinds.kind import TOKEN, AgentKind, Start
from taskpilot.agents.kinds.transcript import Transcript, load, members, whole, words
from taskpilot.agents.talk import Turn
from taskpilot.domain.run import Agent, Kind

_TOOLS = {
    **dict.fromkeys(("write_file", "replace"), "edit"),
    **dict.fromkeys(("read_file", "read_many_files"), "read"),
    **dict.fromkeys(("glob", "list_directory", "search_file_content", "grep_search"), "search"),
    **dict.fromkeys(("web_fetch", "google_web_search"), "fetch"),
    "run_shell_command": "execute",
}
_HOME = "GEMINI_CLI_HOME"
_SETTINGS = "settings.json"
_KEPT = ("tmp", "history")
"""Folders of the user's that sessions are kept in."""


def _start_acp(turn: Turn) -> Start:
    model = ["-m", turn.model] if turn.model else []
    return Start(argv=("gemini", "--acp", "--skip-trust", *model, *turn.argv))


def _start_cli(turn: Turn) -> Start:
    """A prompt on standard input makes it work without a terminal."""
    argv = ["gemini", "-o", "stream-json", "--approval-mode", "yolo", "--skip-trust"]
    argv += ["-m", turn.model] if turn.model else []
    argv += ["--resume", turn.session] if turn.session else []
    env = {TOKEN: turn.mcp.token} if turn.mcp else {}
    settle = partial(_settle, turn) if turn.mcp else None
    return Start(argv=(*argv, *turn.argv), env=env, settle=settle, feed=turn.prompt, unasked=True)


def _settle(turn: Turn, folder: Path) -> Mapping[str, str]:
    """A home like the user's, with our server in its settings: there is no other way to name one to it."""
    assert turn.mcp is not None
    theirs = Path(turn.env.get(_HOME) or turn.env.get("HOME") or Path.home()) / ".gemini"
    ours = folder / ".gemini"
    ours.mkdir()
    for name in _KEPT:
        (theirs / name).mkdir(parents=True, exist_ok=True)
    for item in theirs.iterdir():
        if item.name != _SETTINGS:
            (ours / item.name).symlink_to(item)
    settings = load((theirs / _SETTINGS).read_text() if (theirs / _SETTINGS).exists() else "")
    server = {"httpUrl": turn.mcp.url, "headers": {"Authorization": f"Bearer ${TOKEN}"}, "trust": True}
    servers = {**members(settings.get("mcpServers")), turn.mcp.name: server}
    (ours / _SETTINGS).write_text(json.dumps({**settings, "mcpServers": servers}))
    return {_HOME: str(folder)}


def _read(event: Mapping[str, Any], heard: Transcript) -> None:
    match event.get("type"):
        case "init":
            heard.session = str(event.get("session_id") or "")
        case "message" if event.get("role") == "assistant":
            if event.get("delta"):
                heard.chunk(words(event))
            else:
                heard.say(Kind.MESSAGE, words(event))
        case "thought":
            heard.say(Kind.THOUGHT, words(event))
        case "tool_use":
            name, given = str(event.get("tool_name")), members(event.get("parameters"))
            kind, path = _TOOLS.get(name, "other"), given.get("file_path")
            edited = {str(path): "changed"} if kind == "edit" and path else {}
            heard.call(str(event.get("tool_id")), name, kind, given, edited)
        case "tool_result":
            told = words(event.get("output")) or words(event.get("error"))
            heard.result(str(event.get("tool_id")), event.get("status") == "success", told)
        case "error":
            heard.say(Kind.LOG, words(event))
        case "result":
            stats = members(event.get("stats"))
            heard.use(whole(stats.get("input_tokens")), whole(stats.get("output_tokens")))
            if event.get("status") == "success":
                heard.finish()
            else:
                heard.fail(words(event.get("error")))
        case _:
            heard.flush()


def _choose_method(env: Mapping[str, str]) -> str:
    if env.get("GEMINI_API_KEY"):
        return "gemini-api-key"
    return "vertex-ai" if env.get("GOOGLE_API_KEY") or env.get("GOOGLE_GENAI_USE_VERTEXAI") else "oauth-personal"


KIND = AgentKind(
    agent=Agent.GEMINI,
    title="Gemini CLI",
    install="Install it with: npm install -g @google/gemini-cli",
    sign_in="Run gemini once and sign in, or set GEMINI_API_KEY for the worker.",
    variables=("GEMINI_*", "GOOGLE_*"),
    folders=(".gemini",),
    acp=_start_acp,
    acp_program="gemini",
    acp_resumes=False,
    method=_choose_method,
    cli=_start_cli,
    cli_program="gemini",
    read=_read,
)
