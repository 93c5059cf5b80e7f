"""An order in which each comes after all that it needs."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from collections.abc import Set as AbstractSet


class Circle(Exception):
    """Each of these places needs the next, and the last the first."""

    def __init__(self, places: list[int]) -> None:
        super().__init__(places)
        self.places = places


def arrange(needs: Sequence[AbstractSet[int]]) -> list[int]:
    """The places of `needs`: as they are where that is possible, later where one needs another; else Circle."""
    waiting = [len(each) for each in needs]
    freed: list[list[int]] = [[] for _ in needs]
    for place, each in enumerate(needs):
        for other in each:
            freed[other].append(place)
    ready = [place for place, count in enumerate(waiting) if not count]
    found: list[int] = []
    while ready:
        place = heapq.heappop(ready)
        found.append(place)
        for other in freed[place]:
            waiting[other] -= 1
            if not waiting[other]:
                heapq.heappush(ready, other)
    if len(found) < len(needs):
        raise Circle(_find_circle(needs, found))
    return found


def _find_circle(needs: Sequence[AbstractSet[int]], found: list[int]) -> list[int]:
    """Whoever was not reached needs another that was not: going on from there leads round."""
    stuck = set(range(len(needs))) - set(found)
    way: dict[int, int] = {}
    place = min(stuck)
    while place not in way:
        way[place] = len(way)
        place = min(needs[place] & stuck)
    return list(way)[way[place] :]
