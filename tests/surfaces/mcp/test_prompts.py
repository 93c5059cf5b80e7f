from __future__ import annotations

import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, PromptReference, ResourceTemplateReference

pytestmark = pytest.mark.anyio
ERAS = pytest.mark.parametrize("mode", ["legacy", "auto"])
GREET = PromptReference(name="greet")
TASK = ResourceTemplateReference(uri="tasks://{id}")


@ERAS
async def test_prompts_are_listed_with_their_arguments(connect_to_everything, mode):
    async with connect_to_everything(mode) as client:
        greet, picture = (await client.list_prompts()).prompts
    assert [(each.name, each.required) for each in greet.arguments] == [("name", True), ("mood", False)]
    assert picture.arguments is None


@ERAS
async def test_a_prompt_is_made_of_its_arguments(connect_to_everything, mode):
    async with connect_to_everything(mode) as client:
        made = await client.get_prompt("greet", {"name": "Ada", "mood": "late"})
        parts = await client.get_prompt("picture")
    assert [(each.role, each.content.text) for each in made.messages] == [("user", "Hello Ada, late.")]
    assert [each.content.type for each in parts.messages] == ["text", "image", "resource"]


@ERAS
@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("nope", {}, "Unknown prompt: nope"),
        ("greet", {}, "name: missing"),
        ("greet", {"name": ""}, "name: missing"),
        ("greet", {"mood": "x", "colour": "red"}, "name: missing; colour: unknown"),
        ("picture", {"size": "1"}, "size: unknown"),
    ],
)
async def test_a_prompt_that_cannot_be_made_says_why(connect_to_everything, mode, name, arguments, says):
    async with connect_to_everything(mode) as client:
        with pytest.raises(MCPError, match=says) as refused:
            await client.get_prompt(name, arguments)
    assert refused.value.error.code == INVALID_PARAMS


@ERAS
async def test_what_is_begun_is_completed(connect_to_everything, mode):
    async with connect_to_everything(mode) as client:
        some = (await client.complete(GREET, {"name": "name", "value": "a"})).completion
        context = (await client.complete(GREET, {"name": "name", "value": "g"}, {"mood": "fine"})).completion
        many = (await client.complete(TASK, {"name": "id", "value": ""})).completion
    assert (some.values, some.total, some.has_more) == (["ada", "alan"], 2, False)
    assert context.values == ["grace", "fine"]
    assert (len(many.values), many.total, many.has_more) == (100, 250, True)


@ERAS
@pytest.mark.parametrize(
    ("reference", "argument", "says"),
    [
        (PromptReference(name="nope"), "name", "Unknown prompt: nope"),
        (GREET, "colour", "Unknown argument: colour. Arguments: name, mood."),
        (ResourceTemplateReference(uri="tasks://{x}"), "x", "Unknown resource template"),
        (TASK, "name", "Unknown argument: name"),
    ],
)
async def test_what_cannot_be_completed_is_told(connect_to_everything, mode, reference, argument, says):
    async with connect_to_everything(mode) as client:
        with pytest.raises(MCPError, match=says) as refused:
            await client.complete(reference, {"name": argument, "value": ""})
    assert refused.value.error.code == INVALID_PARAMS
