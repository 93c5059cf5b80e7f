"""A question of a run to the person it works for: may it do this, and may it go on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from taskpilot.domain.errors import Conflict, NotFound, Unfit

TEXT_MOST = 2_000


class Asking(StrEnum):
    PERMISSION = "permission"  # the agent waits, and goes on with the answer
    CAP = "cap"  # the run has used up what it was given, and rests


@dataclass(frozen=True, slots=True)
class Option:
    id: str
    label: str
    kind: str = ""
    """As in ACP: allow_once, allow_always, reject_once, reject_always."""


ALLOW_ONCE = Option("allow_once", "Allow once", "allow_once")
ALLOW_ALWAYS = Option("allow_always", "Always allow", "allow_always")
DENY = Option("deny", "Deny", "reject_once")
PERMISSION = (ALLOW_ONCE, ALLOW_ALWAYS, DENY)
CONTINUE = Option("continue", "Go on")
STOP = Option("stop", "Stop here")
CAP = (CONTINUE, STOP)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    id: int
    owner: int
    task: int
    run: int
    asking: Asking
    text: str
    options: tuple[Option, ...]
    asked_at: datetime
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What it is about: the kind of permission, or the cap and what was used."""
    answer: str = ""
    answered_at: datetime | None = None
    answered_by: str = ""

    @property
    def open(self) -> bool:
        return self.answered_at is None

    def settle(self, answer: str, by: str, at: datetime) -> Question:
        """With its answer. Once."""
        if not self.open:
            raise Conflict(f"Question {self.id} was answered by {self.answered_by}: {self.answer}.", hint="Look again.")
        if answer not in {option.id for option in self.options}:
            choices = ", ".join(option.id for option in self.options)
            raise Unfit(f"{answer!r} is no answer to question {self.id}.", hint=f"Choose one of: {choices}.")
        return replace(self, answer=answer, answered_by=by, answered_at=at)

    def lapse(self, why: str, at: datetime) -> Question:
        """Nobody needs the answer any more."""
        return replace(self, answer="", answered_by=why, answered_at=at)


def missing(question_id: object) -> NotFound:
    return NotFound(f"Question {question_id} not found.", hint="List the questions to see which are open.")
