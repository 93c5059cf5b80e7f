"""A host on this machine that publishes a program's metadata document, over https."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.remotes.test_client import make_certificate
from tests.surfaces.oauth.flow import CALLBACK


class Publisher:
    def __init__(self, folder: Path) -> None:
        self.certificate = make_certificate(folder, "localhost")
        self.asked: list[str] = []
        self.answers: dict[str, tuple[int, dict[str, str], bytes]] = {}
        publisher = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                publisher.asked.append(self.path)
                status, headers, body = publisher.answers.get(self.path, (404, {}, b"{}"))
                self.send_response(status)
                for name, value in {"Content-Length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.handle_error = lambda *_: None  # type: ignore[method-assign]
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.host = f"localhost:{self.server.server_port}"
        self.url = f"https://{self.host}/client.json"

    def publish(self, path: str = "/client.json", **changes: Any) -> str:
        """A document, and its address; a change to None leaves a field out."""
        url = f"https://{self.host}{path}"
        document = {
            "client_id": url,
            "client_name": "Published",
            "redirect_uris": [CALLBACK],
            "token_endpoint_auth_method": "none",
        } | changes
        self.answer(path, {name: value for name, value in document.items() if value is not None})
        return url

    def answer(self, path: str, body: Any, status: int = 200, **headers: str) -> None:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.answers[path] = (status, headers, raw)

    @contextmanager
    def running(self) -> Iterator[Publisher]:
        thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield self
        finally:
            self.server.shutdown()
            thread.join()
            self.server.server_close()
