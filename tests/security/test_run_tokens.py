"""The token of a run opens its desk. Everything else the server offers is closed to it."""

from __future__ import annotations

import json

import pytest

from taskpilot.domain.caller import Caller
from taskpilot.domain.scopes import EVERY, Scope
from taskpilot.ops import tasks
from taskpilot.surfaces.web.public import is_public
from tests.contracts import stage
from tests.security.calls import fill_path, list_operations, list_prompts, list_templates, list_tools
from tests.security.people import MARK

SAME_FOR_EVERYBODY = {"GET /api/chat/tools"}
"""Says what there is, and nothing about anybody."""


@pytest.fixture
def token(world) -> str:
    """Of a run of Ann's, at work."""
    ann = Caller(world.ann.id, "ann", "cli", scopes=EVERY)
    (task,) = world.app.run(ann, tasks.create, [{"title": "Hers", "workspace": "/srv/run"}]).tasks
    seat = stage.seat(world.app, task.id, caller=ann)
    return seat.issue()


def test_it_gets_nothing_but_its_desk(world, token):
    before = world.dump()
    refused = 0
    for call in (*list_operations(world), *list_tools(), *list_templates(), *list_prompts()):
        method, _, path = call.name.partition(" ")
        if call.name in SAME_FOR_EVERYBODY or call.scope is Scope.DESK:
            continue
        if path.startswith("/") and is_public(method, fill_path(path)):
            continue
        said = call.send(world, token, call.examples(world.ann).build(call.schema))
        assert MARK not in said.body, call.name
        assert said.status == 403 or is_refused(said.body), (call.name, said)
        refused += 1
    assert refused > 100
    assert world.dump() == before


def is_refused(body: str) -> bool:
    answer = json.loads(body)
    return "error" in answer or answer["result"].get("isError", False)
