"""JSON schemas, made as small as they can be."""

from __future__ import annotations

from typing import Any, cast

Schema = dict[str, Any]

QUIET: dict[str, Any] = {"quiet": True}
"""Marks an argument that is taken but not listed: its tool's description names it."""

# What a model does without: names said twice, defaults and limits (an error tells), and that unknown arguments
# are refused (it does, too). Every conversation pays for each byte of a schema.
_UNTOLD = {"title", "$defs", "default", "minimum", "maximum", "minLength", "maxLength", "additionalProperties"}


def slim(schema: Schema) -> Schema:
    """A JSON schema without what tells a model nothing; references are written out."""
    return _slim_object(schema, schema.get("$defs", {}))


def _slim_object(given: Schema, definitions: Schema) -> Schema:
    if "$ref" in given:
        meant = definitions[given["$ref"].rpartition("/")[2]]
        return _slim_object({**meant, **{key: value for key, value in given.items() if key != "$ref"}}, definitions)
    branches: list[Schema] = [branch for branch in given.get("anyOf", ()) if branch.get("type") != "null"]
    if len(branches) == 1:
        rest = {key: value for key, value in given.items() if key != "anyOf"}
        return _slim_object({**branches[0], **rest}, definitions)
    return {
        key: _slim_value(key, value, definitions)
        for key, value in given.items()
        if key not in _UNTOLD or (key == "additionalProperties" and isinstance(value, dict))
    }


def _slim_value(key: str, value: Any, definitions: Schema) -> Any:
    if key == "properties":
        return {name: _slim_object(item, definitions) for name, item in value.items() if not item.get("quiet")}
    if key in ("items", "additionalProperties") and isinstance(value, dict):
        return _slim_object(cast(Schema, value), definitions)
    if key in ("anyOf", "oneOf", "allOf"):
        return [_slim_object(item, definitions) for item in value]
    return value
