"""What the native tools take. Schemas are kept small: a model pays for every byte of them in every conversation."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from taskpilot.domain.fields import TaskFields
from taskpilot.domain.selection import Selection, Sort
from taskpilot.domain.task import ID_MOST, Priority, Status, parse_id, parse_priority, parse_status
from taskpilot.toolkit import QUIET, Args

TaskId = Annotated[int, BeforeValidator(parse_id), WithJsonSchema({"type": "integer"})]
Number = Annotated[int, Field(ge=1, le=ID_MOST)]
Rank = Annotated[
    Priority,
    BeforeValidator(parse_priority),
    WithJsonSchema({"type": "string", "enum": [priority.word for priority in Priority]}),
]
StatusName = Annotated[
    Status,
    BeforeValidator(parse_status),
    WithJsonSchema({"type": "string", "enum": [status.value for status in Status]}),
]
When = Annotated[str, Field(max_length=100)]
Words = Annotated[list[str], WithJsonSchema({"type": "array", "items": {"type": "string"}})]
Ids = Annotated[list[TaskId], WithJsonSchema({"type": "array", "items": {"type": "integer"}})]


class Fields(Args):
    """What can be said about a task, at its creation or later."""

    description: str | None = None
    status: StatusName | None = None
    priority: Rank | None = None
    project: str | None = None
    tags: Words | None = None
    parent: TaskId | None = None
    blocked_by: Ids | None = None
    due_date: When | None = Field(None, description="ISO or words: fri 5pm")
    # Named in task_create's description; a schema for each would cost more than it tells.
    notes: str | None = Field(None, json_schema_extra=QUIET)
    progress: int | None = Field(None, json_schema_extra=QUIET)
    energy: str | None = Field(None, json_schema_extra=QUIET)
    time_estimate: str | None = Field(None, json_schema_extra=QUIET)
    workspace: str | None = Field(None, json_schema_extra=QUIET)
    connected_files: Words | None = Field(None, json_schema_extra=QUIET)
    scheduled_start: When | None = Field(None, json_schema_extra=QUIET)
    remind_at: When | None = Field(None, json_schema_extra=QUIET)
    recurrence: str | None = Field(None, json_schema_extra=QUIET)

    def fields(self) -> TaskFields:
        """Only what was given; the core checks the values."""
        given: Any = {name: getattr(self, name) for name in _FIELD_NAMES if name in self.model_fields_set}
        return given


class Draft(Fields):
    title: str


class Create(Fields):
    title: str | None = None
    tasks: Annotated[list[Draft], WithJsonSchema({"type": "array", "items": {"type": "object"}})] | None = Field(
        None, description="many at once, same fields"
    )
    key: str | None = Field(None, description="idempotency key")

    @model_validator(mode="after")
    def either(self) -> Self:
        if (self.title is None) == (self.tasks is None):
            raise ValueError("give either title, or tasks")
        if self.tasks is not None and self.model_fields_set - {"tasks", "key"}:
            raise ValueError("with tasks, the fields go inside each of them")
        return self

    def drafts(self) -> list[TaskFields]:
        return [draft.fields() for draft in self.tasks] if self.tasks is not None else [self.fields()]


class Update(Fields):
    task_id: TaskId
    title: str | None = None
    clear: Words | None = Field(None, description="fields to empty")
    version: int | None = Field(None, description="refuse if it changed since")
    reason: str = ""

    def changes(self) -> TaskFields:
        changes: Any = {**self.fields(), **dict.fromkeys(self.clear or ())}
        return changes


_FIELD_NAMES = ("title", *Fields.model_fields)


class One(Args):
    task_id: TaskId


class Complete(One):
    reopen: bool = Field(False, description="true: take it up again")
    reason: str = ""


class Delete(One):
    reason: str = ""


class Listing(Args):
    status: Annotated[list[StatusName], WithJsonSchema({"type": "array", "items": {"type": "string"}})] | None = None
    all: bool = Field(False, description="closed ones too")
    priority: Rank | None = None
    project: str | None = None
    tag: str | None = None
    workspace: Number | None = None
    parent: TaskId | None = None
    due_before: When | None = None
    due_after: When | None = None
    ready: bool | None = Field(None, description="false: blocked ones")
    sort: Annotated[
        Sort, BeforeValidator(Sort), WithJsonSchema({"type": "string", "enum": [sort.value for sort in Sort]})
    ] = Sort.PRIORITY
    limit: int = Field(20, ge=1, le=200)
    cursor: str | None = None

    def selection(self, due_before: Any, due_after: Any) -> Selection:
        return Selection(
            statuses=tuple(self.status or ()),
            closed=self.all,
            priority=self.priority,
            project=self.project,
            tag=self.tag,
            workspace=self.workspace,
            parent=self.parent,
            due_before=due_before,
            due_after=due_after,
            ready=self.ready,
        )


class Query(Args):
    query: str
    open: bool = Field(False, description="open ones only")
    project: str | None = None
    limit: int = Field(10, ge=1, le=100)


class Grouping(Args):
    group_by: Literal["project", "priority", "status"] | None = None


class Wanted(Args):
    project: str | None = None
    tag: str | None = None
    workspace: Number | None = None


class Board(Args):
    project: str | None = None


class History(Args):
    task_id: TaskId | None = None
    limit: int = Field(10, ge=1, le=200)
    cursor: str | None = None


class Undo(Args):
    change: Number | None = None
    task_id: TaskId | None = None
    actor: str | None = Field(None, description="all they did")
    since: When | None = Field(None, description="with actor: ISO or 2 hours ago")
    reason: str = ""

    @model_validator(mode="after")
    def one_way(self) -> Self:
        if (self.actor is None) != (self.since is None):
            raise ValueError("actor and since go together")
        if sum(given is not None for given in (self.change, self.task_id, self.actor)) > 1:
            raise ValueError("give change, task_id, or actor with since")
        return self


class Nothing(Args):
    pass


class Group(Args):
    kind: Literal["project", "tag", "workspace"]
    name: str = Field(description="a workspace's folder")
    rename: str | None = None
    colour: str | None = Field(None, description="#rrggbb")
    description: str | None = None
    delete: bool = False

    @model_validator(mode="after")
    def fits(self) -> Self:
        given = {name for name in ("rename", "colour", "description", "delete") if getattr(self, name)}
        allowed = {"project": given, "tag": {"rename", "delete"}, "workspace": set[str]()}[self.kind]
        if given - allowed:
            raise ValueError(f"a {self.kind} has no {', '.join(sorted(given - allowed))}")
        if self.kind == "tag" and len(given) != 1:
            raise ValueError("give a tag either rename or delete; to make one, put it on a task")
        return self
