"""Which task waits on which: a graph without cycles."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from taskpilot.domain.errors import Conflict

MOST_VISITED = 100_000


def forbid_cycle(task: int, wants: Iterable[int], next_of: Callable[[list[int]], Iterable[int]], verb: str) -> None:
    """Refuse links from `task` to `wants` if any of them already leads back to it.

    `next_of` gives the direct successors of many nodes at once, so that a deep
    graph costs one query a level, not one a node.
    """
    seen: set[int] = set()
    level = list(dict.fromkeys(wants))
    while level:
        if task in level:
            raise Conflict(
                f"Task {task} would {verb} itself, through a chain that leads back to it.",
                hint="Leave out one link of the circle.",
            )
        seen.update(level)
        if len(seen) > MOST_VISITED:
            raise Conflict("These links reach too many tasks to check.", hint="Link to fewer tasks.")
        level = [node for node in dict.fromkeys(next_of(level)) if node not in seen]
