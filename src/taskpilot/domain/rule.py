"""A rule: how work is done in a workspace, in a few words of its people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from taskpilot.domain import text
from taskpilot.domain.errors import Conflict, Invalid, NotFound

CONTENT_MOST = 10_000
RULES_MOST = 200
"""Rules in one workspace. More than that nobody keeps."""


class RuleKind(StrEnum):
    CODING = "coding"
    GIT = "git"
    TESTING = "testing"
    SECURITY = "security"
    PERFORMANCE = "performance"
    CUSTOM = "custom"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    id: int
    owner: int
    workspace: int
    kind: RuleKind
    content: str
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None
    version: int = 1

    def says(self, content: str) -> bool:
        """Whether this is the rule somebody means by these words: all of them, or its first line."""
        given = text.clean_line(content).casefold()
        return given in (text.clean_line(self.content).casefold(), text.clean_line(self.headline).casefold())

    @property
    def headline(self) -> str:
        return self.content.partition("\n")[0]


_DEFAULTS = {
    RuleKind.CODING: "Write for the next reader: clear names, small functions, no dead code. Follow what is there.",
    RuleKind.GIT: "One change, one commit, with a message that says why. Work on a branch; keep the main one green.",
    RuleKind.TESTING: "A change comes with a test that fails without it. Run the tests before calling a task done.",
    RuleKind.SECURITY: "Check what comes from outside. Keep passwords, tokens and keys out of the code and the logs.",
    RuleKind.PERFORMANCE: "Measure before and after. Prefer the simple way until a figure says it is too slow.",
}


def defaults(tech_stack: str = "") -> Iterator[tuple[RuleKind, str]]:
    """What a new workspace begins with, for its people to change."""
    for kind, content in _DEFAULTS.items():
        stack = f"\nThe stack is: {text.clean_line(tech_stack)}. Keep to its idioms and its tools."
        yield kind, content + (stack if kind is RuleKind.CODING and tech_stack else "")


def parse_kind(given: str) -> RuleKind:
    try:
        return RuleKind(given.strip().lower())
    except ValueError:
        raise Invalid(f"There is no rule type {given!r}.", hint=f"Choose one of: {', '.join(RuleKind)}.") from None


def parse_content(given: str) -> str:
    content = text.prose(given, "A rule", CONTENT_MOST)
    if not content:
        raise Invalid("A rule cannot be empty.", hint="Say what it asks for.")
    return content


def missing(kind: RuleKind, rules: list[Rule]) -> NotFound:
    named = "; ".join(text.shorten(rule.headline, 60) for rule in rules[:10])
    return NotFound(
        f"There is no {kind.value} rule with these words.",
        hint=f"There are: {named}" if named else f"There is no {kind.value} rule at all.",
    )


def unknown(rule_id: int) -> NotFound:
    return NotFound(f"Rule {rule_id} not found.", hint="List the workspace's rules to see what there is.")


def too_many() -> Conflict:
    return Conflict(f"A workspace has at most {RULES_MOST} rules.", hint="Remove some, or update one to say more.")
