"""What the six tools take. The first broken argument is told: what is wrong with it, and a sentence to say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import PlainValidator, ValidationError
from pydantic_core import PydanticCustomError

from taskpilot.domain import text
from taskpilot.domain.errors import Invalid
from taskpilot.domain.fields import TaskFields
from taskpilot.domain.selection import LIMIT_MOST, Selection
from taskpilot.domain.task import Status
from taskpilot.ops.tasks import KEPT
from taskpilot.toolkit import Args

TITLE_MOST = 200
DESCRIPTION_MOST = 1_000
SHOWN_MOST = 40
NO_TITLE = "I need a task title. What would you like to add?"
EMPTY_TITLE = "The task title can't be empty. What would you like to call it?"
LONG_TITLE = "That title is too long. Can you make it shorter (under 200 characters)?"
LONG_DESCRIPTION = "That description is too long. Can you make it shorter (under 1000 characters)?"
WHICH_TASK = "I need the number of a task. Would you like to see your task list?"
NOT_UNDERSTOOD = "I didn't quite understand that. Can you say it differently?"


def wrong(problem: str, sentence: str = NOT_UNDERSTOOD) -> PydanticCustomError:
    """What is wrong for a program, and what to say to a person."""
    return PydanticCustomError("wrong", "{problem}", {"problem": problem, "sentence": sentence})


def read_title(empty: str) -> PlainValidator:
    def check(given: Any) -> str:
        if not isinstance(given, str):
            raise wrong("Title must be a string", empty)
        cleaned = text.clean_line(given)
        if not cleaned:
            raise wrong("Title cannot be empty", empty)
        if len(cleaned) > TITLE_MOST:
            raise wrong(f"Title too long (max {TITLE_MOST} characters)", LONG_TITLE)
        return cleaned

    return PlainValidator(check)


def read_description(given: Any) -> str:
    if not isinstance(given, str):
        raise wrong("Description must be a string")
    cleaned = text.clean(given)
    if len(cleaned) > DESCRIPTION_MOST:
        raise wrong(f"Description too long (max {DESCRIPTION_MOST} characters)", LONG_DESCRIPTION)
    return cleaned


def read_task_id(given: Any) -> int:
    if not isinstance(given, int) or isinstance(given, bool):
        raise wrong("Task ID must be an integer", WHICH_TASK)
    if given <= 0:
        raise wrong("Task ID must be positive", WHICH_TASK)
    return given


def read_completed(given: Any) -> bool:
    if not isinstance(given, bool):
        raise wrong("Completed must be true or false")
    return given


def whole(name: str, least: int, most: int | None = None) -> PlainValidator:
    def check(given: Any) -> int:
        if not isinstance(given, int) or isinstance(given, bool):
            raise wrong(f"{name} must be an integer")
        if given < least or (most is not None and given > most):
            raise wrong(f"{name} must be between {least} and {most}" if most else f"{name} must be {least} or more")
        return given

    return PlainValidator(check)


Completed = Annotated[bool, PlainValidator(read_completed)]
Description = Annotated[str, PlainValidator(read_description)]


class Create(Args):
    title: Annotated[str, read_title(NO_TITLE)]
    description: Description = ""


class Listing(Args):
    completed: Completed | None = None
    limit: Annotated[int, whole("Limit", 1, LIMIT_MOST)] = 100
    offset: Annotated[int, whole("Offset", 0)] = 0

    def selection(self) -> Selection:
        if self.completed is None:
            return Selection(statuses=KEPT)
        return Selection(statuses=(Status.DONE,)) if self.completed else Selection()


class One(Args):
    task_id: Annotated[int, PlainValidator(read_task_id)]


class Update(One):
    title: Annotated[str, read_title(EMPTY_TITLE)] | None = None
    description: Description | None = None
    completed: Completed | None = None

    def changes(self) -> TaskFields:
        given: Any = self.model_dump(include={"title", "description"}, exclude_none=True)
        return given


MISSING = {"title": wrong("Title cannot be empty", NO_TITLE), "task_id": wrong("Task ID is missing", WHICH_TASK)}


def read(kind: type[Args]) -> Callable[[Mapping[str, Any]], Any]:
    """The way to check a tool's arguments. A model that has nothing to say about one may say null."""
    optional = {name for name, field in kind.model_fields.items() if not field.is_required()}

    def check(given: Mapping[str, Any]) -> Args:
        said = {name: value for name, value in given.items() if value is not None or name not in optional}
        try:
            args = kind.model_validate(said)
        except ValidationError as error:
            raise _first(error) from None
        if isinstance(args, Update) and not args.changes() and args.completed is None:
            raise Invalid(
                "Nothing to change was given", hint=f"What would you like to change about task #{args.task_id}?"
            )
        return args

    return check


def _first(error: ValidationError) -> Invalid:
    detail = error.errors(include_url=False, include_input=False)[0]
    name = str(detail["loc"][0]) if detail["loc"] else "?"
    if detail["type"] == "wrong":
        context = detail.get("ctx", {})
    elif detail["type"] == "missing":
        context = MISSING[name].context or {}
    else:
        unknown = text.shorten(text.clean_line(name), SHOWN_MOST)
        context = {"problem": f"Unknown argument: {unknown}", "sentence": NOT_UNDERSTOOD}
    return Invalid(context["problem"], hint=context["sentence"])
