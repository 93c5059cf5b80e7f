"""Answers that cost no more than their reader wants to spend."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Annotated, Any, TypeVar, cast

from pydantic import Field

from taskpilot.toolkit.content import Reply

BYTES_A_TOKEN = 4
LEAST = 150
"""Enough for one row, a note and a cursor."""
MOST = 1_000_000
NAMED_MOST = 4
SHORTEST_CUT = 24
"""A text cut shorter than this tells nothing."""

Tokens = Annotated[int, Field(ge=LEAST, le=MOST)]
Row = TypeVar("Row")
Columns = tuple[str, ...]


def cost(reply: Reply) -> int:
    """In tokens, about: a client may hand a model the text, the data, or both."""
    data = json.dumps(reply.data, separators=(",", ":"), ensure_ascii=False)
    return -(-(len(reply.text.encode()) + len(data.encode())) // BYTES_A_TOKEN)


def fit(
    parts: Mapping[str, Any], build: Callable[[dict[str, Any], str], Reply], max_tokens: int | None, how: str = ""
) -> Reply:
    """An answer of named parts, the most useful first: those that fit, long ones cut, and a note of what was not.

    `build` makes the answer of some parts and a note; `how` says how else to get the rest.
    """
    whole = build(dict(parts), "")
    if max_tokens is None or cost(whole) <= max_tokens:
        return whole
    kept: dict[str, Any] = {}
    cut: list[str] = []

    def tell(trial: Mapping[str, Any]) -> str:
        left = [*cut, *(name for name in parts if name not in trial)]
        more = f" and {len(left) - NAMED_MOST} more" if len(left) > NAMED_MOST else ""
        return f"Left out: {', '.join(left[:NAMED_MOST])}{more}. Get it with {how}max_tokens={cost(whole)}."

    def fits(trial: dict[str, Any]) -> bool:
        return cost(build(trial, tell(trial))) <= max_tokens

    for name, value in parts.items():
        if fits({**kept, name: value}):
            kept[name] = value
            continue
        cut.append(f"part of {name}")
        shorter = _shorten(value, lambda shorter, name=name: fits({**kept, name: shorter}))
        if shorter is None:
            cut.pop()
        else:
            kept[name] = shorter
    return build(kept, tell(kept))


def fit_rows(
    rows: Sequence[Row],
    levels: Sequence[Columns],
    build: Callable[[Sequence[Row], Columns, str], Reply],
    max_tokens: int | None,
) -> Reply:
    """A list: in all its columns if that fits, else in fewer, else fewer rows; and a note of what is missing.

    `build` makes the answer of the first rows in some columns, with a note, and says how to go on after them.
    """
    whole = build(rows, levels[0], "")
    if max_tokens is None or cost(whole) <= max_tokens:
        return whole
    everything = f"Everything: max_tokens={cost(whole)}."
    for level in levels[1:]:
        missing = ", ".join(name for name in levels[0] if name not in level)
        narrow = build(rows, level, f"Left out: {missing}. {everything}")
        if cost(narrow) <= max_tokens:
            return narrow

    def cut(number: int) -> Reply:
        columns = f" ({', '.join(levels[-1])} only)" if len(levels) > 1 else ""
        return build(rows[:number], levels[-1], f"{number} of {len(rows)} shown{columns}. {everything}")

    number = bisect_left(range(len(rows)), True, key=lambda number: cost(cut(number + 1)) > max_tokens)
    return cut(number)


def _shorten(value: Any, fits: Callable[[Any], bool]) -> Any:
    """As much of a text, a list or a mapping as fits; None where that is nothing worth telling."""
    if not isinstance(value, str | list | Mapping):
        return None
    whole = cast("str | list[Any] | Mapping[str, Any]", value)
    size = bisect_left(range(len(whole)), True, key=lambda size: not fits(_take(whole, size + 1)))
    return _take(whole, size) if size >= (SHORTEST_CUT if isinstance(whole, str) else 1) else None


def _take(whole: str | list[Any] | Mapping[str, Any], size: int) -> Any:
    if isinstance(whole, str):
        return whole[:size].rstrip() + "…"
    return whole[:size] if isinstance(whole, list) else dict(islice(whole.items(), size))
