"""An assistant waits for an agent: it hears the log on the way, and its person is asked what the agent asks."""

from __future__ import annotations

import asyncio

import pytest
from mcp.client import Client
from mcp_types import ElicitResult

from taskpilot import contracts
from taskpilot.ops import questions
from taskpilot.surfaces.mcp.server import serve
from tests.contracts import stage

pytestmark = pytest.mark.anyio
ERAS = pytest.mark.parametrize("mode", ["legacy", "auto"])
CALLS = pytest.mark.parametrize(
    ("contract", "tool", "name"), [("native", "run_get", "run"), ("coder", "report_task", "taskId")]
)
PATIENCE = 30


@pytest.fixture
def place(tmp_path) -> str:
    return str(tmp_path / "taskpilot.db")


@pytest.fixture
def seat(app, add, tmp_path):
    return stage.seat(app, add("Login", workspace=str(tmp_path)).id)


def subject(seat, name):
    return {name: seat.run if name == "run" else str(seat.task)}


class Person:
    """Gives one answer to everything."""

    def __init__(self, action: str, content: dict | None) -> None:
        self.asked = []
        self._answer = ElicitResult(action=action, content=content)

    async def __call__(self, _, params):
        self.asked.append((params.message, params.requested_schema["properties"]["answer"]["enum"]))
        return self._answer


@ERAS
@CALLS
async def test_the_log_is_told_as_progress_until_the_run_rests(app, seat, mode, contract, tool, name):
    told = []

    async def hear(progress, total, message):
        told.append((progress, message))

    async def work():
        for number in range(3):
            await asyncio.to_thread(seat.say, f"Step {number}")
        await asyncio.to_thread(seat.finish)

    async with Client(serve(app, contracts.load(contract)), mode=mode) as client:
        working = asyncio.create_task(work())
        given = {**subject(seat, name), "wait": PATIENCE}
        result = await asyncio.wait_for(client.call_tool(tool, given, progress_callback=hear), PATIENCE)
        await working
    assert not result.is_error
    assert "waiting" in result.content[0].text
    numbers = [number for number, _ in told]
    assert numbers == sorted(set(numbers))
    assert any("Step 2" in message for _, message in told)
    assert any("end" in message for _, message in told)


@ERAS
@CALLS
async def test_what_the_agent_asks_is_put_to_the_person(app, seat, do, mode, contract, tool, name):
    question = seat.ask("May it run make?", kind="execute")
    person = Person("accept", {"answer": "allow_once"})
    async with Client(serve(app, contracts.load(contract)), mode=mode, elicitation_callback=person) as client:
        result = await client.call_tool(tool, {**subject(seat, name), "wait": PATIENCE})
    assert person.asked == [("May it run make?", ["allow_once", "allow_always", "deny"])]
    assert do(questions.get, question.id).answer == "allow_once"
    assert "asks" not in result.content[0].text


@ERAS
@pytest.mark.parametrize(("action", "content"), [("decline", None), ("cancel", None), ("accept", {"answer": "maybe"})])
async def test_a_question_that_is_not_answered_stays_open_and_is_told(app, seat, do, mode, action, content):
    question = seat.ask("May it run make?")
    person = Person(action, content)
    async with Client(serve(app, contracts.load("native")), mode=mode, elicitation_callback=person) as client:
        result = await client.call_tool("run_get", {"run": seat.run, "wait": PATIENCE})
    assert do(questions.get, question.id).open
    assert result.structured_content["question"]["id"] == question.id
    assert "allow_once, allow_always, deny" in result.content[0].text


@ERAS
async def test_a_client_that_cannot_ask_is_told_the_question(app, seat, mode):
    question = seat.ask("May it run make?")
    async with Client(serve(app, contracts.load("native")), mode=mode) as client:
        result = await client.call_tool("run_get", {"run": seat.run, "wait": PATIENCE})
    assert result.structured_content["question"]["id"] == question.id


@ERAS
async def test_nobody_is_asked_who_only_looks(app, seat, mode):
    seat.ask("May it run make?")
    person = Person("accept", {"answer": "allow_once"})
    async with Client(serve(app, contracts.load("native")), mode=mode, elicitation_callback=person) as client:
        await client.call_tool("run_get", {"run": seat.run})
    assert person.asked == []


@ERAS
async def test_patience_comes_to_an_end(app, seat, mode):
    async with Client(serve(app, contracts.load("native")), mode=mode) as client:
        result = await client.call_tool("run_get", {"run": seat.run, "wait": 1})
    assert result.structured_content["state"] == "in_progress"


async def test_a_log_is_followed_as_it_grows(app, seat):
    async with Client(serve(app, contracts.load("native")), mode="auto") as client:
        first = await client.call_tool("run_get", {"run": seat.run, "show": "log"})
        after = first.structured_content["after"]
        asking = asyncio.create_task(
            client.call_tool("run_get", {"run": seat.run, "show": "log", "after": after, "wait": PATIENCE})
        )
        await asyncio.sleep(0.1)
        await asyncio.to_thread(seat.say, "News")
        more = await asyncio.wait_for(asking, PATIENCE)
    assert [each["text"] for each in more.structured_content["entries"]] == ["News"]


@ERAS
async def test_creating_a_task_tells_its_progress_and_ends_at_once(app, mode, tmp_path):
    told = []

    async def hear(progress, total, message):
        told.append(message)

    given = {
        "tool": "CODEX",
        "description": "Fix it",
        "instructions": "Now",
        "config": {"workspace_path": str(tmp_path)},
    }
    async with Client(serve(app, contracts.load("coder")), mode=mode) as client:
        made = await client.call_tool("create_task", given, progress_callback=hear)
    assert told == ["Task 1 created, CODEX is pending"]
    assert made.structured_content["result"]["status"] == "pending"
