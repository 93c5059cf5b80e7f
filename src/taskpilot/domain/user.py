"""A user: everyone who owns tasks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

NAMED_ID_MOST = 2**31 - 1
"""The largest id a caller may name; generated ids continue above every id in use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    id: int
    uuid: str
    handle: str
    created_at: datetime
