"""The first answer on standard streams, given before the SDK is loaded.

Loading the SDK takes half a second, in which an assistant waits for the answer to `initialize`. What that answer
says is known without it. So it is given at once; then the SDK is loaded, is told of the same `initialize`, and its
answer, which is the same, is kept back. Whatever else a client says first is left for the SDK to answer.
"""

from __future__ import annotations

import json
import os
import select
from typing import Any

from taskpilot.surfaces.mcp.promises import introduce, promise
from taskpilot.surfaces.mcp.relay import Handover
from taskpilot.toolkit import Contract

VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Revisions that begin with `initialize`; the last is offered to a client that asks for another."""
PATIENCE_SECONDS = 0.1
"""Clients write before we can read. With one that does not, the time is better spent loading the SDK."""
LONGEST_LINE = 1024 * 1024
CHUNK = 64 * 1024


def greet(contract: Contract) -> Handover:
    """Answer the client if it begins with `initialize`, and say what the SDK must be told."""
    said = _listen()
    request = _read(said.partition(b"\n")[0]) if b"\n" in said else None
    if request is None:
        return Handover(first=said)
    _say(answer(contract, request))
    return Handover(first=said, muted=request["id"])


def answer(contract: Contract, request: dict[str, Any]) -> dict[str, Any]:
    """What the SDK would answer to this `initialize`."""
    wanted = request["params"]["protocolVersion"]
    result: dict[str, Any] = {
        "protocolVersion": wanted if wanted in VERSIONS else VERSIONS[-1],
        # Extensions belong to later revisions; the SDK leaves them out here too.
        "capabilities": {name: kept for name, kept in promise(contract).items() if name != "extensions"},
        "serverInfo": introduce(contract),
    }
    if contract.instructions:
        result["instructions"] = contract.instructions
    return {"jsonrpc": "2.0", "id": request["id"], "result": result}


def _listen() -> bytes:
    """The first line and whatever came with it; less if the client takes its time."""
    said = b""
    try:
        while b"\n" not in said and len(said) < LONGEST_LINE and select.select([0], [], [], PATIENCE_SECONDS)[0]:
            piece = os.read(0, CHUNK)
            if not piece:
                break
            said += piece
    except OSError:  # standard input is closed: the server will find out, and stop
        pass
    return said


def _read(line: bytes) -> dict[str, Any] | None:
    """An `initialize` beyond doubt; the SDK explains what is wrong with any other."""
    try:
        message: Any = json.loads(line)
        params = message["params"]
        client = params["clientInfo"]
        plain = (
            message["jsonrpc"] == "2.0"
            and message["method"] == "initialize"
            and type(message["id"]) in (int, str)
            and isinstance(params["protocolVersion"], str)
            and all(isinstance(client[name], str) for name in ("name", "version"))
            and all(isinstance(settings, dict) for settings in params["capabilities"].values())
        )
    except (ValueError, LookupError, TypeError, AttributeError):
        return None
    return message if plain else None


def _say(message: dict[str, Any]) -> None:
    line = json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
    try:
        while line:
            line = line[os.write(1, line) :]
    except OSError:  # nobody reads: the server will find out, and stop
        pass
