"""Who asks before it acts, and what becomes of the answer."""

from __future__ import annotations

import asyncio

import pytest

from taskpilot.agents.talk import Asked
from taskpilot.domain.run import Agent, Kind
from tests.agents.scripted.scripted import write
from tests.agents.ways.conftest import AGENTS, Desk, Ears, Stage, find_left

pytestmark = pytest.mark.anyio
ANSWERS = [
    ("allow_once", "allowed: allow"),
    ("allow", "allowed: allow"),
    ("allow_always", "allowed: allow_always"),
    ("reject_once", "denied: reject"),
    ("", "denied: cancelled"),
    ("nonsense", "denied: cancelled"),
]


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize(("answer", "heard"), ANSWERS)
async def test_an_agent_gets_the_answer_it_asked_for(stage: Stage, agent: Agent, answer: str, heard: str) -> None:
    stage.ears.answer = answer

    outcome = await stage.play(agent, "acp", write({"say": "May I?"}, {"ask": "rm -rf build", "kind": "execute"}))

    assert outcome.ok, outcome.error
    (asked,) = stage.ears.asked
    assert (asked.title, asked.kind) == ("rm -rf build", "execute")
    assert [option.kind for option in asked.options] == ["allow_always", "allow_once", "reject_once"]
    assert dict(asked.data or {})["command"] == "rm -rf build"
    assert stage.ears.texts() == ["May I?", heard]


async def test_all_that_was_said_before_a_question_is_heard_before_it(stage: Stage) -> None:
    class Strict(Ears):
        async def permit(self, asked: Asked) -> str:
            assert self.texts() == ["May I?"]
            assert [call["name"] for call in self.told(Kind.TOOL_CALL)] == ["make it so"]
            await asyncio.sleep(1.5)
            return await super().permit(asked)

    ears = Strict()
    outcome = await stage.play(Agent.CLAUDECODE, "acp", write({"say": "May I?"}, {"ask": "make it so"}), ears)

    assert outcome.ok, outcome.error
    assert ears.texts() == ["May I?", "allowed: allow"]


async def test_who_cannot_be_asked_ends_the_turn(stage: Stage) -> None:
    class Gone(Ears):
        async def permit(self, asked: Asked) -> str:
            raise LookupError("the run is not ours any more")

    with pytest.raises(LookupError):
        await stage.play(Agent.CLAUDECODE, "acp", write({"ask": "make it so"}, {"hang": True}), Gone())

    assert find_left(stage) == []


async def test_a_question_that_nobody_answers_does_not_hold_up_a_cancel(stage: Stage) -> None:
    class Slow(Ears):
        async def permit(self, asked: Asked) -> str:
            await super().permit(asked)
            await asyncio.Event().wait()
            return ""

    ears = Slow()
    playing = asyncio.create_task(stage.play(Agent.CODEX, "acp", write({"ask": "make it so"}), ears))
    await ears.wait_until(lambda ears: ears.asked)

    playing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await playing

    assert find_left(stage) == []


@pytest.mark.parametrize("agent", AGENTS)
async def test_one_that_cannot_ask_on_its_way_is_allowed_to_start_first(stage: Stage, agent: Agent) -> None:
    outcome = await stage.play(agent, "cli_json", write({"say": "at work"}))

    assert outcome.ok, outcome.error
    (asked,) = stage.ears.asked
    assert asked.kind == "execute"
    assert "without asking" in asked.title


@pytest.mark.parametrize("answer", ["deny", "reject_once", "", "nonsense"])
async def test_one_that_was_not_allowed_to_start_does_not(stage: Stage, answer: str) -> None:
    stage.ears.answer = answer

    outcome = await stage.play(Agent.CODEX, "cli_json", write({"edit": "made.txt"}))

    assert (outcome.ok, outcome.reason) == (False, "refusal")
    assert "not allowed" in outcome.error
    assert not (stage.cwd / "made.txt").exists()


OURS = ["mcp__taskpilot__report", "mcp.taskpilot.report", "report (taskpilot MCP Server)"]


@pytest.mark.parametrize("title", OURS)
async def test_tools_of_our_own_server_are_not_asked_about(stage: Stage, desk: Desk, title: str) -> None:
    prompt = write({"ask": title, "kind": "other", "input": {"note": "half way"}})

    await stage.play(Agent.CLAUDECODE, "acp", prompt, mcp=desk.server)

    assert stage.ears.asked == []
    assert stage.ears.texts() == ["allowed: allow"]


@pytest.mark.parametrize(
    ("title", "given"),
    [
        ("mcp__taskpilot__report", {"command": "mcp__taskpilot__report"}),
        ("mcp__taskpilot__report; rm -rf .", {}),
        ("mcp__elsewhere__report", {}),
        ("Bash(mcp__taskpilot__report)", {}),
    ],
)
async def test_what_only_looks_like_our_own_tool_is_asked(stage: Stage, desk: Desk, title: str, given: dict) -> None:
    stage.ears.answer = "reject_once"

    await stage.play(Agent.CLAUDECODE, "acp", write({"ask": title, "input": given}), mcp=desk.server)

    assert [asked.title for asked in stage.ears.asked] == [title]
    assert stage.ears.texts() == ["denied: reject"]
