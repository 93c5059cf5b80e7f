"""What an answer is told in, as it comes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from taskpilot.domain.conversation import Pending

Kind = Literal["text", "call", "result", "pending", "done", "error"]


@dataclass(frozen=True, slots=True)
class Piece:
    """`text`: a few more words. `call` and `result`: a tool begins, and how it ended (`id` tells which).
    `pending`: the question that waits for a yes. `error`: why there is no better answer, with a `reason`.
    `done`, always the last: the whole message with `conversation_id`, `message`, `tool_calls`, `pending`, `usage`.
    """

    kind: Kind
    text: str = ""
    data: Mapping[str, Any] | None = None


def show_pending(pending: Pending) -> dict[str, Any]:
    """What waits for a yes, as clients see it: the model's own state is not theirs."""
    calls = [{"id": call.id, "tool": call.tool, "arguments": dict(call.arguments)} for call in pending.calls]
    return {"question": pending.question, "calls": calls}
