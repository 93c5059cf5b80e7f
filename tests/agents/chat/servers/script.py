"""A model on loopback that says what a test wrote down for it, over real HTTP."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PROMPT_TOKENS, ANSWER_TOKENS = 100, 20


@dataclass(frozen=True)
class Say:
    """Words, in as many pieces as there are; `cut`: the connection breaks after them."""

    pieces: Sequence[str]
    cut: bool = False


@dataclass(frozen=True)
class Use:
    """Calls of tools: name and arguments; arguments that are text are sent as they are, broken or not."""

    calls: Sequence[tuple[str, Any]]
    before: str = ""
    """Words that come first."""
    id: str = ""
    """Begins the ids of the calls; left out, no two are the same."""

    def written(self) -> list[tuple[str, str]]:
        return [(name, given if isinstance(given, str) else json.dumps(given)) for name, given in self.calls]


@dataclass(frozen=True)
class Refuse:
    status: int
    body: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=lambda: {"x-should-retry": "false"})


@dataclass(frozen=True)
class Wait:
    """Says nothing for a while."""

    seconds: float


Step = Say | Use | Refuse | Wait


class ScriptedModel:
    """One step of the script for each request; the last is repeated. `asked` keeps what was sent."""

    def __init__(self, *script: Step) -> None:
        self.script = list(script)
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.counts = True
        """Whether it tells what it took."""
        self._stop = threading.Event()
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                model.keys.append(self.headers.get("authorization") or self.headers.get("x-api-key") or "")
                model.asked.append(body)
                step = model.script[min(len(model.asked), len(model.script)) - 1]
                model.answer(self, step, len(model.asked))

            def log_message(self, *_: Any) -> None:
                """Tests need no log."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def answer(self, handler: BaseHTTPRequestHandler, step: Step, number: int) -> None:
        if isinstance(step, Wait):
            self._stop.wait(step.seconds)
            handler.close_connection = True
            return
        if isinstance(step, Refuse):
            sent = json.dumps(step.body).encode()
            handler.send_response(step.status)
            for name, value in {**step.headers, "content-type": "application/json"}.items():
                handler.send_header(name, value)
            handler.send_header("content-length", str(len(sent)))
            handler.end_headers()
            handler.wfile.write(sent)
            return
        handler.send_response(200)
        handler.send_header("content-type", "text/event-stream")
        handler.send_header("transfer-encoding", "chunked")
        handler.end_headers()
        for event in self.stream(step, number):
            handler.wfile.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
            handler.wfile.flush()
            time.sleep(0.001)
        if isinstance(step, Say) and step.cut:
            handler.close_connection = True
            handler.connection.close()
            return
        handler.wfile.write(b"0\r\n\r\n")

    def stream(self, step: Say | Use, number: int) -> Iterator[bytes]:
        """The events of one answer, as this kind of server sends them."""
        raise NotImplementedError

    def close(self) -> None:
        self._stop.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def __enter__(self) -> ScriptedModel:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
