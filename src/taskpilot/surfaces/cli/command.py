"""What makes a function a command: its session, and the options that every command has.

A parameter whose type is a dataclass is a group of options: its fields become options of the
command, and the command receives them as one value. `Everywhere` is such a group on all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, get_type_hints

import typer

from taskpilot.surfaces.cli.session import Session

PANEL = "On every command"


@dataclass(frozen=True, slots=True)
class Everywhere:
    data_dir: Annotated[
        str | None,
        typer.Option("--data-dir", metavar="DIR", help="Folder of the tasks.", rich_help_panel=PANEL),
    ] = None
    database_url: Annotated[
        str | None,
        typer.Option("--database-url", metavar="URL", help="PostgreSQL instead of a file.", rich_help_panel=PANEL),
    ] = None
    json: Annotated[bool, typer.Option("--json", help="Print JSON.", rich_help_panel=PANEL)] = False


def command(function: Callable[..., None]) -> Callable[..., None]:
    """`function(session, …)` as Typer wants it. Whether `ctx` is passed on is the function's choice."""
    own = dict(signature(function, eval_str=True).parameters)
    own.pop("session")
    wants_context = own.pop("ctx", None) is not None
    groups = {name: each.annotation for name, each in own.items() if is_dataclass(each.annotation)}

    def run(*, ctx: typer.Context, **given: Any) -> None:
        session: Session = ctx.find_root().obj
        shared = _collect(Everywhere, given)
        session.take(data_dir=shared.data_dir, database_url=shared.database_url, json=shared.json)
        given.update({name: _collect(group, given) for name, group in groups.items()})
        if wants_context:
            given["ctx"] = ctx
        function(session, **given)

    parameters = [Parameter("ctx", Parameter.KEYWORD_ONLY, annotation=typer.Context)]
    parameters += [each.replace(kind=Parameter.KEYWORD_ONLY) for name, each in own.items() if name not in groups]
    for group in (*groups.values(), Everywhere):
        parameters += _unfold(group)
    run.__name__, run.__doc__ = function.__name__, function.__doc__
    run.__signature__ = Signature(parameters)  # pyright: ignore[reportFunctionMemberAccess]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


def _unfold(group: Any) -> Iterator[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    for item in fields(group):
        yield Parameter(item.name, Parameter.KEYWORD_ONLY, default=item.default, annotation=hints[item.name])


def _collect(group: Any, given: dict[str, Any]) -> Any:
    return group(**{item.name: given.pop(item.name) for item in fields(group)})
