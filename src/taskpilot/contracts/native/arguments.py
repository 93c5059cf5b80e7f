"""What the native tools take. Schemas are kept small: a model pays for every byte of them in every conversation."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema, model_validator

from taskpilot.contracts.native.answers import COLUMNS
from taskpilot.domain.errors import Invalid
from taskpilot.domain.fields import TaskFields
from taskpilot.domain.selection import Selection, Sort
from taskpilot.domain.task import ID_MOST, Priority, Status, parse_id, parse_priority, parse_status
from taskpilot.toolkit import QUIET, Args
from taskpilot.toolkit.budget import Tokens

TaskId = Annotated[int, BeforeValidator(parse_id), WithJsonSchema({"type": "integer"})]
Number = Annotated[int, Field(ge=1, le=ID_MOST)]
Revision = Annotated[int, Field(ge=0, le=ID_MOST)]
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
# The same, without the list of names: another tool's schema has it already.
RankWord = Annotated[Priority, BeforeValidator(parse_priority), WithJsonSchema({"type": "string"})]
StatusWord = Annotated[Status, BeforeValidator(parse_status), WithJsonSchema({"type": "string"})]
When = Annotated[str, Field(max_length=100)]
BOUNDED = 2_000
"""Tokens for what grows with its owner's projects and tags, unless the caller says otherwise."""
Words = Annotated[list[str], WithJsonSchema({"type": "array", "items": {"type": "string"}})]
Ids = Annotated[list[TaskId], WithJsonSchema({"type": "array", "items": {"type": "integer"}})]


def _check_columns(names: list[str]) -> list[str]:
    unknown = next((name for name in names if name not in COLUMNS), None)
    if unknown is not None:
        raise Invalid(f"There is no field {unknown[:40]!r}.", hint=f"Fields: {', '.join(COLUMNS)}.")
    return list(dict.fromkeys(names))


Columns = Annotated[list[str], AfterValidator(_check_columns)]
Token = Number
Reason = Annotated[str, Field(json_schema_extra=QUIET)]
"""Every change takes one: the contract's instructions say so once."""
Seconds = Annotated[int, Field(ge=-ID_MOST, le=ID_MOST)]


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
    acceptance: Words | None = Field(None, json_schema_extra=QUIET)

    def fields(self) -> TaskFields:
        """Only what was given; the core checks the values."""
        given: Any = {name: getattr(self, name) for name in _FIELD_NAMES if name in self.model_fields_set}
        return given


class Update(Fields):
    task_id: TaskId
    title: str | None = None
    # As in task_create, whose schema tells more of them.
    priority: RankWord | None = Field(None, json_schema_extra=QUIET)
    tags: Words | None = Field(None, json_schema_extra=QUIET)
    project: str | None = Field(None, json_schema_extra=QUIET)
    parent: TaskId | None = Field(None, json_schema_extra=QUIET)
    blocked_by: Ids | None = Field(None, json_schema_extra=QUIET)
    due_date: When | None = Field(None, json_schema_extra=QUIET)
    clear: Words | None = Field(None, description="fields to empty")
    version: int | None = None
    claim: Token | None = None
    lease: Seconds | None = Field(None, json_schema_extra=QUIET)
    reason: Reason = ""

    @model_validator(mode="after")
    def leased(self) -> Self:
        if self.lease is not None and self.claim is None:
            raise ValueError("lease goes with claim")
        return self

    def changes(self) -> TaskFields:
        changes: Any = {**self.fields(), **dict.fromkeys(self.clear or ())}
        return changes


_FIELD_NAMES = ("title", *Fields.model_fields)


class One(Args):
    task_id: TaskId


class Get(One):
    fields: Columns | None = Field(None, json_schema_extra=QUIET)
    max_tokens: Tokens | None = Field(None, json_schema_extra=QUIET)


class Complete(One):
    reopen: bool = Field(False, description="true: take it up again")
    claim: Token | None = None
    reason: Reason = ""


class Delete(One):
    claim: Token | None = None
    reason: Reason = ""


PAGES = {"limit", "cursor", "fields"}
GOES_WITH = {
    "since": {"limit", "max_tokens"},
    "held": {"limit", "max_tokens"},
    "bin": {*PAGES, "max_tokens"},
    "history": {"limit", "cursor", "max_tokens", "task_id"},
}
"""What each kind of list that is not of open tasks takes besides; Markdown takes filters, and no pages."""


