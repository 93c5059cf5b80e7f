"""Finding tasks by words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from taskpilot.domain import text
from taskpilot.domain.operation import reads
from taskpilot.domain.selection import LIMIT_MOST, Selection, Sort, limit
from taskpilot.domain.task import Task
from taskpilot.store.work import Work

QUERY_MOST = 500
FOUND_MOST = 100
Place = Literal["title", "notes"]
PLACES: tuple[Place, ...] = ("title", "notes")


@dataclass(frozen=True, slots=True)
class Found:
    tasks: tuple[Task, ...]
    ranked: bool
    """False: the words are so common that the newest matches were given, not the best."""


@reads
def find(work: Work, query: str, *, selection: Selection | None = None, limit: int = 20) -> Found:
    """Tasks with all the words, or words beginning like them, in title, description or notes; best first."""
    words = text.line(query, "The query", QUERY_MOST)
    tasks, ranked = work.search.find(words, selection or Selection(closed=True), _limit(limit))
    return Found(tuple(tasks), ranked)


@reads
def find_parts(work: Work, query: str, *, places: tuple[Place, ...] = PLACES) -> list[Task]:
    """Tasks, done or not, that contain every word of the query, also inside a longer word; highest priority first."""
    words = text.line(query, "The query", QUERY_MOST).split()
    return work.search.scan(list(dict.fromkeys(words)), places, Sort.PRIORITY, LIMIT_MOST)


def _limit(given: int) -> int:
    return limit(given, FOUND_MOST)
