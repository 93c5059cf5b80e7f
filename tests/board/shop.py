"""A repository, and a server whose agents do as they are told."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from tests.agents.scripted import scripted
from tests.board.server import Server


@dataclass
class Shop:
    server: Server
    api: httpx2.Client
    workspace: int

    def add(self, title: str = "Paint the walls", **fields: Any) -> int:
        made = self.api.post("/api/tasks", json={"title": title, "workspace_id": self.workspace, **fields})
        assert made.status_code == 201, made.text
        return made.json()["id"]

    def start(self, *steps: dict[str, Any], task: int | None = None) -> int:
        return self._send(task, {"agent": "claudecode", "instructions": script(*steps)})

    def start_command(self, *argv: str, task: int | None = None) -> int:
        return self._send(task, {"agent": "command", "config": {"command": list(argv)}})

    def _send(self, task: int | None, body: dict[str, Any]) -> int:
        made = self.api.post(f"/api/tasks/{task or self.add()}/runs", json=body)
        assert made.status_code == 201, made.text
        return made.json()["id"]


def script(*steps: dict[str, Any]) -> str:
    return scripted.write(*steps, before="Do as the script says.")


def open_shop(folder: Path, open_server: Callable[..., Server]) -> Shop:
    repository = found(folder / "shop")
    home = folder / "home"
    home.mkdir()
    agents = scripted.install(folder / "bin")
    path = f"{agents}{os.pathsep}{os.environ['PATH']}"
    server = open_server(HOME=str(home), PATH=path, TASKPILOT_CONFIG=str(folder / "none.toml"))
    api = server.client()
    workspace = api.post("/api/workspaces", json={"path": str(repository)}).json()["id"]
    # Scripted agents keep their sessions in the home folder, which is outside the walls.
    api.patch(f"/api/workspaces/{workspace}/policy", json={"sandbox": "off"})
    return Shop(server, api, workspace)


def found(folder: Path) -> Path:
    folder.mkdir()
    (folder / "README").write_text("A shop.\n")
    who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-c", "commit.gpgSign=false")
    for words in (("init", "-q", "-b", "main"), ("add", "-A"), (*who, "commit", "-q", "-m", "Begin")):
        subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)
    return folder
