"""What can be said about a task, at its creation or later."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Header
from pydantic import BeforeValidator, ConfigDict, Field, PlainValidator, WithJsonSchema

from taskpilot.domain.choices import AllOf, OneOf
from taskpilot.domain.fields import REFERENCE_MOST, TaskFields
from taskpilot.domain.moments import parse_iso
from taskpilot.domain.task import (
    COMMAND_MOST,
    ESTIMATE_MOST,
    LIST_MOST,
    PATH_MOST,
    PROJECT_MOST,
    PROSE_MOST,
    RANK_MOST,
    TAG_MOST,
    TITLE_MOST,
    Priority,
    Status,
    parse_id,
    parse_priority,
)
from taskpilot.surfaces.rest.shapes import COARSE, CoarseStatus, EnergyName, State
from taskpilot.surfaces.rest.types import HIDDEN, VISIBLE, Body, When, read_whole

_NAME = rf"\.?[^./:\\{HIDDEN}][^/:\\{HIDDEN.replace('x20', 'x1f')}]*"
_PATH = f"^{_NAME}(/{_NAME})*/?$"
"""Inside the workspace: no root, no drive, no way up."""
_TAG = f"^#?[^#+{HIDDEN}]"

_QUOTED = rf"""'[^']*'|"([^"\\]|\\[^{HIDDEN}])*"|\\[^{HIDDEN}]"""
_WORD = rf"""[^'"\\{HIDDEN}]|{_QUOTED}"""
_COMMAND = f"^[{HIDDEN}]*({_WORD})([{HIDDEN}]|{_WORD})*$"
"""A program and its arguments: every quote is closed, and nothing is escaped that cleaning takes away."""

_DAY_NAME = "(MO|TU|WE|TH|FR|SA|SU)"
_PART = (
    "INTERVAL=[1-9][0-9]{0,2}",
    f"BYDAY=([+-]?[1-5])?{_DAY_NAME}(,([+-]?[1-5])?{_DAY_NAME})*",
    "BYMONTHDAY=-?([1-9]|[12][0-9]|3[01])(,-?([1-9]|[12][0-9]|3[01]))*",
    "BYMONTH=([1-9]|1[0-2])(,([1-9]|1[0-2]))*",
    "BYSETPOS=-?[1-9][0-9]?(,-?[1-9][0-9]?)*",
    f"WKST={_DAY_NAME}",
)
_HOUR = "BYHOUR=(1?[0-9]|2[0-3])(,(1?[0-9]|2[0-3]))*"
_LAST_DAY = "[12][0-9]{3}(0[1-9]|1[0-2])(0[1-9]|1[0-9]|2[0-8])(T([01][0-9]|2[0-3])([0-5][0-9]){2}Z?)?"
_END = f"(;COUNT=[1-9][0-9]{{0,2}}|;UNTIL={_LAST_DAY})?"


def _write_rule(frequency: str, *parts: str) -> str:
    said = f"(;({'|'.join(parts)}))*"
    return f"FREQ={frequency}{said}{_END}{said}"


_RULE = f"^((RRULE:)?({_write_rule('HOURLY', *_PART)}|{_write_rule('(DAILY|WEEKLY|MONTHLY|YEARLY)', *_PART, _HOUR)}))?$"

STATUSES: dict[CoarseStatus, OneOf] = {
    word: OneOf(tuple(sorted((status for status in Status if COARSE[status] == word), key=lambda s: s != word)))
    for word in COARSE.values()
}
"""Each word with the states that are read as it, its own first."""
COMPLETED = {
    True: OneOf((Status.DONE,)),
    False: OneOf(tuple(status for status in Status if status is not Status.DONE)),
}
RENAMED = {"workspace_id": "workspace", "parent_id": "parent"}
DATES = ("due_date", "scheduled_start", "remind_at")

NUMBER = "^(TP-)?0{0,6}[1-9][0-9]{0,17}$"
PRIORITIES = (*(priority.word for priority in Priority), "urgent")
EXACT_MOST = 2**53 - 1
"""The largest number that JSON carries exactly everywhere, and so does a description of it."""


def read_number(given: Any) -> int:
    number = read_whole(given)
    if isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= EXACT_MOST:
        return number
    if isinstance(given, str) and re.fullmatch(NUMBER, given):
        return parse_id(given)
    raise ValueError("an id looks like 42 or TP-42")


def read_priority(given: Any) -> Priority:
    number = read_whole(given)
    if given in PRIORITIES if isinstance(given, str) else type(number) is int and 1 <= number <= 5:
        return parse_priority(number)
    raise ValueError(f"choose {', '.join(PRIORITIES)}, or 1 to 5")


