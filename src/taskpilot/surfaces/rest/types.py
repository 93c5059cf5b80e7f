"""The values that requests carry, described once: what the API's description promises is what is accepted."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Header, Path
from pydantic import BaseModel, ConfigDict, StringConstraints

from taskpilot.domain.task import ID_MOST

VISIBLE = (
    "[!-~\u00a1-\u00ac\u00ae-\u167f\u1681-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\ud7ff"
    "\uf900-\ufdcf\ufdf0-\ufefe\uff00-\uffef\U0001f000-\U0001faff\U00020000-\U0003fffd]"
)
"""At least one character that a person can see: text of blanks and hidden characters would be empty once cleaned."""


class Body(BaseModel):
    """What a request carries: unknown names are refused, and "5" is not 5."""

    model_config = ConfigDict(extra="forbid", strict=True)


def Line(most: int) -> Any:  # noqa: N802  it stands where a type stands
    """One line of text with something in it."""
    return Annotated[str, StringConstraints(min_length=1, max_length=most, pattern=VISIBLE)]


def Prose(most: int) -> Any:  # noqa: N802
    """Long text, which may be empty."""
    return Annotated[str, StringConstraints(max_length=most)]


Number = Annotated[int, Path(ge=1, le=ID_MOST)]
"""The id of a thing in a path."""
TaskId = Annotated[str, Path(pattern=r"^(TP-)?0{0,6}[1-9][0-9]{0,17}$", examples=["42", "TP-42"])]
"""The id of a task in a path: 42 or TP-42."""
IfMatch = Annotated[
    str | None,
    Header(
        alias="If-Match",
        pattern=r'^(\*|(W/)?"[0-9]{1,17}")$',
        description="The ETag of what you have seen: a change made on an old view is refused with 409.",
    ),
]
IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=200,
        pattern=r"^[!-~]+$",
        description="Any text of your own: repeated with the same key, a create answers the same and makes nothing.",
    ),
]
