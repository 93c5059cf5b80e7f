"""How this surface tells a failure: the one place where MCP meets `TaskPilotError`."""

from __future__ import annotations

import logging
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS

from taskpilot.domain.errors import TaskPilotError

ERROR_META_KEY = "taskpilot/error"

log = logging.getLogger(__name__)


def refuse(error: TaskPilotError) -> dict[str, Any]:
    """A tool result that says why not. Every kind is the model's to read and to act on.

    The parts stand in `_meta`, not in `structuredContent`: the TypeScript client checks the
    latter against the tool's output schema even when `isError` is set, and would hide the error.
    """
    parts = {"kind": error.kind, "message": error.message, "hint": error.hint}
    return {
        "content": [{"type": "text", "text": str(error)}],
        "isError": True,
        "resultType": "complete",
        "_meta": {ERROR_META_KEY: parts},
    }


def reject(message: str) -> MCPError:
    """The call itself is malformed: no tool of that name, no such page."""
    return MCPError(INVALID_PARAMS, message)


@contextmanager
def translating(doing: str) -> Generator[None]:
    """For requests that have no result to carry an error: it becomes one of the protocol."""
    try:
        yield
    except MCPError:
        raise
    except TaskPilotError as error:
        code = INTERNAL_ERROR if error.kind == "unavailable" else INVALID_PARAMS
        raise MCPError(code, str(error)) from None
    except Exception as error:
        raise report_bug(error, doing) from None


def report_bug(error: Exception, doing: str) -> MCPError:
    """Log a bug under an id; the wire learns the id and nothing else."""
    incident = uuid4().hex[:12]
    log.error("bug %s in %s", incident, doing, exc_info=error, extra={"incident": incident})
    return MCPError(INTERNAL_ERROR, f"Internal error {incident}. It is in the server's log under this id.")
