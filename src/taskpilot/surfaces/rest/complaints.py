"""What is wrong with a value, in words: patterns and type names help nobody who typed a date."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from taskpilot.surfaces.rest.types import VISIBLE

_WORDS = {
    "missing": "is missing",
    "extra_forbidden": "is not known here",
    "json_invalid": "the body is not valid JSON",
    "string_type": "must be a text",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "literal_error": "must be one of {expected}",
    "enum": "must be one of {expected}",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "too_short": "must have at least {min_length} entries",
    "too_long": "must have at most {max_length} entries",
    "greater_than_equal": "must be at least {ge}",
    "greater_than": "must be more than {gt}",
    "less_than_equal": "must be at most {le}",
    "less_than": "must be less than {lt}",
}


def complain(detail: Mapping[str, Any]) -> str:
    """About one broken value, as FastAPI found it."""
    context: Mapping[str, Any] = detail.get("ctx") or {}
    kind: str = detail["type"]
    if kind == "string_pattern_mismatch" and context.get("pattern") == VISIBLE:
        return "cannot be empty"
    if kind == "string_too_short" and context.get("min_length") == 1:
        return "cannot be empty"
    if kind == "string_pattern_mismatch":
        return "is not written as it must be"
    words = _WORDS.get(kind)
    if words is None:
        said = str(detail["msg"]).removeprefix("Value error, ")
        return said[:1].lower() + said[1:].rstrip(".")
    return words.format_map({name: value for name, value in context.items() if not isinstance(value, Exception)})


def name(where: Sequence[str | int]) -> str:
    """The field, without the part of the request it was in."""
    inside = [str(part) for part in where[1:]]
    return ".".join(inside) or str(where[0])
