"""What the assistant says when something goes wrong: the todo contract's sentences, and its own about the model.

Light: pydantic-ai is looked at only after it has failed, when it is loaded anyway.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from taskpilot.contracts import todo
from taskpilot.contracts.todo.answers import SIGNED_OUT
from taskpilot.contracts.todo.arguments import EMPTY_TITLE, LONG_TITLE, NO_TITLE, TITLE_MOST
from taskpilot.domain.errors import Invalid, NotFound, TaskPilotError, Unauthenticated, Unavailable
from taskpilot.toolkit import Reply, Tool

Reason = Literal[
    "unreachable", "quota", "busy", "key", "model", "slow", "rounds", "tokens", "puzzled", "database", "bug"
]
"""Why there is no answer, for a program."""

AWAY = "I can't reach the language model right now. Please try again in a moment."
QUOTA = "The language model's quota is used up. Top up the account, or choose another chat_model."
BUSY = "The language model is asked too often right now. Please try again in a minute."
KEY = "The language model does not accept our key. Please check chat_api_key."
UNKNOWN = "There is no such language model. Please check chat_model and chat_url."
SLOW = "That took too long, so I stopped. Please try again, or ask for less at once."
ROUNDS = "That took too many steps, so I stopped. Please ask for less at once."
TOKENS = "That would have used too many tokens, so I stopped. Please ask for less at once."
PUZZLED = "The language model gave an answer I couldn't use. Can you say it differently?"
BUG = "Something went wrong on our side. Please try again. It is in the server's log under {incident}."

TROUBLE = {
    "task_create": "creating that task",
    "task_list": "retrieving your tasks",
    "task_search": "retrieving your tasks",
    "task_stats": "retrieving your tasks",
    "task_next": "retrieving your tasks",
    "task_get": "retrieving that task",
    "task_update": "updating that task",
    "task_complete": "updating that task",
    "task_release": "updating that task",
    "task_delete": "deleting that task",
}
"""The native tools that do what one of the todo contract's does."""
TASK_NUMBER = re.compile(r"\btask (\d+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Failure:
    reason: Reason
    text: str


def refuse(tool: Tool, error: TaskPilotError) -> Reply:
    """A tool's failure as a sentence, whichever contract the tool is from."""
    if todo.CONTRACT.by_name.get(tool.name) is tool and todo.CONTRACT.refuse is not None:
        return todo.CONTRACT.refuse(tool.name, error)
    return Reply(_tell(tool.name, error), is_error=True)


def _tell(tool: str, error: TaskPilotError) -> str:
    match error:
        case Unauthenticated():
            return SIGNED_OUT
        case NotFound() if (number := TASK_NUMBER.search(error.message)) and tool in TROUBLE:
            return f"I couldn't find task #{number[1]}. Would you like to see your task list?"
        case Invalid() if error.message.lower().startswith("title cannot be empty"):
            return EMPTY_TITLE if tool == "task_update" else NO_TITLE
        case Unavailable() if tool in TROUBLE:
            return f"I'm having trouble {TROUBLE[tool]}. Please try again."
        case _:
            return str(error)


def check_title(tool: Tool, arguments: Mapping[str, Any]) -> None:
    """A title has the same room in chat, whichever tool it is meant for; the todo tools look themselves."""
    title = arguments.get("title")
    if tool.name not in todo.CONTRACT.by_name and isinstance(title, str) and len(title.strip()) > TITLE_MOST:
        what, _, then = LONG_TITLE.partition(". ")
        raise Invalid(f"{what}.", hint=then)


def explain(error: Exception) -> Failure | None:
    """Why there is no answer; None for a bug of ours."""
    from pydantic_ai import exceptions as known

    if isinstance(error, Unavailable):
        return Failure("database", "I'm having trouble retrieving your tasks. Please try again.")
    kinds: tuple[tuple[type[Exception], Reason, str], ...] = (
        (known.RunTimedOut, "slow", SLOW),
        (known.ModelRequestTimeout, "slow", SLOW),
        (known.ModelTimeoutError, "slow", SLOW),
        (known.ModelQuotaExceededError, "quota", QUOTA),
        (known.ModelRateLimitError, "busy", BUSY),
        (known.ModelAuthenticationError, "key", KEY),
        (known.ModelNotFoundError, "model", UNKNOWN),
        (known.ModelContextWindowExceededError, "tokens", TOKENS),
        (known.ModelRequestRejectedError, "puzzled", PUZZLED),
        (known.ModelAPIError, "unreachable", AWAY),
        (known.UnexpectedModelBehavior, "puzzled", PUZZLED),
    )
    if isinstance(error, known.UsageLimitExceeded):
        tokens = "token" in str(error)
        return Failure("tokens", TOKENS) if tokens else Failure("rounds", ROUNDS)
    return next((Failure(reason, text) for kind, reason, text in kinds if isinstance(error, kind)), None)
