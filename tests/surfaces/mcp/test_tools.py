from __future__ import annotations

from dataclasses import replace

import pytest
from mcp.client import Client

from taskpilot.ops import tasks
from taskpilot.surfaces.mcp.server import serve
from taskpilot.surfaces.mcp.tools import describe
from tests.surfaces.mcp import everything

ERAS = pytest.mark.parametrize("mode", ["legacy", "auto"])


def test_a_tool_is_described_with_what_it_has_and_nothing_else():
    rename, purge, walk = (describe(each) for each in (everything.rename, everything.purge, everything.walk))
    assert "outputSchema" not in rename
    assert "_meta" not in rename
    assert purge["_meta"] == {"category": "danger"}
    assert purge["outputSchema"]["required"] == ["id", "title"]
    assert walk["annotations"] == {
        "readOnlyHint": False,
        "destructiveHint": False,
        "idempotentHint": False,
        "openWorldHint": True,
    }


@pytest.mark.anyio
@ERAS
async def test_the_greeting_is_the_contracts_own(connect_to_everything, mode):
    async with connect_to_everything(mode) as client:
        assert (client.server_info.name, client.server_info.version) == ("Everything Server", "9.9")
        assert client.server_capabilities.model_dump(exclude_none=True, by_alias=True) == {
            "tools": {},
            "resources": {"subscribe": True, "listChanged": True},
            "prompts": {},
            "completions": {},
        }


@pytest.mark.anyio
@ERAS
async def test_what_nothing_changes_is_not_said_to_change(app, mode):
    still = replace(
        everything.CONTRACT.library, touched=everything.Library.touched, reshelved=everything.Library.reshelved
    )
    contract = replace(everything.CONTRACT, library=still, extensions={"io.modelcontextprotocol/ui": {"x": 1}})
    async with Client(serve(app, contract), mode=mode) as client:
        told = client.server_capabilities.model_dump(exclude_none=True, by_alias=True)
    assert told["resources"] == {}
    expected = None if mode == "legacy" else {"io.modelcontextprotocol/ui": {"x": 1}}  # extensions came in 2026
    assert told.get("extensions") == expected


@pytest.mark.anyio
@ERAS
async def test_a_reply_without_data_has_no_structured_content(connect_to_everything, mode, add):
    task = add("Walls")
    async with connect_to_everything(mode) as client:
        result = await client.call_tool("rename", {"id": task.id, "title": "Higher walls"})
    assert "structured_content" not in result.model_fields_set
    assert result.content[0].text == "Renamed."


@pytest.mark.anyio
@ERAS
async def test_a_reply_carries_every_kind_of_content(connect_to_everything, mode):
    async with connect_to_everything(mode) as client:
        result = await client.call_tool("show", {})
    text, image, audio, link, note, raw = [
        part.model_dump(by_alias=True, exclude_none=True, mode="json") for part in result.content
    ]
    stamp = {"audience": ["user"], "priority": 0.5, "lastModified": "2026-01-01T12:00:00Z"}
    assert text == {"type": "text", "text": "Look."}
    assert image == {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png", "annotations": stamp}
    assert audio == {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"}
    assert link == {
        "type": "resource_link",
        "uri": "tasks://1",
        "name": "task",
        "title": "Task 1",
        "mimeType": "application/json",
        "annotations": stamp,
    }
    assert note == {
        "type": "resource",
        "resource": {"uri": "tasks://note", "mimeType": "text/plain", "text": "hello", "_meta": {"name": "note"}},
        "annotations": stamp,
    }
    assert raw == {
        "type": "resource",
        "resource": {"uri": "tasks://raw", "mimeType": "image/png", "blob": "iVBORw0KGgo=", "_meta": {"x": 1}},
    }


@pytest.mark.anyio
@ERAS
async def test_a_contract_tells_its_failures_in_its_own_words(connect_to_everything, mode):
    async with connect_to_everything(mode) as client:
        for arguments in ({"id": 99, "title": "x"}, {"id": "99"}):
            result = await client.call_tool("rename", arguments)
            assert result.is_error
            assert result.content[0].text.startswith("rename says no: ")
            assert result.structured_content["kind"] in ("not_found", "invalid")
            assert "taskpilot/error" not in (result.meta or {})


@pytest.mark.anyio
@ERAS
async def test_an_errand_tells_how_far_it_is(connect_to_everything, mode, do):
    steps = []

    async def note(*step):
        steps.append(step)

    async with connect_to_everything(mode) as client:
        result = await client.call_tool("walk", {"steps": 300}, progress_callback=note)
        quiet = await client.call_tool("walk", {"steps": 2})
    assert result.content[0].text == "300 steps."
    assert quiet.content[0].text == "2 steps."
    assert steps[-1] == (300, 300, "step 300")
    assert [step[0] for step in steps] == sorted({step[0] for step in steps})
    assert do(tasks.get, 302).title == "Step 2"
