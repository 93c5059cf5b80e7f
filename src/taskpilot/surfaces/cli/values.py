"""What was typed, as the value a command wants.

Typer asks pydantic for this, and loading pydantic takes longer than listing tasks. Our options are words,
numbers, paths and choices; they are read here, and only a type that is none of these goes to Typer's own reader.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, get_args, get_origin

import typer


@dataclass(frozen=True, slots=True)
class Reader:
    """Stands in for Typer's runtime parameter, which is built when it is first used."""

    wanted: Any
    build_typers: Callable[[], Any]

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        many = param.multiple or param.nargs == -1
        if value is None:
            return () if many else None
        kind = get_args(self.wanted)[0] if get_origin(self.wanted) is list else self.wanted
        read = _find_reader(kind)
        if read is None:
            return self.build_typers().coerce(value, param=param, ctx=ctx)
        try:
            return [read(each) for each in value] if many else read(value)
        except ValueError as error:
            raise typer.BadParameter(str(error), ctx=ctx, param=param) from None


def read_lightly(command: Any) -> None:
    """Put our reader before Typer's on every parameter of a command (--help is one), and of those under it."""
    typers = command.get_params
    readers: dict[int, Reader] = {}

    def get_params(ctx: Any) -> list[Any]:
        params: list[Any] = typers(ctx)
        for param in params:
            if id(param) not in readers:
                readers[id(param)] = reader = Reader(param.type_descriptor.annotation, param.get_runtime_param)
                param.get_runtime_param = lambda reader=reader: reader
        return params

    command.get_params = get_params
    for inner in getattr(command, "commands", {}).values():
        if inner is not None:
            read_lightly(inner)


def _find_reader(kind: Any) -> Callable[[Any], Any] | None:
    if kind in (str, Path):
        return kind
    if kind is int:
        return _read_number
    if isinstance(kind, type) and issubclass(kind, Enum):
        return lambda value: _read_choice(kind, value)
    return None


def _read_number(value: Any) -> int:
    try:
        return int(value)
    except ValueError:
        raise ValueError(f"{value!r} is not a whole number.") from None


def _read_choice(kind: type[Enum], value: Any) -> Enum:
    try:
        return kind(value.lower() if isinstance(value, str) else value)
    except ValueError:
        names = ", ".join(str(each.value) for each in kind)
        raise ValueError(f"{value!r} is not one of: {names}.") from None
