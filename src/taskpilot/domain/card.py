"""A card: as much of a task as a board shows of it."""

from __future__ import annotations

from typing import Any, TypedDict

from taskpilot.domain.task import Energy, Priority, Task

CARDS_MOST = 20_000
"""At once: more than anybody looks through, and still quick to draw."""
USUAL_PRIORITY = Priority.MEDIUM.value
USUAL_ENERGY = Energy.MEDIUM.value
USUAL_ESTIMATE: str = Task.__dataclass_fields__["time_estimate"].default
_WORDS = {priority.value: priority.word for priority in Priority}


class Plain(TypedDict):
    id: int
    title: str
    state: str
    created: str
    updated: str
    version: int


class Card(Plain, total=False):
    """What is usual or empty is left out; days and moments are texts, as `wire` has them.

    It is what goes over the wire, because twenty thousand may be made for one answer: nothing is made twice.
    """

    priority: str
    rank: float
    energy: str
    estimate: str
    project_id: int
    workspace_id: int
    parent_id: int
    tags: list[str]
    blocked_by: list[int]
    due: str
    start: str
    every: str
    files: int
    """How many are connected."""
    described: bool
    """It has a description or notes."""
    accept: bool
    """It has acceptance commands."""
    done: str


ALWAYS = ("id", "title", "state", "created", "updated", "version")
USUALLY = ("priority", "energy", "estimate", "described", "accept")
OTHERWISE = ("rank", "project_id", "workspace_id", "parent_id", "due", "start", "every", "files", "done")
COLUMNS = (*USUALLY, *ALWAYS, *OTHERWISE)
"""The order in which `write` takes what a table has of a task."""
FIRST = len(USUALLY)
_REST = (*ALWAYS, *OTHERWISE)


def write(columns: tuple[Any, ...], tags: list[str] | None, blockers: list[int] | None) -> Card:
    """A card of a row; what is NULL there is left out."""
    card: dict[str, Any] = {
        name: value for name, value in zip(_REST, columns[FIRST:], strict=True) if value is not None
    }
    priority, energy, estimate, described, accept = columns[:FIRST]
    if priority != USUAL_PRIORITY:
        card["priority"] = _WORDS[priority]
    if energy != USUAL_ENERGY:
        card["energy"] = energy
    if estimate != USUAL_ESTIMATE:
        card["estimate"] = estimate
    if described:
        card["described"] = True
    if accept:
        card["accept"] = True
    if tags:
        card["tags"] = tags if len(tags) == 1 else sorted(tags)
    if blockers:
        card["blocked_by"] = sorted(blockers)
    return card  # pyright: ignore[reportReturnType]