class Listing(Args):
    status: Annotated[list[StatusName], WithJsonSchema({"type": "array", "items": {"type": "string"}})] | None = None
    all: bool = Field(False, description="closed ones too")
    priority: RankWord | None = None
    project: str | None = None
    tag: str | None = None
    workspace: Number | None = Field(None, json_schema_extra=QUIET)
    parent: TaskId | None = Field(None, json_schema_extra=QUIET)
    due_before: When | None = None
    due_after: When | None = None
    ready: bool | None = Field(None, description="false: blocked ones")
    sort: Annotated[
        Sort, BeforeValidator(Sort), WithJsonSchema({"type": "string", "enum": [sort.value for sort in Sort]})
    ] = Sort.PRIORITY
    limit: int = Field(20, ge=1, le=200)
    cursor: str | None = None
    since: Revision | None = Field(None, description="a revision: what changed")
    max_tokens: Tokens | None = None
    fields: Columns | None = Field(None, json_schema_extra=QUIET)
    held: bool = Field(False, json_schema_extra=QUIET)
    bin: bool = Field(False, json_schema_extra=QUIET)
    markdown: bool = Field(False, json_schema_extra=QUIET)
    history: bool = Field(False, json_schema_extra=QUIET)
    task_id: TaskId | None = Field(None, json_schema_extra=QUIET)

    @model_validator(mode="after")
    def alone(self) -> Self:
        if self.task_id is not None and not self.history:
            raise ValueError("task_id goes with history; task_get shows one task")
        special = ["since"] if self.since is not None else list[str]()
        special += [name for name in ("held", "bin", "markdown", "history") if getattr(self, name)]
        if len(special) > 1:
            raise ValueError(f"{special[0]} and {special[1]} do not go together")
        asked = self._asked() - set(special)
        for name in special:
            refused = sorted(asked - GOES_WITH[name] if name in GOES_WITH else asked & PAGES)
            if refused:
                raise ValueError(f"{name} does not go with {refused[0]}")
        return self

    def _asked(self) -> set[str]:
        """What differs from saying nothing."""
        fields = type(self).model_fields
        return {name for name in self.model_fields_set if getattr(self, name) != fields[name].default}

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
    open: bool = False
    project: str | None = None
    limit: int = Field(10, ge=1, le=100)
    max_tokens: Tokens | None = Field(None, json_schema_extra=QUIET)


class Grouping(Args):
    group_by: Literal["project", "priority", "status"] | None = None
    groups: bool = Field(False, description="list projects, tags, workspaces, limits")
    max_tokens: Tokens = Field(BOUNDED, json_schema_extra=QUIET)


class Board(Args):
    project: str | None = None
    max_tokens: Tokens | None = Field(None, json_schema_extra=QUIET)


class Undo(Args):
    change: Number | None = None
    task_id: TaskId | None = None
    actor: str | None = None
    since: When | None = Field(None, description="ISO or 2 hours ago")
    origin: str | None = Field(None, json_schema_extra=QUIET)
    preview: bool = Field(False, json_schema_extra=QUIET)
    max_tokens: Tokens = Field(BOUNDED, json_schema_extra=QUIET)
    reason: Reason = ""

    @model_validator(mode="after")
    def one_way(self) -> Self:
        if self.origin is None and (self.actor is None) != (self.since is None):
            raise ValueError("actor and since go together")
        many = self.actor is not None or self.origin is not None
        if sum((self.change is not None, self.task_id is not None, many)) > 1:
            raise ValueError("give change, task_id, or actor with since, or origin")
        if self.preview and not many:
            raise ValueError("preview goes with actor and since, or origin")
        return self


class Group(Args):
    kind: Literal["project", "tag", "workspace", "agent"]
    name: str = Field(description="a workspace's folder")
    rename: str | None = None
    colour: str | None = Field(None, description="#rrggbb")
    description: str | None = None
    delete: bool = False
    wip: int | None = Field(None, json_schema_extra=QUIET)

    @model_validator(mode="after")
    def fits(self) -> Self:
        given = {name for name in ("rename", "colour", "description", "delete") if getattr(self, name)}
        given |= {"wip"} if self.wip is not None else set()
        allowed = {"project": given, "tag": {"rename", "delete"}, "workspace": {"wip"}, "agent": {"wip"}}[self.kind]
        if given - allowed:
            raise ValueError(f"a {self.kind} has no {', '.join(sorted(given - allowed))}")
        if self.kind == "tag" and len(given) != 1:
            raise ValueError("give a tag either rename or delete; to make one, put it on a task")
        if self.kind == "agent" and not given:
            raise ValueError("give an agent wip: how much it may hold at once; an empty name stands for each")
        if self.delete and self.wip is not None:
            raise ValueError("give either delete or wip")
        return self
