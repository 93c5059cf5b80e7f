"""The values that requests carry, described once: what the API's description promises is what is accepted."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Header, Path
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from taskpilot.domain.task import ID_MOST
from taskpilot.domain.user import EMAIL, PASSWORD_LEAST, PASSWORD_MOST, ZONE

HIDDEN = (
    r"\x00-\x20\x7f-\xa0\xad\u1680\u2000-\u200c\u200e\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f"
)
"""Blanks, and what cleaning takes away."""
VISIBLE = f"[^{HIDDEN}]"
"""At least one character that a person can see: text of blanks and hidden characters would be empty once cleaned."""

_MONTH_AND_DAY = "(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8])"
_LEAP_YEAR = "([12][0-9](0[48]|[2468][048]|[13579][26])|(12|16|20|24|28)00)"
_DAY = f"([12][0-9]{{3}}-({_MONTH_AND_DAY})|{_LEAP_YEAR}-02-29)"
_TIME = "T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,6})?)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])?"
"""Down to the leap years, so that whatever fits the description is a date. Without an offset it is UTC."""

Zone = Annotated[str, StringConstraints(pattern=f"^{ZONE}$"), Field(examples=["Europe/Berlin"])]
DayZone = Annotated[Zone, Field(description="The time zone in which days begin, by its IANA name.")]


class Body(BaseModel):
    """What a request carries: unknown names are refused, and "5" is not 5."""

    model_config = ConfigDict(extra="forbid", strict=True)


def read_whole(given: Any) -> Any:
    """JSON knows no difference between 7 and 7.0."""
    return int(given) if isinstance(given, float) and given.is_integer() else given


def Line(most: int) -> Any:
    """One line of text with something in it."""
    return Annotated[str, StringConstraints(min_length=1, max_length=most, pattern=VISIBLE)]


def Prose(most: int) -> Any:
    """Long text, which may be empty."""
    return Annotated[str, StringConstraints(max_length=most)]


Day = Annotated[str, Field(pattern=f"^{_DAY}$", examples=["2026-01-22"])]
Moment = Annotated[str, Field(pattern=f"^{_DAY}{_TIME}$", examples=["2026-01-22T10:30:00Z"])]
When = Annotated[str, Field(pattern=f"^{_DAY}({_TIME})?$", examples=["2026-01-22", "2026-01-22T10:30:00Z"])]
"""A day, or a moment of it."""
Colour = Annotated[str, Field(pattern="^#[0-9a-fA-F]{6}$", examples=["#3452db"])]
Email = Annotated[str, Field(pattern=f"^{EMAIL}$", examples=["ann@example.com"])]
"""Upper and lower case are the same."""
Password = Annotated[str, Field(min_length=PASSWORD_LEAST, max_length=PASSWORD_MOST)]
Number = Annotated[int, Path(ge=1, le=ID_MOST)]
"""The id of a thing in a path."""
TaskId = Annotated[str, Path(pattern=r"^(TP-)?0{0,6}[1-9][0-9]{0,17}$", examples=["42", "TP-42"])]
"""The id of a task in a path: 42 or TP-42."""
IfMatch = Annotated[
    str | None,
    Header(
        alias="If-Match",
        pattern=r'^(\*|(W/)?"[0-9]{1,17}"|[0-9]{1,17})$',
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
