"""`simple` names the user in each call: taken at its word on one's own machine, and nowhere else."""

from __future__ import annotations

import json

import pytest
from starlette.testclient import TestClient

from taskpilot import contracts
from taskpilot.server import build
from taskpilot.settings import Settings
from tests.security.conftest import BASE
from tests.security.people import MARK
from tests.security.world import World


def call(world: World, token: str, tool: str, **arguments):
    said = world.speak(token, "simple", "tools/call", tool, name=tool, arguments=arguments)
    return json.loads(said.body)["result"]


@pytest.mark.parametrize("tool", [tool.name for tool in contracts.load("simple").tools])
def test_where_people_sign_in_another_user_is_not_there(world, tool):
    arguments = {"user_id": str(world.ann.id)}
    properties = contracts.load("simple").by_name[tool].input_schema["properties"]
    arguments |= {"task_id": world.ann.numbers["task"]} if "task_id" in properties else {}
    arguments |= {"title": "Mine now"} if "title" in properties else {}
    result = call(world, world.bob.session, tool, **arguments)
    assert result["isError"] is True
    assert json.loads(result["content"][0]["text"]) == {
        "error": "Task not found",
        "error_code": "NOT_FOUND_OR_FORBIDDEN",
    }
    assert world.dump() == world.before
    assert MARK not in json.dumps(result)


def test_where_people_sign_in_one_may_name_oneself(world):
    listed = call(world, world.ann.session, "list_tasks", user_id=str(world.ann.id))
    assert MARK in json.dumps(listed)


def test_on_ones_own_machine_the_name_is_taken_at_its_word(world, tmp_path):
    local = build(Settings(data_dir=tmp_path), world.app, [contracts.load("simple")])
    with TestClient(local, base_url=BASE) as client:
        here = World(world.app, local, client, world.ann, world.bob)
        said = call(here, "", "list_tasks", user_id=str(world.ann.id))
    assert MARK in json.dumps(said)
