"""Words that mean several values at once, as coarser vocabularies have them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from taskpilot.domain.errors import Conflict


@dataclass(frozen=True, slots=True)
class OneOf:
    """Any of these; the first, where nothing else is known."""

    values: tuple[Any, ...]

    def settle(self, current: Any) -> Any:
        """What to write: a value that is read as this very word stays as it is."""
        return current if current in self.values else self.values[0]


@dataclass(frozen=True, slots=True)
class AllOf:
    """Several words for one value. One that says what is so already asks for nothing; the others must agree."""

    words: tuple[OneOf, ...]

    def settle(self, current: Any, preferred: Any = None) -> Any:
        """What to write; of several values that would do, the preferred one."""
        asked = [word for word in self.words if current not in word.values]
        if not asked:
            return current
        fit = [value for value in asked[0].values if all(value in word.values for word in asked)]
        if not fit:
            raise Conflict("The values given contradict each other.", hint="Say it once.")
        return preferred if preferred in fit else fit[0]
