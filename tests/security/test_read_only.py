"""A token that may only read writes nothing, sees no tool that writes, and reads as before."""

from __future__ import annotations

import json

import pytest

from taskpilot import contracts
from taskpilot.domain.scopes import Scope
from taskpilot.surfaces.web.public import is_public
from tests.security.calls import fill_path, list_operations, list_prompts, list_templates, list_tools
from tests.security.people import MARK


def test_every_route_that_writes_is_refused(world):
    refused = 0
    for call in list_operations(world):
        method, _, path = call.name.partition(" ")
        if is_public(method, fill_path(path)) or not call.changes:
            continue
        said = call.send(world, world.ann.reader, call.examples(world.ann).build(call.schema))
        assert (said.status, json.loads(said.body)["error"]) == (403, "insufficient_scope"), (call.name, said)
        assert 'error="insufficient_scope"' in dict(said.headers)["www-authenticate"]
        refused += 1
    assert refused > 20
    assert world.dump() == world.before


def test_every_route_that_reads_answers_or_says_what_scope_it_needs(world):
    read = 0
    for call in list_operations(world):
        if call.changes:
            continue
        said = call.send(world, world.ann.reader, call.examples(world.ann).build(call.schema))
        assert said.status in (200, 403), (call.name, said)
        assert said.status == 200 or "insufficient_scope" in said.body
        read += said.status == 200
    assert read > 15
    assert world.dump() == world.before


def test_every_tool_that_writes_is_refused(world):
    refused = 0
    for call in list_tools():
        if call.scope is Scope.READ:
            continue
        said = call.send(world, world.ann.reader, call.examples(world.ann).build(call.schema))
        result = json.loads(said.body)["result"]
        assert result["isError"] is True, call.name
        assert "insufficient_scope" in said.body, (call.name, said)
        refused += 1
    assert refused > 20
    assert world.dump() == world.before


def test_tools_resources_and_prompts_that_read_still_do(world):
    for call in (*list_tools(), *list_templates(), *list_prompts()):
        if call.scope is not Scope.READ:
            continue
        said = call.send(world, world.ann.reader, call.examples(world.ann).build(call.schema))
        assert said.status < 500, (call.name, said)
        assert "insufficient_scope" not in said.body, (call.name, said)
    assert world.dump() == world.before


@pytest.mark.parametrize("name", contracts.names())
def test_tools_that_write_are_not_even_listed(world, name):
    def list_names(token):
        return {tool["name"] for tool in json.loads(world.speak(token, name, "tools/list").body)["result"]["tools"]}

    reading = {tool.name for tool in contracts.load(name).tools if tool.scope is Scope.READ}
    assert list_names(world.ann.reader) == reading
    theirs = {tool.name for tool in contracts.load(name).tools if tool.scope is not Scope.DESK}
    assert list_names(world.ann.session) == theirs


def test_at_the_root_it_is_the_same(world):
    headers = {"Authorization": f"Bearer {world.ann.reader}"}

    def post(method, **params):
        return world.client.post("/", json={"method": method, "params": params}, headers=headers).json()

    assert {tool["name"] for tool in post("tools/list")["tools"]} == {
        "task_list",
        "task_get",
        "task_search",
        "task_stats",
    }
    made = post("tools/call", name="task_create", arguments={"title": "Milk"})
    assert made["isError"] is True
    assert "insufficient_scope" in made["content"][0]["text"]
    assert MARK in json.dumps(post("tools/call", name="task_list", arguments={}))
    assert world.dump() == world.before