Id = Annotated[int, Field(ge=1, le=EXACT_MOST), BeforeValidator(read_whole)]
Percent = Annotated[int, Field(ge=0, le=100), BeforeValidator(read_whole)]
TaskNumber = Annotated[
    int,
    PlainValidator(read_number),
    WithJsonSchema(
        {
            "anyOf": [{"type": "integer", "minimum": 1, "maximum": EXACT_MOST}, {"type": "string", "pattern": NUMBER}],
            "examples": [42, "TP-42"],
        }
    ),
]
Title = Annotated[str, Field(min_length=1, max_length=TITLE_MOST, pattern=VISIBLE)]
Text = Annotated[str, Field(max_length=PROSE_MOST)]
Estimate = Annotated[str, Field(max_length=ESTIMATE_MOST)]
ReferenceText = Annotated[str, Field(max_length=REFERENCE_MOST)]
ProjectName = Annotated[str, Field(min_length=1, max_length=PROJECT_MOST, pattern=VISIBLE)]
TagName = Annotated[str, Field(min_length=1, max_length=TAG_MOST, pattern=_TAG)]
FilePath = Annotated[str, Field(min_length=1, max_length=PATH_MOST, pattern=_PATH)]
Command = Annotated[str, Field(min_length=1, max_length=COMMAND_MOST, pattern=_COMMAND, examples=["make test"])]
"""A program and its arguments, quoted as in a shell, though none ever reads it."""
Rule = Annotated[str, Field(max_length=500, pattern=_RULE, examples=["FREQ=WEEKLY;BYDAY=MO"])]
Rank = Annotated[float, Field(ge=-RANK_MOST, le=RANK_MOST, allow_inf_nan=False)]
PriorityWord = Annotated[
    Priority,
    PlainValidator(read_priority),
    WithJsonSchema(
        {"anyOf": [{"type": "string", "enum": [*PRIORITIES]}, {"type": "integer", "minimum": 1, "maximum": 5}]}
    ),
]

ClaimToken = Annotated[
    str | None,
    Header(
        alias="Claim-Token",
        pattern="^[1-9][0-9]{0,17}$",
        description="The token of your claim: a change is refused with 409 unless it holds, and renews it if it does.",
    ),
]


def read_token(given: str | None) -> int | None:
    return None if given is None else int(given)


def hide_defaults(schema: dict[str, Any]) -> None:
    """What is not given is not changed: there is nothing to say about defaults."""
    for said in schema["properties"].values():
        said.pop("default", None)


def _ask_for_one(schema: dict[str, Any]) -> None:
    hide_defaults(schema)
    schema["minProperties"] = 1


class ReferenceBody(Body):
    """The same task in another system."""

    system: ReferenceText
    key: ReferenceText
    url: ReferenceText


class SaidOfTask(Body):
    model_config = ConfigDict(json_schema_extra=hide_defaults)

    description: Text | None = None
    notes: Text | None = None
    completed: bool = False
    is_complete: bool = Field(False, description="The same as `completed`.")
    status: CoarseStatus = Field(
        "todo", description="A task whose `state` is read as this word already stays as it is."
    )
    state: State = Field("todo", description="The exact status.")
    priority: PriorityWord = Priority.MEDIUM
    progress: Percent = 0
    energy: EnergyName = "medium"
    time_estimate: Estimate | None = None
    project_id: Id | None = None
    project: ProjectName | None = Field(None, description="By name; made on first use.")
    workspace_id: Id | None = None
    blocked_by: list[TaskNumber] = Field(default_factory=list[TaskNumber], max_length=LIST_MOST)
    tags: list[TagName] = Field(default_factory=list[str], max_length=LIST_MOST)
    connected_files: list[FilePath] = Field(default_factory=list[str], max_length=LIST_MOST)
    external_refs: list[ReferenceBody] = Field(default_factory=list[ReferenceBody], max_length=LIST_MOST)
    acceptance: list[Command] = Field(
        default_factory=list[str],
        max_length=LIST_MOST,
        description="Commands that must succeed before it counts as done, where an agent says that it is.",
    )
    due_date: When | None = None
    scheduled_start: When | None = None
    remind_at: When | None = None
    recurrence: Rule | None = Field(None, description="An RFC 5545 rule; empty for none.")
    rank: Rank | None = Field(
        None, description="Where it stands among the others, lowest first; null: where its id puts it."
    )

    def fields(self) -> TaskFields:
        """What was given, in the core's words."""
        given: dict[str, Any] = {
            RENAMED.get(name, name): getattr(self, name) for name in self.model_fields_set if name not in SAID_TWICE
        }
        said = [meant(getattr(self, name)) for name, meant in SAID_TWICE.items() if name in self.model_fields_set]
        if said:
            given["status"] = AllOf(tuple(said))
        for name in DATES:
            if given.get(name) is not None:
                given[name] = parse_iso(given[name])
        if "external_refs" in given:
            given["external_refs"] = [(each.system, each.key, each.url) for each in self.external_refs]
        return given  # pyright: ignore[reportReturnType]


SAID_TWICE: dict[str, Callable[[Any], OneOf]] = {
    "state": lambda word: OneOf((Status(word),)),
    "status": STATUSES.__getitem__,
    "completed": COMPLETED.__getitem__,
    "is_complete": COMPLETED.__getitem__,
}
"""Four ways to say where a task stands."""


class NewSubtask(SaidOfTask):
    title: Title


class NewTask(NewSubtask):
    parent_id: TaskNumber | None = None


class TaskChanges(SaidOfTask):
    """Only what is to change. Null empties a field."""

    model_config = ConfigDict(json_schema_extra=_ask_for_one)

    title: Title = ""
    parent_id: TaskNumber | None = None
