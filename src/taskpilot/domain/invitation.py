"""An invitation: lets one person make an account where not everyone may."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

DAYS_USUAL = 7
DAYS_MOST = 365


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """Its code is shown once, when it is made; the store keeps only a hash."""

    id: int
    owner: int
    """Who invites."""
    created_at: datetime
    expires_at: datetime
    email: str = ""
    """Whom; empty: whoever has the code."""
    used_at: datetime | None = None

    def admits(self, email: str, now: datetime) -> bool:
        return self.used_at is None and now < self.expires_at and self.email in ("", email)
