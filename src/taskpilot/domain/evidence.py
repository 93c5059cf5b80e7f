"""What came of a command that a task's acceptance asks for, as TaskPilot itself saw it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from taskpilot.domain import text

TAIL_MOST = 4_000
COMMAND_SHOWN = 60
TOLD_MOST = 3
"""Commands that are named where it is said that something is still to be proved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    id: int
    owner: int
    task: int
    run: int
    command: str
    exit_code: int
    head: str
    """The commit it was run on."""
    digest: str
    """SHA-256 of all it printed."""
    tail: str
    """The end of what it printed."""
    seconds: float
    at: datetime

    @property
    def passed(self) -> bool:
        return self.exit_code == 0

    def is_stale(self, head: str) -> bool:
        """Whether there is a later commit than the one it speaks of."""
        return self.head != head


@dataclass(frozen=True, slots=True)
class Proof:
    commands: tuple[str, ...]
    found: tuple[Evidence, ...]
    """The latest of each command, in the order of the commands."""
    head: str
    """The last commit there is: what was seen on an earlier one is stale."""

    @property
    def checks(self) -> tuple[tuple[str, Evidence | None], ...]:
        """Each command, and what came of it last; None if it has not been run."""
        found = {each.command: each for each in self.found}
        return tuple((command, found.get(command)) for command in self.commands)

    @property
    def accepted(self) -> bool:
        """Whether every command has succeeded on the last commit, the last time it was run."""
        return not self.unproved

    @property
    def unproved(self) -> tuple[str, ...]:
        passed = {each.command for each in self.found if each.passed and not each.is_stale(self.head)}
        return tuple(command for command in self.commands if command not in passed)

    def tell(self) -> str:
        """Why it does not count as done yet, in one line; empty if it does."""
        left = self.unproved
        if not left:
            return ""
        named = ", ".join(text.shorten(command, COMMAND_SHOWN) for command in left[:TOLD_MOST])
        more = f" and {len(left) - TOLD_MOST} more" if len(left) > TOLD_MOST else ""
        return f"In review until its acceptance commands pass: {named}{more}."


def prove(commands: Sequence[str], found: Iterable[Evidence], head: str) -> Proof:
    """How things stand, from what was found, in any order."""
    latest = {each.command: each for each in sorted(found, key=lambda each: each.id)}
    return Proof(tuple(commands), tuple(latest[command] for command in commands if command in latest), head)
