"""What the eight tools take, and the words for what they do not. Every broken argument is named in one message."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import PlainValidator, ValidationError

from taskpilot.domain import text
from taskpilot.domain.errors import Invalid
from taskpilot.domain.fields import TaskFields
from taskpilot.domain.selection import LIMIT_MOST, Selection
from taskpilot.domain.task import (
    ESTIMATE_MOST,
    PROJECT_MOST,
    PROSE_MOST,
    TITLE_MOST,
    Energy,
    Priority,
)
from taskpilot.ops.search import PLACES, QUERY_MOST, Place
from taskpilot.ops.tasks import KEPT
from taskpilot.toolkit import Args

NAME_MOST = 40


def line(name: str, most: int, least: int = 0) -> PlainValidator:
    return PlainValidator(lambda given: _fit(text.clean_line(_text(given, name)), name, most, least))


def prose(name: str, most: int) -> PlainValidator:
    return PlainValidator(lambda given: _fit(text.clean(_text(given, name)), name, most, 0))


def whole(name: str, least: int | None = None, most: int | None = None) -> PlainValidator:
    def check(given: Any) -> int:
        number = _whole(given, name)
        if least is not None and most is not None and not least <= number <= most:
            raise ValueError(f"{name} must be between {least} and {most}")
        if least is not None and number < least:
            raise ValueError(f"{name} must be {least} or more")
        return number

    return PlainValidator(check)


def choice(name: str, *words: str) -> PlainValidator:
    def check(given: Any) -> str:
        if _text(given, name) not in words:
            raise ValueError(f"{name} must be one of: {', '.join(words)}")
        return given

    return PlainValidator(check)


def flag(name: str) -> PlainValidator:
    def check(given: Any) -> bool:
        if not isinstance(given, bool):
            raise ValueError(f"{name} must be true or false")
        return given

    return PlainValidator(check)


def _text(given: Any, name: str) -> str:
    if not isinstance(given, str):
        raise ValueError(f"{name} must be a string")
    return given


def _whole(given: Any, name: str) -> int:
    """A JSON schema takes 3.0 for an integer, and true for none."""
    if isinstance(given, float) and given.is_integer():
        return int(given)
    if not isinstance(given, int) or isinstance(given, bool):
        raise ValueError(f"{name} must be an integer")
    return given


def _fit(given: str, name: str, most: int, least: int) -> str:
    if least and not least <= len(given) <= most:
        raise ValueError(f"{name} must be between {least} and {most} characters")
    if len(given) > most:
        raise ValueError(f"{name} must be at most {most} characters")
    return given


Title = Annotated[str, line("Title", TITLE_MOST, 1)]
Project = Annotated[str, line("Project", PROJECT_MOST)]
Rank = Annotated[int, whole("Priority", 1, 5)]
EnergyName = Annotated[str, choice("Energy", *Energy)]
Estimate = Annotated[str, line("Time estimate", ESTIMATE_MOST)]
Notes = Annotated[str, prose("Notes", PROSE_MOST)]
TaskId = Annotated[int, whole("Task ID")]


class Fields(Args):
    project: Project | None = None
    priority: Rank | None = None
    energy: EnergyName | None = None
    time_estimate: Estimate | None = None
    notes: Notes | None = None

    def fields(self) -> TaskFields:
        """Only what was given."""
        given: Any = self.model_dump(exclude_unset=True, exclude={"task_id"})
        return given


class Create(Fields):
    title: Title


class One(Args):
    task_id: TaskId


class Update(Fields, One):
    title: Title | None = None


class Listing(Args):
    project: Project | None = None
    priority: Rank | None = None
    show_completed: Annotated[bool, flag("Show completed")] = False
    limit: Annotated[int, whole("Limit", 1, LIMIT_MOST)] = 100
    offset: Annotated[int, whole("Offset", 0)] = 0

    def selection(self) -> Selection:
        return Selection(
            statuses=KEPT if self.show_completed else (),
            priority=None if self.priority is None else Priority(self.priority),
            project=self.project or None,
        )


class Query(Args):
    query: Annotated[str, line("Query", QUERY_MOST, 1)]
    fields: Annotated[str, choice("Fields", "title", "notes", "both")] = "both"

    def places(self) -> tuple[Place, ...]:
        return tuple(place for place in PLACES if self.fields in (place, "both"))


class Grouping(Args):
    group_by: Annotated[str, choice("Group by", "project", "priority", "status", "all")] = "all"


def read(kind: type[Args]) -> Callable[[Mapping[str, Any]], Any]:
    """The way to check a tool's arguments."""

    def check(given: Mapping[str, Any]) -> Args:
        try:
            return kind.model_validate(given)
        except ValidationError as error:
            raise Invalid("; ".join(_broken(kind, error))) from None

    return check


def _broken(kind: type[Args], error: ValidationError) -> list[str]:
    """What is wrong with each argument, in the order of the schema."""
    told: dict[str, str] = {}
    for detail in error.errors(include_url=False, include_context=False, include_input=False):
        name = str(detail["loc"][0]) if detail["loc"] else "?"
        label = name.replace("_id", "_ID").replace("_", " ")
        if detail["type"] == "missing":
            told[name] = f"{label[:1].upper()}{label[1:]} is required"
        elif name in kind.model_fields:
            told[name] = detail["msg"].removeprefix("Value error, ")
        else:
            told[name] = f"Unknown argument: {text.shorten(text.clean_line(name), NAME_MOST)}"
    order = [*_ORDER, *told]
    return [told[name] for name in sorted(told, key=order.index)]


_ORDER = ("task_id", "title", "project", "priority", "energy", "time_estimate", "notes")
