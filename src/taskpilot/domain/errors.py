"""Every way a request can fail that is not a bug.

    TaskPilotError
    ├── Invalid            the values given cannot be accepted
    │   └── Unfit          good values, but not for what is there now
    ├── NotFound           no such thing, or not yours to see
    ├── Conflict           the values are fine; the current state forbids them
    ├── Forbidden          this caller may not do this
    │   └── OutOfScope     the credential does not reach this far
    ├── Unauthenticated    who asks is not known, or no longer
    └── Unavailable        try again: database locked, damaged or away
        ├── TooOften       wait a while before the next try
        ├── DiskFull       nothing more can be stored
        └── InDoubt        the database went away while it was saving

An error says what happened, then what to do next. It knows nothing of HTTP,
JSON-RPC or exit codes: each surface maps `kind` once.
"""

from __future__ import annotations

from typing import ClassVar, Literal

Kind = Literal["invalid", "not_found", "conflict", "forbidden", "unauthenticated", "unavailable"]


class TaskPilotError(Exception):
    """A failure the caller can act on."""

    kind: ClassVar[Kind]

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class Invalid(TaskPilotError):
    kind = "invalid"


class Unfit(Invalid):
    pass


class NotFound(TaskPilotError):
    kind = "not_found"


class Conflict(TaskPilotError):
    kind = "conflict"


class Forbidden(TaskPilotError):
    kind = "forbidden"


class OutOfScope(Forbidden):
    """Known everywhere as `insufficient_scope`."""

    def __init__(self, scope: str) -> None:
        what = "This needs you to be signed in; a token is not enough." if scope == "account" else ""
        super().__init__(
            what or f"insufficient_scope: this needs the scope {scope}.",
            hint="Sign in and repeat." if what else "Use a token that has it.",
        )
        self.scope = scope


class Unauthenticated(TaskPilotError):
    kind = "unauthenticated"


class Unavailable(TaskPilotError):
    kind = "unavailable"


class TooOften(Unavailable):
    def __init__(self, message: str, *, hint: str = "", wait: int) -> None:
        super().__init__(message, hint=hint)
        self.wait = wait
        """Seconds."""


class DiskFull(Unavailable):
    pass


class InDoubt(Unavailable):
    pass
