from __future__ import annotations

import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolRequestParams, ElicitationCapability, ElicitResult, UrlElicitationCapability

from taskpilot.domain.errors import NotFound
from taskpilot.ops import tasks
from taskpilot.surfaces.mcp.questions import seal

pytestmark = pytest.mark.anyio
ERAS = pytest.mark.parametrize("mode", ["legacy", "auto"])


class Person:
    """Answers every question the same way."""

    def __init__(self, action: str = "accept", content: dict | None = None) -> None:
        self.asked: list[str] = []
        self._answer = ElicitResult(action=action, content=content)

    async def __call__(self, context, params):
        self.asked.append(params.message)
        return self._answer


def exists(do, task) -> bool:
    try:
        do(tasks.get, task.id)
    except NotFound:
        return False
    return True


@ERAS
@pytest.mark.parametrize("content", [{"confirm": True}, {}, None])
async def test_what_a_person_confirms_is_done(connect_to_everything, mode, add, do, content):
    task, person = add("Walls"), Person("accept", content)
    async with connect_to_everything(mode, elicitation_callback=person) as client:
        result = await client.call_tool("delete", {"id": task.id})
    assert person.asked == ["Delete “Walls”?"]
    assert result.content[0].text == "Deleted."
    assert not exists(do, task)


@ERAS
@pytest.mark.parametrize(("action", "content"), [("decline", None), ("cancel", None), ("accept", {"confirm": False})])
async def test_what_a_person_does_not_confirm_is_left_alone(connect_to_everything, mode, add, do, action, content):
    task, person = add("Walls"), Person(action, content)
    async with connect_to_everything(mode, elicitation_callback=person) as client:
        await client.list_tools()  # so that the client knows the output schemas
        result = await client.call_tool("delete", {"id": task.id})
        promised = await client.call_tool("purge", {"id": task.id})
    assert not result.is_error
    assert result.content[0].text == "Nothing was changed: it was not confirmed."
    assert not promised.is_error
    assert promised.structured_content == {"id": 0, "title": ""}
    assert exists(do, task)


@ERAS
async def test_a_client_that_cannot_ask_is_trusted_to_have_asked(connect_to_everything, mode, add, do):
    task = add("Walls")
    async with connect_to_everything(mode) as client:
        assert (await client.call_tool("delete", {"id": task.id})).content[0].text == "Deleted."
    assert not exists(do, task)


@ERAS
async def test_a_client_that_only_opens_web_pages_is_not_asked(connect_to_everything, mode, add, do, monkeypatch):
    only_url = ElicitationCapability(url=UrlElicitationCapability())
    monkeypatch.setattr("mcp.client.session.types.ElicitationCapability", lambda **_: only_url)
    task, person = add("Walls"), Person()
    async with connect_to_everything(mode, elicitation_callback=person) as client:
        await client.call_tool("delete", {"id": task.id})
    assert person.asked == []
    assert not exists(do, task)


@ERAS
async def test_what_needs_no_question_is_done_without_one(connect_to_everything, mode, add, do):
    task, person = add("Rubbish"), Person("decline")
    async with connect_to_everything(mode, elicitation_callback=person) as client:
        await client.call_tool("delete", {"id": task.id})
    assert person.asked == []
    assert not exists(do, task)


@ERAS
async def test_nobody_is_asked_about_what_is_not_there(connect_to_everything, mode):
    person = Person()
    async with connect_to_everything(mode, elicitation_callback=person) as client:
        result = await client.call_tool("delete", {"id": 99})
    assert person.asked == []
    assert result.is_error
    assert "Task 99 not found" in result.content[0].text


async def test_a_person_who_cannot_be_reached_has_not_agreed(connect_to_everything, add, do):
    async def fail(context, params):
        raise MCPError(-1, "The window is closed.")

    task = add("Walls")
    async with connect_to_everything("legacy", elicitation_callback=fail) as client:
        result = await client.call_tool("delete", {"id": task.id})
    assert result.content[0].text == "Nothing was changed: it was not confirmed."
    assert exists(do, task)


def test_an_answer_belongs_to_its_question():
    call = CallToolRequestParams(name="delete", arguments={"id": 1})
    assert seal(call, "Delete “Walls”?") == seal(call.model_copy(), "Delete “Walls”?")
    assert seal(call, "Delete “Roof”?") != seal(call, "Delete “Walls”?")
    assert seal(call.model_copy(update={"arguments": {"id": 2}}), "Delete “Walls”?") != seal(call, "Delete “Walls”?")


async def test_a_yes_to_one_question_does_not_confirm_another(connect_to_everything, add, do):
    first, second = add("Walls"), add("Roof")
    person = Person()
    answers = {"confirm": ElicitResult(action="accept", content={"confirm": True})}
    async with connect_to_everything("auto", elicitation_callback=person) as client:
        yes = seal(CallToolRequestParams(name="delete", arguments={"id": first.id}), "Delete “Walls”?")
        with pytest.raises(MCPError, match="another question"):
            await call_raw(client, second.id, answers, yes)
        assert exists(do, second)
        await call_raw(client, first.id, answers, yes)
    assert not exists(do, first)


async def call_raw(client: Client, task_id: int, answers, state):
    """One round of the newer era, by hand."""
    return await client.session.call_tool(
        "delete", {"id": task_id}, input_responses=answers, request_state=state, allow_input_required=True
    )
