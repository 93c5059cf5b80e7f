"""A real server in a process of its own, on a data folder of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2

PATIENCE = 30.0
PASSWORD = "correct horse battery"
UNLIMITED = {"TASKPILOT_RATE_LIMIT": "0", "TASKPILOT_ADDRESS_RATE_LIMIT": "0", "TASKPILOT_SIGN_IN_LIMIT": "0"}
"""How often one may ask is proved elsewhere."""


class Server:
    """`taskpilot serve`. Stopped and started again, it is where it was, with what it had."""

    def __init__(self, folder: Path, *, auth: str = "", database: str = "", **environment: str) -> None:
        self.folder = folder
        self.address = ""
        self._flags = ["--auth", auth] if auth else []
        self._environment = {**os.environ, **UNLIMITED, "TASKPILOT_LOG_FORMAT": "json", **environment}
        if database:
            self._environment["TASKPILOT_DATABASE_URL"] = database
        self._log = folder.parent / f"{folder.name}.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._clients: list[httpx2.Client] = []

    def start(self) -> Server:
        port = urlsplit(self.address).port or 0
        command = [sys.executable, "-m", "taskpilot", "serve", "--data-dir", str(self.folder), "--port", str(port)]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen([*command, *self._flags], env=self._environment, stdout=log, stderr=log)
        self.address = self._await_address().rstrip("/")
        return self

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait(PATIENCE)
            self._process = None

    def close(self) -> None:
        for client in self._clients:
            client.close()
        self.stop()

    def client(self, token: str = "") -> httpx2.Client:
        """For the REST API; closed with the server."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._clients.append(httpx2.Client(base_url=self.address, headers=headers, timeout=PATIENCE))
        return self._clients[-1]

    def sign_up(self, email: str = "ann@example.com", password: str = PASSWORD, name: str = "Ann") -> httpx2.Client:
        """Somebody new, and the API as they have it."""
        made = self.client().post("/api/auth/signup", json={"email": email, "password": password, "name": name})
        assert made.status_code == 201, made.text
        return self.client(made.json()["token"])

    def read_log(self) -> str:
        return self._log.read_text("utf-8", errors="replace")

    def _await_address(self) -> str:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and self._process is not None and self._process.poll() is None:
            for line in self.read_log().splitlines(keepends=True):
                if '"url"' in line and line.endswith("\n"):
                    told: dict[str, Any] = json.loads(line)
                    return told["url"]
            time.sleep(0.02)
        self.stop()
        raise AssertionError(f"the server did not start:\n{self.read_log()}")
