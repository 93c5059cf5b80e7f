"""What the five tools take. The first broken argument is told, in the words this contract fixes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import PlainValidator, ValidationError

from taskpilot.domain import text
from taskpilot.domain.errors import Invalid
from taskpilot.domain.fields import TaskFields
from taskpilot.domain.task import ID_MOST
from taskpilot.toolkit import Args

TITLE_MOST = 200
DESCRIPTION_MOST = 2_000
SHOWN_MOST = 40


def read_user(given: Any) -> int:
    """An integer as text. Only what Python and people read alike is one: "4_2" is not."""
    digits = given.strip() if isinstance(given, str) else ""
    number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < SHOWN_MOST else 0
    if not 0 < number <= ID_MOST:
        raise broken_user(given)
    return number


def broken_user(given: Any) -> ValueError:
    shown = given if isinstance(given, str) else repr(given)
    return ValueError(f"Invalid user_id format: {text.shorten(text.clean_line(shown), SHOWN_MOST)}")


def read_task_id(given: Any) -> int:
    if not isinstance(given, int) or isinstance(given, bool) or given <= 0:
        raise ValueError("task_id must be a positive integer")
    return given


def read_title(given: Any) -> str:
    if not isinstance(given, str):
        raise ValueError("Task title must be a string")
    title = text.clean_line(given)
    if not title:
        raise ValueError("Task title cannot be empty")
    if len(title) > TITLE_MOST:
        raise ValueError(f"Task title must be {TITLE_MOST} characters or less")
    return title


def read_description(given: Any) -> str:
    if not isinstance(given, str):
        raise ValueError("Task description must be a string")
    description = text.clean(given)
    if len(description) > DESCRIPTION_MOST:
        raise ValueError(f"Task description must be {DESCRIPTION_MOST} characters or less")
    return description


def optional(read: Callable[[Any], str]) -> PlainValidator:
    return PlainValidator(lambda given: None if given is None else read(given))


class User(Args):
    user_id: Annotated[int, PlainValidator(read_user)]


class Add(User):
    title: Annotated[str, PlainValidator(read_title)]
    description: Annotated[str, PlainValidator(read_description)] = ""


class One(User):
    task_id: Annotated[int, PlainValidator(read_task_id)]


class Update(One):
    title: Annotated[str | None, optional(read_title)] = None
    description: Annotated[str | None, optional(read_description)] = None

    def changes(self) -> TaskFields:
        changes: TaskFields = {}
        if self.title is not None:
            changes["title"] = self.title
        if self.description is not None:
            changes["description"] = self.description
        return changes


MISSING = {
    "user_id": "Invalid user_id format: it is missing",
    "task_id": "task_id must be a positive integer",
    "title": "Task title cannot be empty",
}


def read(kind: type[Args]) -> Callable[[Mapping[str, Any]], Any]:
    """The way to check a tool's arguments."""

    def check(given: Mapping[str, Any]) -> Args:
        try:
            args = kind.model_validate(given)
        except ValidationError as error:
            raise Invalid(_first(kind, error)) from None
        if isinstance(args, Update) and not args.changes():
            raise Invalid("At least one of title or description must be provided")
        return args

    return check


def _first(kind: type[Args], error: ValidationError) -> str:
    detail = error.errors(include_url=False, include_context=False, include_input=False)[0]
    name = str(detail["loc"][0]) if detail["loc"] else "?"
    if detail["type"] == "missing":
        return MISSING[name]
    if name in kind.model_fields:
        return detail["msg"].removeprefix("Value error, ")
    return f"Unknown argument: {text.shorten(text.clean_line(name), SHOWN_MOST)}"
