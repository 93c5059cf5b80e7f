"""What can come of a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from taskpilot.agents.chat.rules.view import Wanted

READS = {"list_tasks", "task_list", "get_task", "task_get", "task_search", "task_stats", "task_next"}


@dataclass(frozen=True, slots=True)
class Calls:
    calls: tuple[Wanted, ...]

    @property
    def writes(self) -> bool:
        return any(call.tool not in READS for call in self.calls)


@dataclass(frozen=True, slots=True)
class Ask:
    """Something is missing or could be meant in two ways."""

    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """Nothing to do: help, small talk, or not understood."""

    text: str


@dataclass(frozen=True, slots=True)
class Confirm:
    """A plain yes or no to what is pending."""

    yes: bool


Understanding = Calls | Ask | Answer | Confirm


def call(tool: str, arguments: Mapping[str, Any] | None = None) -> Calls:
    return Calls((Wanted(tool, dict(arguments or {})),))


def call_each(tool: str, ids: tuple[int, ...], **arguments: Any) -> Calls:
    return Calls(tuple(Wanted(tool, {"task_id": number, **arguments}) for number in ids))
