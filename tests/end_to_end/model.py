"""A model on loopback that does as it is told, for agents of any make.

What it does is in the prompt: a line `SCRIPT [steps]`, each step a call of one of the agent's own tools:

    {"edit": path, "content": text}
    {"run": command}
    {"call": tool, "arguments": {…}}   of our MCP server

When all is done it says "turn N": how many scripts there are in the conversation that the agent has sent it, so that a
session that goes on can be told from one that began anew.
"""

from __future__ import annotations

import json
import re
import shlex
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.end_to_end.wires import WIRES, Answer, Call, Heard

_SCRIPT = re.compile(r"^SCRIPT (\[.*\])\s*$", re.MULTILINE)
SERVER = "taskpilot"
MODELS = {"object": "list", "data": [{"id": "scripted", "object": "model", "created": 1, "owned_by": "us"}]}


def write(*steps: dict[str, Any]) -> str:
    """A prompt with a script in it."""
    return f"Do as the script says.\nSCRIPT {json.dumps(list(steps))}\n"


def answer(heard: Heard) -> Answer:
    """The next step of the last script, or that there is none left."""
    scripts: list[str] = []
    done = 0
    for kind, text in heard.told:
        if kind == "result":
            done += 1
        elif found := _SCRIPT.findall(text):
            scripts += found
            done = 0
    steps = json.loads(scripts[-1]) if scripts and heard.tools else []
    if done < len(steps):
        return _choose(steps[done], heard.tools)
    return f"turn {len(dict.fromkeys(scripts))}"


def _choose(step: dict[str, Any], tools: list[str]) -> Answer:
    """Each agent has its own names for what all of them can do."""
    if "call" in step:
        found = [tool for tool in tools if re.fullmatch(rf".*{SERVER}\W*_*{step['call']}", tool)]
        if not found and "ToolSearch" in tools:
            return Call("ToolSearch", {"query": f"select:mcp__{SERVER}__{step['call']}", "max_results": 5})
        return Call(found[0], step["arguments"]) if found else f"there is no tool {step['call']} in {tools}"
    if "edit" in step:
        path, content = step["edit"], step["content"]
        wanted = {
            "Write": {"file_path": path, "content": content},
            "write": {"filePath": path, "content": content},
            "write_file": {"file_path": path, "content": content},
            "exec_command": {"cmd": f"printf %s {shlex.quote(content)} > {shlex.quote(path)}"},
        }
    else:
        wanted = {
            "Bash": {"command": step["run"], "description": "As told"},
            "bash": {"command": step["run"], "description": "As told"},
            "run_shell_command": {"command": step["run"], "description": "As told"},
            "exec_command": {"cmd": step["run"]},
        }
    found = [Call(tool, arguments) for tool, arguments in wanted.items() if tool in tools]
    return found[0] if found else f"there is no tool for {step} in {tools}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self._reply({})

    def do_GET(self) -> None:
        self._reply(MODELS if "/models" in self.path else {}, 200 if "/models" in self.path else 404)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"] or 0)) or "{}")
        path = self.path.partition("?")[0]
        if path.endswith("/count_tokens"):
            self._reply({"input_tokens": 100})
            return
        wire = next((wire for wire in WIRES if wire.path in path), None)
        if wire is None:
            self._reply({}, 404)
            return
        events = list(wire.write(body, answer(wire.read(body))))
        if "stream" in path or body.get("stream"):
            self._stream(events)
        else:
            self._reply(events[0][1])

    def _reply(self, body: Any, status: int = 200) -> None:
        data = json.dumps(body).encode()
        self._begin(status, "application/json", ("Content-Length", str(len(data))))
        if self.command != "HEAD":
            self.wfile.write(data)

    def _stream(self, events: list[tuple[str, Any]]) -> None:
        self._begin(200, "text/event-stream", ("Connection", "close"))
        for name, data in events:
            named = f"event: {name}\n" if name else ""
            told = data if isinstance(data, str) else json.dumps(data)
            self.wfile.write(f"{named}data: {told}\n\n".encode())
        self.close_connection = True

    def _begin(self, status: int, kind: str, *headers: tuple[str, str]) -> None:
        self.send_response(status)
        for name, value in (("Content-Type", kind), *headers):
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Tests are quiet."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """An agent that was stopped has hung up; a mistake of ours is seen by what its agent does not do."""


@contextmanager
def serve() -> Iterator[str]:
    """Its address."""
    with _Server(("127.0.0.1", 0), _Handler) as server:
        thread = threading.Thread(target=server.serve_forever, name="model")
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
