"""Which tasks a list shows, and in which order."""

from __future__ import annotations

from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from taskpilot.domain import text
from taskpilot.domain.moments import parse_iso
from taskpilot.domain.selection import LIMIT_MOST, Selection, Sort
from taskpilot.domain.task import TAG_MOST, Status, parse_id, parse_priority
from taskpilot.ops.search import QUERY_MOST
from taskpilot.ops.tasks import KEPT
from taskpilot.surfaces.rest.shapes import COARSE, CoarseStatus, State
from taskpilot.surfaces.rest.task_bodies import EXACT_MOST, NUMBER, ProjectName
from taskpilot.surfaces.rest.types import VISIBLE, When

SHOWN = 100
OPEN = tuple(status for status in Status if status.open)
SORTS = {
    "created": (Sort.OLDEST, False),
    "-created": (Sort.NEWEST, False),
    "updated": (Sort.UPDATED, True),
    "-updated": (Sort.UPDATED, False),
    "due": (Sort.DUE, False),
    "-due": (Sort.DUE, True),
    "priority": (Sort.PRIORITY, True),
    "-priority": (Sort.PRIORITY, False),
}
SortName = Literal["created", "-created", "updated", "-updated", "due", "-due", "priority", "-priority"]
PriorityText = Literal["someday", "low", "medium", "high", "critical", "urgent", "1", "2", "3", "4", "5"]


def read_flag(given: Any) -> Any:
    """A query says true or false, and nothing that would have to be guessed."""
    if isinstance(given, str):
        if given not in ("true", "false"):
            raise ValueError("say true or false")
        return given == "true"
    return given


Flag = Annotated[bool, BeforeValidator(read_flag)]
Word = Annotated[str, Field(min_length=1, max_length=TAG_MOST, pattern=VISIBLE)]
Words = Annotated[str, Field(min_length=1, max_length=QUERY_MOST, pattern=VISIBLE)]


class PageQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    limit: int = Field(SHOWN, ge=1, le=LIMIT_MOST)
    offset: int = Field(0, ge=0, le=EXACT_MOST, description="How many to skip.")
    cursor: str | None = Field(
        None,
        max_length=1_000,
        pattern="^[A-Za-z0-9_-]+$",
        description="The `next_cursor` of the page before, in the same order. It costs nothing, which skipping does.",
    )

    def place(self) -> dict[str, Any]:
        return {"limit": self.limit, "offset": self.offset, "cursor": self.cursor}


class TaskQuery(PageQuery):
    """Every condition must hold. Dropped tasks are shown when `state` asks for them."""

    status: list[CoarseStatus] | None = Field(None, max_length=4, description="One, or several of them.")
    state: list[State] | None = Field(None, max_length=7, description="The exact status: one, or several of them.")
    completed: Flag | None = None
    priority: PriorityText | None = None
    project_id: int | None = Field(None, ge=1, le=EXACT_MOST)
    project: ProjectName | None = Field(None, description="By name.")
    tag: Word | None = None
    workspace_id: int | None = Field(None, ge=1, le=EXACT_MOST)
    parent_id: str | None = Field(None, pattern=NUMBER, description="Subtasks of this task.", examples=["42", "TP-42"])
    due_before: When | None = None
    due_after: When | None = Field(None, description="Or due right then.")
    ready: Flag | None = Field(None, description="Open tasks that nothing blocks; false: those that something does.")
    q: Words | None = Field(None, description="Words in title, description or notes.")
    sort: SortName = Field("created", description="With - before it, the other way round. Undated tasks are due last.")

    def selection(self) -> Selection:
        statuses = self._statuses()
        return Selection(
            # The open ones need no list: they have an index of their own.
            statuses=() if statuses == OPEN else statuses,
            nothing=not statuses,
            priority=None if self.priority is None else parse_priority(self.priority),
            project=_clean(self.project),
            project_id=self.project_id,
            tag=_clean(self.tag),
            workspace=self.workspace_id,
            parent=None if self.parent_id is None else parse_id(self.parent_id),
            due_before=None if self.due_before is None else parse_iso(self.due_before),
            due_after=None if self.due_after is None else parse_iso(self.due_after),
            ready=self.ready,
            words=self.q,
        )

    def order(self) -> dict[str, Any]:
        sort, backwards = SORTS[self.sort]
        return {"sort": sort, "backwards": backwards}

    def _statuses(self) -> tuple[Status, ...]:
        asked = KEPT if self.ready is None else OPEN
        if self.state is not None:
            asked = tuple(status for status in Status if status.value in cast(list[str], self.state))
        if self.status is not None:
            asked = tuple(status for status in asked if COARSE[status] in self.status)
        if self.completed is not None:
            asked = tuple(status for status in asked if (status is Status.DONE) == self.completed)
        return asked


def _clean(given: str | None) -> str | None:
    return None if given is None else text.clean_line(given)
