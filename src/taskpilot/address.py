"""Where a running server waits for relays, and how a relay introduces itself.

Both ends import this, and the relay has to start in a blink: standard library only, and little of it.
"""

from __future__ import annotations

import json
import os
import stat

LONGEST_PATH = 100
"""In bytes. The kernel's limit for a socket's path is 104 on macOS and 108 on Linux."""

Hello = dict[str, str]


def locate_socket(data_dir: str | os.PathLike[str]) -> str:
    """The socket of the server that works on this data folder. The same answer from everywhere."""
    folder = os.path.realpath(data_dir)
    path = os.path.join(folder, "taskpilot.sock")
    if len(os.fsencode(path)) <= LONGEST_PATH:
        return path
    import hashlib
    import tempfile

    name = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    return os.path.join(tempfile.gettempdir(), f"taskpilot-{os.getuid()}-{name}", "taskpilot.sock")


def is_private(folder: str) -> bool:
    """Ours alone: a shared temporary folder lets anyone create the name first."""
    found = os.lstat(folder)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077


def introduce(version: str, contract: str, database_url: str, token: str = "") -> Hello:
    """What relay and server must agree on. The address of the database is told apart, not told.

    A token says who the relay's client acts for. It goes through a socket that only its owner can open.
    """
    said = {"version": version, "contract": contract, "database": fingerprint(database_url)}
    return {**said, "token": token} if token else said


def fingerprint(database_url: str) -> str:
    if not database_url:
        return "sqlite"  # the data folder, and with it the socket, already says which
    import hashlib

    return hashlib.sha256(database_url.encode()).hexdigest()


def write_line(message: Hello) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def read_line(line: bytes) -> Hello:
    """An empty hello agrees with nobody."""
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}  # pyright: ignore[reportUnknownVariableType]
