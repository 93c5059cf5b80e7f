"""Requests made up from schemas: valid ones, and the same with one value put in a chosen place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

Schema = dict[str, Any]
Step = str | int
"""The name of a property, `ITEM` of a list, or the number of a branch of `anyOf`."""
Path = tuple[Step, ...]
Fill = Callable[[str, Schema], Any]
"""A value for a name, or None where the schema has to say."""

ITEM = "[]"
DEEPEST = 5
SPOKEN = {
    "email": "carol@example.com",
    "password": "correct horse",
    "current_password": "correct horse",
    "new_password": "battery staple",
    "refresh_token": "x" * 43,
    "tz": "Europe/Berlin",
    "colour": "#336699",
    "color": "#336699",
    "date": "2026-01-01",
    "recurrence": "FREQ=DAILY",
    "config": "{}",
    "fields": "title",
}


class Examples:
    def __init__(self, definitions: Schema, fill: Fill) -> None:
        self._definitions = definitions
        self._fill = fill

    def leaves(self, schema: Schema, name: str = "", path: Path = ()) -> Iterator[tuple[Path, str, Schema]]:
        """Every place where a single value goes: the way to it, its name, and what may stand there."""
        schema = self.resolve(schema)
        if len(path) > DEEPEST:
            return
        branches = _branches(schema)
        if branches:
            for number, branch in branches:
                yield from self.leaves(branch, name, (*path, number))
        elif "properties" in schema:
            for key, part in schema["properties"].items():
                yield from self.leaves(part, key, (*path, key))
        elif schema.get("type") == "array":
            yield from self.leaves(schema.get("items", {}), name, (*path, ITEM))
        else:
            yield path, name, schema

    def build(self, schema: Schema, path: Path = (), value: Any = None, name: str = "") -> Any:
        """A valid example with only what is required, and `value` at the end of the path."""
        schema = self.resolve(schema)
        branches = dict(_branches(schema))
        if branches:
            chosen = path[0] if path else min(branches)
            return self.build(branches[chosen], path[1:], value, name)
        if "properties" in schema:
            return self._build_object(schema, path, value)
        if schema.get("type") == "array":
            wanted = bool(path) or schema.get("minItems", 0) > 0
            return [self.build(schema.get("items", {}), path[1:], value, name)] if wanted else []
        return value if value is not None else self._choose(name, schema)

    def resolve(self, schema: Schema) -> Schema:
        while "$ref" in schema:
            schema = self._definitions[schema["$ref"].rpartition("/")[2]]
        if len(schema.get("allOf", ())) == 1:
            return self.resolve({**schema["allOf"][0], **{k: v for k, v in schema.items() if k != "allOf"}})
        return schema

    def _build_object(self, schema: Schema, path: Path, value: Any) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key, part in schema["properties"].items():
            if path and path[0] == key:
                made[key] = self.build(part, path[1:], value, key)
            elif key in schema.get("required", ()):
                made[key] = self.build(part, name=key)
        if "title" in schema["properties"] and path[:1] != ("tasks",):
            made.setdefault("title", self.build(schema["properties"]["title"], name="title"))
        if "stop" in schema["properties"] and len(made) < 2:  # something has to be told
            made.setdefault("stop", True)
        if not made and schema.get("minProperties"):
            key, part = next(iter(schema["properties"].items()))
            made[key] = self.build(part, name=key)
        return made

    def _choose(self, name: str, schema: Schema) -> Any:
        for key in ("const", "default"):
            if schema.get(key) is not None:
                return schema[key]
        if "enum" in schema:
            return schema["enum"][0]
        filled = self._fill(name, schema)
        if filled is not None and allows(schema, filled):
            return filled
        if schema.get("examples"):
            return schema["examples"][0]
        return _by_type(name, schema)


def allows(schema: Schema, value: Any) -> bool:
    """Whether a single value may stand there. What the schema does not say is allowed."""
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and ("string" if isinstance(value, str) else "integer") not in kinds and "number" not in kinds:
        return False
    if isinstance(value, str):
        pattern = schema.get("pattern")
        fits = schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value))
        return fits and (pattern is None or re.search(pattern, value) is not None) and not schema.get("format")
    return schema.get("minimum", value) <= value <= schema.get("maximum", value)


def _branches(schema: Schema) -> list[tuple[int, Schema]]:
    given = schema.get("anyOf") or schema.get("oneOf") or []
    return [(number, branch) for number, branch in enumerate(given) if branch.get("type") != "null"]


def _by_type(name: str, schema: Schema) -> Any:
    kind = schema.get("type", "string")
    kind = next(each for each in kind if each != "null") if isinstance(kind, list) else kind
    if kind in ("integer", "number"):
        return max(1, schema.get("minimum", 1))
    if kind == "boolean":
        return True
    if kind == "object":
        return {}
    if schema.get("format") == "date-time":
        return "2026-02-01T12:00:00Z"
    if schema.get("format") == "date":
        return "2026-02-01"
    return SPOKEN.get(name, "Something")
