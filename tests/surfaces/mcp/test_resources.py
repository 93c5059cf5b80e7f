from __future__ import annotations

import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, PaginatedRequestParams

from taskpilot.domain.caller import Caller
from taskpilot.ops import tasks
from taskpilot.surfaces.mcp.pages import PAGE, turn, write_cursor

pytestmark = pytest.mark.anyio
ERAS = pytest.mark.parametrize("mode", ["legacy", "auto"])


async def list_all(client) -> list[str]:
    found, cursor = [], None
    while True:
        page = await client.session.list_resources(params=PaginatedRequestParams(cursor=cursor))
        found += [each.uri for each in page.resources]
        cursor = page.next_cursor
        if cursor is None:
            return found


@ERAS
async def test_resources_are_listed_in_pages(connect_to_everything, mode, do):
    for _ in range(3):
        do(tasks.create, [{"title": f"Task {number}"} for number in range(80)])
    async with connect_to_everything(mode) as client:
        assert await list_all(client) == ["tasks://all", *(f"tasks://{number}" for number in range(1, 241))]


@ERAS
@pytest.mark.parametrize("cursor", ["x", "", "bm9uc2Vuc2U=", write_cursor(0, "tasks://all"), "W1tbW1tb" * 3000])
async def test_a_cursor_nobody_gave_out_is_refused(connect_to_everything, mode, cursor):
    async with connect_to_everything(mode) as client:
        with pytest.raises(MCPError) as refused:
            await client.session.list_resources(params=PaginatedRequestParams(cursor=cursor))
        assert refused.value.error.code == INVALID_PARAMS
        with pytest.raises(MCPError):
            await client.session.list_resource_templates(params=PaginatedRequestParams(cursor=cursor))


def test_pages_stay_right_while_the_list_changes():
    items = [str(number) for number in range(3 * PAGE)]
    first, cursor = turn(items, str, None)
    assert first == items[:PAGE]
    assert turn(["new", *items], str, cursor)[0] == items[PAGE : 2 * PAGE]
    assert turn(items[10:], str, cursor)[0] == items[PAGE : 2 * PAGE]
    last_gone = [item for item in items if item != first[-1]]
    assert turn(last_gone, str, cursor)[0] == items[PAGE : 2 * PAGE]
    assert turn(items[:PAGE], str, cursor) == ([], None)
    assert turn([], str, cursor) == ([], None)
    assert turn(items[:PAGE], str, None) == (items[:PAGE], None)


@ERAS
async def test_a_resource_is_read_with_its_name_and_hints(connect_to_everything, mode, add):
    add("Walls")
    async with connect_to_everything(mode) as client:
        (everything,) = (await client.read_resource("tasks://all")).contents
        (one,) = (await client.read_resource("tasks://1")).contents
        (template,) = (await client.list_resource_templates()).resource_templates
    assert (everything.text, one.text) == ("Walls", "Walls")
    assert everything.meta["name"] == "all"
    assert everything.meta["annotations"]["audience"] == ["user"]
    assert one.meta is None
    assert template.uri_template == "tasks://{id}"


@pytest.mark.parametrize(("mode", "code"), [("legacy", -32002), ("auto", INVALID_PARAMS)])
@pytest.mark.parametrize("uri", ["tasks://99", "tasks://nope", "nonsense", "tasks://\u202e", "tasks://" + "9" * 5000])
async def test_a_resource_that_is_not_there_is_told_in_the_protocols_own_way(connect_to_everything, mode, code, uri):
    async with connect_to_everything(mode) as client:
        with pytest.raises(MCPError) as refused:
            await client.read_resource(uri)
    assert refused.value.error.code == code
    assert refused.value.error.message == f"Resource not found: {uri}"
    assert refused.value.error.data == {"uri": uri}


@ERAS
async def test_a_strangers_resource_is_not_there(connect_to_everything, mode, add, stranger: Caller):
    task = add("Mine")

    async def identify(_) -> Caller:
        return stranger

    async with connect_to_everything(mode, identify) as client:
        with pytest.raises(MCPError, match="Resource not found"):
            await client.read_resource(f"tasks://{task.id}")
        assert await list_all(client) == ["tasks://all"]
