"""The official clients walk through every part of the protocol: both languages, both transports, every era."""

from __future__ import annotations

import asyncio
import json
import sys

import anyio
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult, ResourceTemplateReference, ResourceUpdatedNotification

from tests.node.packages import install, node
from tests.surfaces.mcp import everything

TRANSPORTS = pytest.mark.parametrize("transport", ["stdio", "http"])
CONTENT = ["text", "image", "audio", "resource_link", "resource", "resource"]
PROGRESS = [[1, 3, "step 1"], [2, 3, "step 2"], [3, 3, "step 3"]]


@pytest.fixture
def command(tmp_path) -> list[str]:
    return [sys.executable, everything.__file__, "stdio", str(tmp_path)]


@pytest.mark.slow
@pytest.mark.xdist_group("node")
@TRANSPORTS
@pytest.mark.parametrize(("sdk", "revision"), [("1", "legacy"), ("2", "legacy"), ("2", "2026-07-28")])
def test_the_typescript_client_walks_through(transport, sdk, revision, command, start_everything):
    install()
    target = command if transport == "stdio" else [f"{start_everything()[1]}/mcp/everything"]
    run = node("walk.mjs", sdk, revision, *target)
    assert run.returncode == 0, run.stderr
    check_walk(json.loads(run.stdout.splitlines()[-1]), legacy=revision == "legacy" and sdk == "1")


def check_walk(seen, *, legacy: bool) -> None:
    assert (seen["server"]["name"], seen["server"]["version"]) == ("Everything Server", "9.9")
    assert seen["capabilities"]["tools"] == {}
    assert seen["capabilities"]["resources"] == {"subscribe": True, "listChanged": True}
    assert seen["tools"] == ["add", "rename", "delete", "purge", "walk", "show"]
    assert seen["added"]["structuredContent"] == {"id": 1, "title": "Walls"}
    assert seen["shown"] == CONTENT
    assert seen["progress"] == PROGRESS
    assert seen["refused"]["isError"]
    assert seen["refused"]["structuredContent"] == {"kind": "not_found"}
    assert seen["resources"] == ["tasks://all", *(f"tasks://{number}" for number in range(1, 5))]
    assert seen["templates"] == ["tasks://{id}"]
    assert seen["read"][0]["text"] == "Walls\nStep 1\nStep 2\nStep 3"
    assert seen["missing"]["code"] == (-32002 if legacy else -32602)  # the newer client translates for itself
    assert "Resource not found: tasks://nowhere" in seen["missing"]["message"]
    assert seen["prompts"] == ["greet", "picture"]
    assert seen["prompt"][0]["content"]["text"] == "Hello Ada, well."
    assert seen["completion"] == {"values": ["24", *map(str, range(240, 250))], "total": 11, "hasMore": False}
    assert seen["updates"] == ["tasks://1"]
    assert seen["asked"] == ["Delete “Higher walls”?"] * 2
    assert seen["kept"]["content"][0]["text"] == "Nothing was changed: it was not confirmed."
    assert seen["deleted"]["content"][0]["text"] == "Deleted."
    assert seen["cancelled"]
    assert seen["stoppedWalking"]


@pytest.mark.anyio
@pytest.mark.filterwarnings("ignore:resources/subscribe is removed")
@TRANSPORTS
@pytest.mark.parametrize(("mode", "revision"), [("legacy", "2025-11-25"), ("auto", "2026-07-28")])
async def test_the_python_client_walks_through(transport, mode, revision, command, start_everything):
    target = StdioServerParameters(command=command[0], args=command[1:])
    if transport == "http":
        target = f"{start_everything()[1]}/mcp/everything"
    asked, updates, progress = [], asyncio.Event(), []
    answers = [ElicitResult(action="decline"), ElicitResult(action="accept", content={"confirm": True})]

    async def answer(context, params):
        asked.append(params.message)
        return answers.pop(0)

    async def hear(message):
        if isinstance(message, ResourceUpdatedNotification):
            updates.set()

    async def note(*step):
        progress.append(list(step))

    async with Client(target, mode=mode, elicitation_callback=answer, message_handler=hear) as client:
        assert client.protocol_version == revision
        assert client.server_info.name == "Everything Server"
        assert len((await client.list_tools()).tools) == 6
        assert (await client.call_tool("add", {"title": "Walls"})).structured_content == {"id": 1, "title": "Walls"}
        assert [part.type for part in (await client.call_tool("show", {})).content] == CONTENT
        await client.call_tool("walk", {"steps": 3}, progress_callback=note)
        assert progress == PROGRESS
        assert len((await client.list_resources()).resources) == 5
        assert (await client.read_resource("tasks://1")).contents[0].text == "Walls"
        with pytest.raises(MCPError, match="Resource not found: tasks://nowhere"):
            await client.read_resource("tasks://nowhere")
        assert (await client.get_prompt("greet", {"name": "Ada"})).messages[0].content.text == "Hello Ada, well."
        task = ResourceTemplateReference(uri="tasks://{id}")
        assert (await client.complete(task, {"name": "id", "value": "24"})).completion.total == 11
        with anyio.fail_after(5):
            if mode == "legacy":
                await client.session.subscribe_resource("tasks://1")
                await client.call_tool("rename", {"id": 1, "title": "Higher walls"})
                await updates.wait()
            else:
                async with client.listen(resource_subscriptions=["tasks://1"]) as changes:
                    await client.call_tool("rename", {"id": 1, "title": "Higher walls"})
                    assert (await anext(aiter(changes))).uri == "tasks://1"
        assert "not confirmed" in (await client.call_tool("delete", {"id": 1})).content[0].text
        assert (await client.call_tool("delete", {"id": 1})).content[0].text == "Deleted."
        assert asked == ["Delete “Higher walls”?"] * 2
        await check_cancelling(client)


async def check_cancelling(client: Client) -> None:
    """What is cancelled stops at its next step."""

    async def count() -> int:
        return len((await client.read_resource("tasks://all")).contents[0].text.splitlines())

    before = await count()
    with anyio.move_on_after(0.5):
        await client.call_tool("walk", {"steps": 10_000, "pause": 0.01})
    await anyio.sleep(0.3)
    stopped = await count()
    await anyio.sleep(0.3)
    assert before < stopped == await count()
