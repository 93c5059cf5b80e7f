"""A project: a name that tasks gather under."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from taskpilot.domain.errors import Invalid, NotFound

NAME_MOST = 100
DESCRIPTION_MOST = 10_000
DEFAULT_COLOUR = "#6b7280"
_COLOUR = re.compile(r"#[0-9a-f]{6}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    id: int
    owner: int
    name: str
    colour: str = DEFAULT_COLOUR
    description: str = ""
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None
    version: int = 1


def parse_colour(given: str) -> str:
    colour = given.strip().lower()
    if not _COLOUR.fullmatch(colour):
        raise Invalid(f"Colour cannot be {given!r}.", hint="Write it as #rrggbb.")
    return colour


def missing(name: object) -> NotFound:
    return NotFound(f"Project {name!r} not found.", hint="List projects to see their names.")
