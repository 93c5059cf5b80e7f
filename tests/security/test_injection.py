"""SQL in every text field of every route and tool: kept as the text it is, or refused. Nothing else happens."""

from __future__ import annotations

from typing import Any

import pytest

from tests.security.calls import describe_place, list_operations, list_templates, list_tools
from tests.security.examples import Examples, Schema
from tests.security.people import MARK
from tests.security.world import Dump, World

PLAIN = "Nothing but words in here"
SQL = ["x'); DROP TABLE task; --", "\" OR ''='' OR owner_id = :owner; %_* NEAR("]
SLOW = ("password",)


def shape(before: Dump, after: Dump) -> dict[str, tuple[int, int]]:
    """How many rows each table gained and lost."""
    changes = {table: (len(after[table] - rows), len(rows - after[table])) for table, rows in before.items()}
    return {table: change for table, change in changes.items() if change != (0, 0)}


def attempt(world: World, call: Any, arguments: Any) -> tuple[bool, dict[str, tuple[int, int]], str, Dump]:
    said = call.send(world, world.bob.session, arguments)
    assert said.status < 500, (call.name, said)
    assert "nternal error" not in said.body, (call.name, said)
    assert MARK not in said.body, (call.name, said)
    after = world.dump()
    world.check(call.name)
    return said.status < 400 and '"isError":true' not in said.body, shape(world.before, after), said.body, after


def takes_text(schema: Schema) -> bool:
    kind = schema.get("type", "string")
    return "string" in ([kind] if isinstance(kind, str) else kind) and not {"enum", "const", "format"} & set(schema)


def list_texts(examples: Examples, schema: Schema) -> list[tuple[Any, str]]:
    return [
        (place, name)
        for place, name, leaf in examples.leaves(schema)
        if takes_text(leaf) and not any(word in name for word in SLOW) and "header" not in place
    ]


def test_sql_is_only_text(world):
    tried = stored = 0
    for call in (*list_operations(world), *list_tools(), *list_templates()):
        examples = call.examples(world.bob)
        for place, _ in list_texts(examples, call.schema):
            _, usual, _, _ = attempt(world, call, examples.build(call.schema, place, PLAIN))
            for sql in SQL:
                what = f"{call.name} with {describe_place(place)} = {sql!r}"
                accepted, changed, body, after = attempt(world, call, examples.build(call.schema, place, sql))
                assert changed in ({}, usual), what
                if accepted and changed and sql in body.replace('\\"', '"'):
                    assert any(sql in str(row).replace("\\", "") for rows in after.values() for row in rows), what
                    stored += 1
                tried += 1
    assert tried > 200
    assert stored > 20


@pytest.mark.parametrize("sql", SQL)
def test_a_search_for_sql_finds_what_says_it(world, sql):
    made = world.ask(world.bob.session, "POST", "/api/tasks", json={"title": sql})
    assert made.status == 201
    found = world.ask(world.bob.session, "GET", "/api/search", params={"q": sql, "match": "parts"})
    assert found.status == 200
    assert MARK not in found.body
    world.check("a search")
