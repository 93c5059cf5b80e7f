"""What a tool is: an operation with a wire schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from inspect import cleandoc, get_annotations
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from taskpilot.domain.errors import Invalid
from taskpilot.domain.operation import Access, access_of, scope_of
from taskpilot.domain.scopes import Scope
from taskpilot.store.work import Work
from taskpilot.toolkit.content import Reply
from taskpilot.toolkit.schemas import Schema, slim


class Args(BaseModel):
    """Base for a tool's arguments: unknown names are refused, not dropped; "5" is not 5, nor is true 1."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)


@dataclass(frozen=True, slots=True)
class Step:
    """How far that has come which a call waits for, counted from 1, and what happened."""

    number: int
    told: str


@dataclass(frozen=True, slots=True)
class Choice:
    """What only a person can decide, and an operation that takes their word: `settle(work, subject, answer)`."""

    question: str
    options: Mapping[str, str]
    """What can be answered, and how it reads."""
    subject: int
    settle: Callable[[Work, int, str], Any]


@dataclass(frozen=True, eq=False)
class Tool:
    """Calling it is the operation: `app.call(caller, tool, tool.parse(arguments))`."""

    name: str
    title: str
    description: str
    args: type[Args]
    handler: Callable[..., Reply]
    access: Access
    scope: Scope = Scope.WRITE
    """What a caller must be allowed to use it; callers who are not do not see it."""
    output: Any = None
    """The type of the reply's data; None where there is none."""
    schema: Schema | None = None
    """The input schema, where a contract fixes it to the letter; else it is made from `args`."""
    check: Callable[[Mapping[str, Any]], Any] | None = None
    """The contract's own way of checking arguments, where it fixes the words of the errors."""
    confirm: Callable[[Work, Any], str | None] | None = None
    """What to ask a person first, where the client can ask; None: go ahead. It reads, and raises as the tool would."""
    declined: Reply | None = None
    """What to say where the person said no; with data if the tool has an output."""
    wait: Callable[[Work, Any, int], Sequence[Step] | None] | None = None
    """What has happened past a step, while the call waits, at most as many seconds as its argument `wait` says; None:
    it waits no longer. It reads."""
    choose: Callable[[Work, Any], Choice | None] | None = None
    """What to put to a person first, where the client can ask. It reads. The tool answers either way."""
    only_looks: bool | None = None
    """Whether it changes nothing, where the operation's marker cannot tell: an errand that only reads."""
    destructive: bool = False
    idempotent: bool = False
    open_world: bool = False
    meta: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def parse(self, arguments: Mapping[str, Any]) -> Any:
        """Check the arguments, before anything is locked; every broken one is named."""
        if self.check is not None:
            return self.check(arguments)
        try:
            return self.args.model_validate(arguments)
        except ValidationError as error:
            raise Invalid(_broken(error), hint=f"Arguments: {', '.join(self.args.model_fields)}.") from None

    def __call__(self, work: Any, args: Any) -> Reply:
        return self.handler(work, args)

    @property
    def read_only(self) -> bool:
        return self.access.read_only if self.only_looks is None else self.only_looks

    @cached_property
    def input_schema(self) -> Schema:
        return self.schema if self.schema is not None else slim(self.args.model_json_schema())

    @cached_property
    def output_schema(self) -> Schema | None:
        return None if self.output is None else slim(TypeAdapter(self.output).json_schema())


def tool(
    op: Callable[..., Any], *, title: str, name: str = "", **options: Any
) -> Callable[[Callable[..., Reply]], Tool]:
    """Turn `handler(work, args: SomeArgs) -> Reply` into a Tool for the operation `op`.

    The handler's docstring is the description; whether it reads or writes is the operation's own marker.
    `options` are the other fields of Tool.
    """
    return _declare(access_of(op), title, name, {"scope": scope_of(op), **options})


def errand(*, title: str, name: str = "", **options: Any) -> Callable[[Callable[..., Reply]], Tool]:
    """Turn `handler(errand: Errand, args: SomeArgs) -> Reply` into a Tool that goes out into the world.

    It runs in a thread of its own, outside any transaction, and runs operations through `errand.run`.
    """
    scope = Scope.READ if options.get("only_looks") else Scope.WRITE
    return _declare(Access.ERRAND, title, name, {"scope": scope, **options})


def _declare(
    access: Access, title: str, name: str, options: Mapping[str, Any]
) -> Callable[[Callable[..., Reply]], Tool]:
    def declare(handler: Callable[..., Reply]) -> Tool:
        return Tool(
            name=name or handler.__name__,
            title=title,
            description=" ".join(cleandoc(handler.__doc__ or "").split()),
            args=get_annotations(handler, eval_str=True)["args"],
            handler=handler,
            access=access,
            **options,
        )

    return declare


def _broken(error: ValidationError) -> str:
    """Every broken argument, in one line."""
    lines: list[str] = []
    for detail in error.errors(include_url=False, include_context=False, include_input=False):
        where = ".".join(str(part) for part in detail["loc"]) or "arguments"
        what = detail["msg"].removeprefix("Value error, ")
        lines.append(f"{where}: {what[:1].lower()}{what[1:]}")
    return "; ".join(lines) + "."
