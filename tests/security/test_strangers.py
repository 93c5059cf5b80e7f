"""With somebody else's ids everything answers as if they did not exist, and changes nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from taskpilot import contracts
from taskpilot.surfaces.mcp.prompts import VARIABLE
from tests.security.calls import OWN, Call, describe_place, list_all, list_operations, list_tools
from tests.security.conftest import found_world
from tests.security.examples import Schema, allows
from tests.security.people import MARK, Person
from tests.security.world import NEVER, Said, World

NOBODY = "nilmark"
"""As long as Ann's mark."""
STRANGE = {"uuid": "00000000-0000-4000-8000-000000000000", "run": "00000000-0000-4000-8000-000000000000"}
POSITIONS = ("cursor", "offset", "limit", "last_event_id", "Last-Event-ID", "max_tokens", "lease", "since")
"""A place in an order of one's own things. Any number is one."""
TELLING = {("POST /api/auth/signup", "email"), ("PATCH /api/me", "handle")}
"""Where one must be told that a name is taken: it can belong to one account only."""

MEASURING = {("GET /api/quick-add", "text")}
"""Where the answer tells how long the text is: what never was may be longer."""


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def both(request: pytest.FixtureRequest, tmp_path_factory) -> Iterator[World]:
    """A world on each database: this is where their SQL differs."""
    folder = tmp_path_factory.mktemp("world")
    place = str(folder / "taskpilot.db")
    if request.param == "postgres":
        place = make_database(request)
    yield from found_world(place, folder)


def make_database(request: pytest.FixtureRequest) -> str:
    import psycopg

    server: str = request.getfixturevalue("postgres_server")
    template: str = request.getfixturevalue("postgres_template")
    with psycopg.connect(server, autocommit=True) as raw:
        raw.execute("DROP DATABASE IF EXISTS strangers WITH (FORCE)")
        raw.execute(f"CREATE DATABASE strangers TEMPLATE {template} STRATEGY file_copy")  # type: ignore[arg-type]
    return server.replace("/postgres?", "/strangers?")


def list_probes(ann: Person, name: str, schema: Schema) -> list[tuple[Any, Any]]:
    """What is Ann's and could stand there, each with something like it that never was.

    All of it where the name is that of an id; elsewhere a little, because a name may mislead.
    """
    if "enum" in schema or "const" in schema:
        return []
    numbers = [(number, NEVER) for number in dict.fromkeys(ann.numbers.values())]
    texts = [(text, STRANGE.get(noun) or make_up(text)) for noun, text in ann.texts.items()]
    possible = [(mine, never) for mine, never in (*numbers, *texts) if allows(schema, mine) and allows(schema, never)]
    return possible if is_id(name) else possible[:: max(1, len(possible) - 1)][: 1 if "password" in name else 2]


def make_up(text: str) -> str:
    """Something of the same form that nobody has."""
    return re.sub(r"\d{5,}", str(NEVER), text.replace(MARK, NOBODY))


def is_id(name: str) -> bool:
    return any(re.fullmatch(pattern, name) for pattern, _, _ in OWN)


def sweep(world: World, calls: list[Call], *, ids_only: bool = False) -> tuple[int, list[str]]:
    """How much was asked, and where Ann's things made a difference."""
    asked, problems = 0, []
    secrets = {MARK, world.ann.texts["uuid"], world.ann.texts["run"]}
    for call in calls:
        examples = call.examples(world.bob)
        for place, name, schema in examples.leaves(call.schema):
            if (call.name, name) in TELLING or (ids_only and not is_id(name)):
                continue
            baseline: dict[Any, Said] = {}
            for mine, never in list_probes(world.ann, name, schema):
                what = f"{call.name} with {describe_place(place)} = {mine!r}"
                if never not in baseline:
                    said = call.send(world, world.bob.session, examples.build(call.schema, place, never))
                    baseline[never] = said.without(never).settled()
                    world.check(what)
                said = call.send(world, world.bob.session, examples.build(call.schema, place, mine)).without(mine)
                same = said.settled() == baseline[never] or name in POSITIONS or (call.name, name) in MEASURING
                if not same or said.status >= 500 or any(secret in said.body for secret in secrets):
                    problems.append(f"{what}: {said} instead of {baseline[never]}"[:1_000])
                world.check(what)
                asked += 1
    return asked, problems


def test_another_persons_things_are_not_there_whatever_is_asked(both):
    on_a_network = both.app.database.glancing() is None
    asked, problems = sweep(both, list_all(both), ids_only=on_a_network)
    assert asked > 1_000
    assert not problems, "\n".join(problems[:20])


def test_the_examples_are_good_enough_to_get_past_the_checks_of_values(world):
    """Else the sweeps would prove nothing: a request that is refused as invalid never comes to anybody's ids."""
    refused = []
    for call in (*list_operations(world), *list_tools()):
        said = call.send(world, world.bob.session, call.examples(world.bob).build(call.schema))
        if said.status in (400, 422) or "nvalid" in said.body[:300]:
            refused.append((call.name, said))
        world.check(call.name)
    assert not refused, refused


def test_ones_own_things_are_there(world):
    """The same requests, by the one whose things they are."""
    for call in list_operations(world):
        if "{" in call.name and call.name.startswith("GET") and "/admin/" not in call.name:
            said = call.send(world, world.ann.session, call.examples(world.ann).build(call.schema))
            assert said.status == 200, (call.name, said)


def test_lists_show_what_is_ones_own(world):
    for name in contracts.names():
        contract = contracts.load(name)
        if contract.library is None:
            continue
        anns, bobs = (
            world.speak(token, name, "resources/list").body for token in (world.ann.session, world.bob.session)
        )
        assert MARK not in bobs
        assert str(world.ann.numbers["workspace"]) not in bobs
        assert name != "taskpilot" or MARK in anns


def test_what_is_offered_while_one_types_is_ones_own(world):
    for name in contracts.names():
        contract = contracts.load(name)
        if contract.complete is None:
            continue
        wanted = [
            ({"type": "ref/prompt", "name": each.name}, [argument.name for argument in each.arguments])
            for each in contract.prompts
        ]
        for template in contract.library.templates if contract.library else ():
            names = [part for found in VARIABLE.findall(template.uri) for part in found.split(",")]
            wanted.append(({"type": "ref/resource", "uri": template.uri}, names))
        for reference, arguments in wanted:
            for argument in arguments:
                for begun in ("", MARK[:3], str(world.ann.numbers["task"])[:2]):
                    said = world.speak(
                        world.bob.session,
                        name,
                        "completion/complete",
                        ref=reference,
                        argument={"name": argument, "value": begun},
                    )
                    assert said.status == 200, said
                    assert MARK not in said.body, (reference, argument)
