"""What a relay remembers of a conversation: whose turn it is, and how it began.

Standard library only, like the relay.
"""

from __future__ import annotations

import json

Id = str | int | None

INTERNAL_ERROR = -32603
RESUMED = "taskpilot-resumed:"
"""Begins the id of a subscription that a relay makes again; the URI follows. The server answers it with a notice
that the resource may have changed: nobody knows what was missed in between."""
LOST = (
    "The TaskPilot server stopped before it answered. "
    "Check whether the change was made, then repeat the request if it was not."
)


class Dialogue:
    """What of the conversation must be remembered, and nothing else."""

    def __init__(self) -> None:
        self.initialize = b""
        self.initialized = b""
        self.handshake: Id = None
        self.pending: dict[Id, None] = {}  # in the order they were asked
        self.muted: Id = None
        self.subscriptions: dict[str, None] = {}

    def hear_client(self, line: bytes) -> None:
        message = parse(line)
        method, request = message.get("method"), identify(message.get("id"))
        if method == "initialize":
            self.initialize, self.handshake = line, request
        elif method == "notifications/initialized":
            self.initialized = line
        elif method == "notifications/cancelled":
            self.pending.pop(identify(read_parameter(message, "requestId")), None)
        elif method in ("resources/subscribe", "resources/unsubscribe"):
            self._note_subscription(read_parameter(message, "uri"), begins=method == "resources/subscribe")
        if method is not None and request is not None:
            self.pending[request] = None

    def hear_server(self, line: bytes) -> bool:
        """Whether the client should hear it too."""
        message = parse(line)
        request = identify(message.get("id"))
        if "method" in message or request is None:
            return True
        if request == self.muted:
            self.muted = None
            return False
        self.pending.pop(request, None)
        return True

    def give_up_pending(self) -> bytes:
        """Answers for everything the lost server owed, but the handshake: that one is asked again."""
        owed = [request for request in self.pending if request != self.handshake]
        for request in owed:
            del self.pending[request]
        error = {"code": INTERNAL_ERROR, "message": LOST}
        return b"".join(json.dumps({"jsonrpc": "2.0", "id": each, "error": error}).encode() + b"\n" for each in owed)

    def greet_again(self) -> bytes:
        """The client's handshake and its subscriptions, for a server that has not seen them."""
        answered = bool(self.initialize) and self.handshake not in self.pending
        self.muted = self.handshake if answered else None
        return self.initialize + self.initialized + b"".join(map(subscribe_again, self.subscriptions))

    def _note_subscription(self, uri: object, *, begins: bool) -> None:
        if not isinstance(uri, str):
            return
        self.subscriptions.pop(uri, None)
        if begins:
            self.subscriptions[uri] = None


def subscribe_again(uri: str) -> bytes:
    request = {"jsonrpc": "2.0", "id": RESUMED + uri, "method": "resources/subscribe", "params": {"uri": uri}}
    return json.dumps(request).encode() + b"\n"


def parse(line: bytes) -> dict[str, object]:
    """A message, or nothing where it is none: the server will say so, not we."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def read_parameter(message: dict[str, object], name: str) -> object:
    params = message.get("params")
    return params.get(name) if isinstance(params, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


def identify(value: object) -> Id:
    return value if isinstance(value, str | int) and not isinstance(value, bool) else None
