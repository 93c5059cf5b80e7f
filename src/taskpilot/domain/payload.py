"""JSON from strangers, made safe to store and to show."""

from __future__ import annotations

import json
import re
from typing import Any, cast

from taskpilot.domain import text
from taskpilot.domain.errors import Invalid

MOST = 100_000
DEEPEST = 20
MASK = "***"


def parse(given: Any, name: str) -> Any:
    """Any JSON of a sensible size, its texts cleaned."""
    try:
        tidy = _tidy(given, DEEPEST)
        size = len(json.dumps(tidy, ensure_ascii=False, allow_nan=False))
    except (ValueError, TypeError):
        raise Invalid(f"{name} is not JSON.", hint=f"Give plain values, at most {DEEPEST} deep.") from None
    if size > MOST:
        raise Invalid(f"{name} is {size} characters long; at most {MOST} fit.", hint="Make it shorter.")
    return tidy


def _tidy(value: Any, deep: int) -> Any:
    if deep < 0:
        raise ValueError
    if isinstance(value, str):
        return text.clean(f"|{value}|")[1:-1]  # the space around it is part of the value
    if isinstance(value, dict):
        items = cast("dict[str, Any]", value).items()
        return {text.clean(key): _tidy(item, deep - 1) for key, item in items}
    if isinstance(value, list):
        return [_tidy(item, deep - 1) for item in cast("list[Any]", value)]
    return value


_SECRET_NAME = re.compile(r"token|secret|passw|api_?-?key|apikey|authorization|credential|private_?-?key|cookie", re.I)
_SECRET_TEXT = re.compile(
    r"\b(?:sk|pk|rk)-[\w-]{16,}|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bxox[abpr]-[\w-]{10,}|\bAKIA[0-9A-Z]{16}\b"
    r"|\bAIza[\w-]{30,}|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*|(?<=Bearer )\S{8,}|(?<=://)[^\s/:@]+:[^\s/@]+(?=@)"
    r"|(?<=password=)\S+|(?<=token=)\S+|(?<=secret=)\S+|(?<=api[-_]key=)\S+"
)


def mask(value: Any, *, names: bool = False) -> Any:
    """The same JSON without what looks like a secret; with `names`, also what is called one.

    An agent gets its secrets from the machine it runs on, never from a row.
    """
    if isinstance(value, str):
        return _SECRET_TEXT.sub(MASK, value)
    if isinstance(value, dict):
        items = cast("dict[str, Any]", value).items()
        return {key: MASK if names and _hides(key, item) else mask(item, names=names) for key, item in items}
    if isinstance(value, list):
        return [mask(item, names=names) for item in cast("list[Any]", value)]
    return value


def _hides(key: str, value: Any) -> bool:
    """max_tokens: 4000 is no secret."""
    return bool(_SECRET_NAME.search(key)) and not isinstance(value, bool | int | float | None)
