"""The todo assistant asks before it deletes, whatever revision its client speaks."""

from __future__ import annotations

import mcp_types as types
import pytest
from mcp import Client

from taskpilot import contracts
from taskpilot.domain.errors import NotFound
from taskpilot.ops import tasks
from taskpilot.surfaces.mcp.server import serve

pytestmark = pytest.mark.anyio
QUESTION = "Are you sure you want to delete task #1 ('Buy groceries')? This cannot be undone. (yes/no)"


@pytest.fixture
def assistant(app):
    """A client whose person answers every question in the same way."""
    asked: list[str] = []

    def connect(mode: str, action: str | None) -> Client:
        async def answer(_, params):
            asked.append(params.message)
            return types.ElicitResult(action=action, content={} if action == "accept" else None)

        server = serve(app, contracts.load("todo"))
        return Client(server, mode=mode, **({"elicitation_callback": answer} if action else {}))

    connect.asked = asked
    return connect


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_yes_deletes(do, add, assistant, mode):
    add("Buy groceries")
    async with assistant(mode, "accept") as client:
        result = await client.call_tool("delete_task", {"task_id": 1})
    assert assistant.asked == [QUESTION]
    assert result.content[0].text == "Done! I've deleted task #1 ('Buy groceries') from your list."
    with pytest.raises(NotFound):
        do(tasks.get, 1)


@pytest.mark.parametrize("action", ["decline", "cancel"])
@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_no_changes_nothing(do, add, assistant, mode, action):
    add("Buy groceries")
    async with assistant(mode, action) as client:
        await client.call_tool("delete_task", {"task_id": 1})
    assert assistant.asked == [QUESTION]
    assert do(tasks.get, 1).title == "Buy groceries"


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_client_that_cannot_ask_has_been_told_to_confirm(do, add, assistant, mode):
    add("Buy groceries")
    async with assistant(mode, None) as client:
        result = await client.call_tool("delete_task", {"task_id": 1})
    assert not result.is_error
    with pytest.raises(NotFound):
        do(tasks.get, 1)
