"""Words that mean several values at once, as coarser vocabularies have them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class OneOf:
    """Any of these; the first, where nothing else is known."""

    values: tuple[Any, ...]

    def settle(self, current: Any) -> Any:
        """What to write: a value that is read as this very word stays as it is."""
        return current if current in self.values else self.values[0]
