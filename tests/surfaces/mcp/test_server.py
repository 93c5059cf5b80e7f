from __future__ import annotations

import logging
from dataclasses import replace
from typing import get_args

import pytest
from jsonschema import Draft202012Validator
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS, Implementation, PaginatedRequestParams
from pydantic import Field, create_model

from taskpilot.app import App
from taskpilot.domain.errors import Kind
from taskpilot.surfaces.mcp.errors import ERROR_META_KEY
from taskpilot.surfaces.mcp.server import serve
from taskpilot.surfaces.mcp.tools import find_header_schema
from taskpilot.toolkit import Args, Contract

Routed = Field(json_schema_extra={"x-mcp-header": "Place"})
ERAS = pytest.mark.parametrize("mode", ["legacy", "auto"])


@pytest.fixture
def connect(app: App, contract: Contract):
    """An in-memory client of the official SDK."""
    return lambda mode, name="tester": Client(
        serve(app, contract), mode=mode, client_info=Implementation(name=name, version="1") if name else None
    )


@pytest.mark.anyio
@ERAS
async def test_tools_are_listed_with_their_schemas_and_hints(connect, mode):
    async with connect(mode) as client:
        listed = (await client.list_tools()).tools
    assert [tool.name for tool in listed] == ["echo", "who", "fail"]
    for tool in listed:
        Draft202012Validator.check_schema(tool.input_schema)
        Draft202012Validator.check_schema(tool.output_schema)
        assert tool.title
        assert tool.description
        assert tool.annotations.open_world_hint is False
    echo, _, fail = listed
    assert echo.annotations.read_only_hint is True
    assert fail.annotations.read_only_hint is False
    assert fail.annotations.destructive_hint is True


@pytest.mark.anyio
@ERAS
async def test_the_greeting_names_the_product_and_says_how_to_use_it(connect, mode):
    async with connect(mode) as client:
        assert client.server_info.name == "taskpilot"
        assert client.instructions == "Use it."
        assert client.server_capabilities.model_dump(exclude_none=True) == {"tools": {}}


@pytest.mark.anyio
@ERAS
async def test_a_cursor_nobody_gave_out_is_refused(connect, mode):
    async with connect(mode) as client:
        with pytest.raises(MCPError) as refused:
            await client.session.list_tools(params=PaginatedRequestParams(cursor="page-2"))
    assert refused.value.error.code == INVALID_PARAMS


@pytest.mark.anyio
@ERAS
async def test_a_call_answers_with_words_and_data(connect, mode):
    async with connect(mode) as client:
        result = await client.call_tool("echo", {"word": "häuser"})
    assert not result.is_error
    assert result.content[0].text == "häuser"
    assert result.structured_content == {"said": "häuser"}


@pytest.mark.anyio
@ERAS
async def test_an_unknown_tool_is_a_malformed_call(connect, mode):
    async with connect(mode) as client:
        with pytest.raises(MCPError) as refused:
            await client.call_tool("nope", {})
    assert refused.value.error.code == INVALID_PARAMS
    assert refused.value.error.message == "Unknown tool: nope"


@pytest.mark.anyio
@ERAS
@pytest.mark.parametrize("kind", get_args(Kind))
async def test_every_kind_of_error_is_a_result_the_model_can_read(connect, mode, kind):
    async with connect(mode) as client:
        await client.list_tools()  # so that the client knows the output schema
        result = await client.call_tool("fail", {"word": kind})
    assert result.is_error
    assert result.content[0].text == "It failed. Do better."
    assert result.meta[ERROR_META_KEY] == {"kind": kind, "message": "It failed.", "hint": "Do better."}
    assert result.structured_content is None


def test_only_a_schema_that_names_a_header_is_checked_against_headers(contract):
    echo, *_ = contract.tools
    assert find_header_schema(echo) is None
    routed = replace(echo, args=create_model("Routed", __base__=Args, place=(str, Routed)))
    assert find_header_schema(routed) == routed.input_schema


@pytest.mark.anyio
@ERAS
async def test_wrong_arguments_are_named(connect, mode):
    async with connect(mode) as client:
        result = await client.call_tool("echo", {"wort": "x"})
    assert result.is_error
    assert "word" in result.content[0].text
    assert "wort" in result.content[0].text


@pytest.mark.anyio
@ERAS
async def test_a_bug_is_logged_with_an_id_and_tells_the_wire_nothing_else(connect, mode, caplog):
    with caplog.at_level(logging.ERROR):
        async with connect(mode) as client:
            with pytest.raises(MCPError) as failed:
                await client.call_tool("fail", {"word": "sesame"})
    assert failed.value.error.code == INTERNAL_ERROR
    assert failed.value.error.data is None
    assert "sesame" not in failed.value.error.message
    (record,) = [record for record in caplog.records if record.name == "taskpilot.surfaces.mcp.errors"]
    assert record.incident in failed.value.error.message
    assert "secret sesame" in str(record.exc_info[1])


@pytest.mark.anyio
@ERAS
@pytest.mark.parametrize(
    ("client_name", "actor"),
    [("claude-code", "claude-code"), (" \u202e\x1b[31mred\n ", "[31mred"), ("n" * 200, "n" * 80), ("\t", "dev-user")],
)
async def test_history_will_name_the_client_as_the_one_who_acted(connect, mode, client_name, actor):
    async with connect(mode, client_name) as client:
        result = await client.call_tool("who", {})
    assert result.structured_content == {"said": f"1 {actor} small"}
