"""What holds for every agent, by whichever way it is run. Each program is a real one, and so is what it does."""

from __future__ import annotations

import asyncio
import time

import pytest

from taskpilot.agents.talk import Spent
from taskpilot.domain.run import Agent, Kind
from tests.agents.scripted.scripted import write
from tests.agents.ways.conftest import PAIRS, Desk, Ears, Stage, find_left

pytestmark = pytest.mark.anyio
each = pytest.mark.parametrize(("agent", "way"), PAIRS)


@each
async def test_a_turn_is_told_from_its_first_word_to_its_end(stage: Stage, agent: Agent, way: str) -> None:
    steps = [
        {"think": "let me see"},
        {"say": "I will write a file."},
        {"edit": "notes/hello.txt", "content": "hello\n"},
        {"run": ["cat", "notes/hello.txt"]},
        {"run": ["ls", "not-there"]},
        {"usage": [100, 20, 0.25]},
        {"usage": [10, 2, 0.05]},
        {"say": "Ready."},
    ]

    outcome = await stage.play(agent, way, write(*steps))

    ears = stage.ears
    assert outcome.ok, outcome.error
    assert outcome.reason == "end_turn"
    assert (stage.cwd / "notes/hello.txt").read_text() == "hello\n"
    assert ears.texts(Kind.THOUGHT) == ["let me see"]
    assert ears.texts() == ["I will write a file.", "Ready."]
    (change,) = ears.told(Kind.FILE_CHANGE)
    assert change["path"] == "notes/hello.txt"
    edit, cat, ls = ears.told(Kind.TOOL_CALL)
    assert (edit["kind"], cat["kind"], cat["command"]) == ("edit", "execute", "cat notes/hello.txt")
    results = {result["id"]: result["ok"] for result in ears.told(Kind.TOOL_RESULT)}
    assert results == {edit["id"]: True, cat["id"]: True, ls["id"]: False}
    assert "hello" in ears.texts(Kind.TOOL_RESULT)
    assert (ears.sum("tokens_in"), ears.sum("tokens_out")) == (110, 22)
    if (agent, way) not in ((Agent.CODEX, "cli_json"), (Agent.GEMINI, "cli_json")):  # which tell of no money
        assert ears.sum("cost_micros") == 300_000
    assert ears.told(Kind.END) == [{"reason": "end_turn"}]
    assert ears.said[-1].kind is Kind.END
    assert ears.sessions == [outcome.session]
    assert find_left(stage) == []


@each
async def test_a_prompt_without_a_script_is_answered_too(stage: Stage, agent: Agent, way: str) -> None:
    prompt = "--help\n-p " + "a long story " * 30_000

    outcome = await stage.play(agent, way, prompt)

    assert outcome.ok, outcome.error
    assert stage.ears.texts() == ["done"]


@each
async def test_a_session_is_resumed_and_remembers(stage: Stage, agent: Agent, way: str) -> None:
    first = await stage.play(agent, way, write({"usage": [100, 10, 0.5]}, {"recall": True}))
    again = Ears()
    spent = Spent(*(stage.ears.sum(name) for name in ("tokens_in", "tokens_out", "cost_micros")))

    more = {"session": first.session, "spent": spent, "anew": write({"say": "anew"})}
    second = await stage.play(agent, way, write({"usage": [7, 3, 0.25]}, {"recall": True}), again, **more)

    assert stage.ears.texts() == ["turn 1"]
    if (agent, way) == (Agent.GEMINI, "acp"):
        assert not first.resumable
        assert again.texts() == ["anew"]
        assert "Invalid session" in again.texts(Kind.LOG)[0]
        return
    assert first.resumable
    assert again.texts() == ["turn 2"]
    assert second.session == first.session
    assert (again.sum("tokens_in"), again.sum("tokens_out")) == (7, 3)
    assert again.sum("cost_micros") in (0, 250_000)
    assert again.asked == []


@each
async def test_a_session_that_is_lost_begins_anew(stage: Stage, agent: Agent, way: str) -> None:
    outcome = await stage.play(agent, way, "go on", session="never-was", anew=write({"say": "from the start"}))

    assert outcome.ok, outcome.error
    assert stage.ears.texts() == ["from the start"]
    assert "lost its session" in stage.ears.texts(Kind.LOG)[0]
    assert outcome.session not in ("", "never-was")


@each
async def test_more_is_said_in_the_same_session(stage: Stage, agent: Agent, way: str) -> None:
    stage.ears.prompts = [
        write({"usage": [5, 5, 0.5]}, {"recall": True}),
        write({"usage": [5, 5, 0.5]}, {"recall": True}),
    ]

    outcome = await stage.play(agent, way, write({"usage": [5, 5, 0.5]}, {"recall": True}))

    assert outcome.ok, outcome.error
    assert stage.ears.texts() == ["turn 1", "turn 2", "turn 3"]
    assert len(stage.ears.told(Kind.END)) == 3
    assert stage.ears.sum("tokens_in") == 15
    assert stage.ears.sum("cost_micros") in (0, 1_500_000)
    assert set(stage.ears.sessions) == {outcome.session}


@each
async def test_it_calls_our_server_with_its_own_token(stage: Stage, desk: Desk, agent: Agent, way: str) -> None:
    prompt = write({"mcp": ["log_progress", {"note": "half way"}]})

    outcome = await stage.play(agent, way, prompt, mcp=desk.server)

    assert outcome.ok, outcome.error
    assert desk.calls == [{"name": "log_progress", "arguments": {"note": "half way"}}]
    assert stage.ears.texts() == ["noted half way"]


@each
async def test_it_works_without_our_server(stage: Stage, agent: Agent, way: str) -> None:
    await stage.play(agent, way, write({"mcp": ["log_progress", {}]}))

    assert stage.ears.texts() == ["no MCP server was given"]


@each
async def test_a_failure_of_the_model_says_why(stage: Stage, agent: Agent, way: str) -> None:
    outcome = await stage.play(agent, way, write({"say": "I try."}, {"fail": "529 overloaded"}))

    assert not outcome.ok
    assert "529 overloaded" in outcome.error
    assert outcome.session
    assert stage.ears.texts() == ["I try."]
    assert stage.ears.texts(Kind.ERROR) == [outcome.error]


@each
async def test_an_agent_that_dies_says_so(stage: Stage, agent: Agent, way: str) -> None:
    outcome = await stage.play(agent, way, write({"say": "I go."}, {"orphan": 60}, {"crash": 7}))

    assert not outcome.ok
    assert outcome.exit_code == 7
    assert "exit code 7" in outcome.error
    assert "scripted crash" in outcome.error
    assert stage.ears.texts()[0] == "I go."
    assert find_left(stage) == []


@each
async def test_noise_in_its_output_does_no_harm(stage: Stage, agent: Agent, way: str) -> None:
    noise = [{"raw": text} for text in ("hello?", "", "[1]", "null", '{"broken', '{"type": 7}', '"text"', "[" * 20_000)]

    outcome = await stage.play(agent, way, write(*noise, {"say": "still here"}))

    assert outcome.ok, outcome.error
    assert stage.ears.texts() == ["still here"]


@each
@pytest.mark.parametrize("stubborn", [False, True])
async def test_nothing_is_left_of_one_that_is_cancelled(stage: Stage, agent: Agent, way: str, stubborn: bool) -> None:
    steps = [{"orphan": 300}, *([{"ignore_signals": True}] if stubborn else []), {"say": "hanging"}, {"hang": True}]
    playing = asyncio.create_task(stage.play(agent, way, write(*steps)))
    await stage.ears.wait_until(lambda ears: any("orphan" in text for text in ears.texts()))
    assert find_left(stage)
    began = time.monotonic()

    playing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await playing

    assert time.monotonic() - began < 5
    assert find_left(stage) == []


@each
async def test_one_that_is_cancelled_twice_is_gone_all_the_same(stage: Stage, agent: Agent, way: str) -> None:
    playing = asyncio.create_task(stage.play(agent, way, write({"ignore_signals": True}, {"orphan": 300}, {"hang": 1})))
    await stage.ears.wait_until(lambda ears: ears.sessions)

    for _ in range(3):
        playing.cancel()
        await asyncio.sleep(0.3)
    with pytest.raises(asyncio.CancelledError):
        await playing

    assert find_left(stage) == []


@each
async def test_when_nobody_listens_any_more_it_ends(stage: Stage, agent: Agent, way: str) -> None:
    stage.ears.breaks_at = Kind.MESSAGE

    with pytest.raises(RuntimeError, match="nobody listens"):
        await stage.play(agent, way, write({"say": "hello"}, {"run": ["true"]}, {"hang": True}))

    assert find_left(stage) == []


@each
async def test_half_a_message_is_passed_on_before_it_is_whole(stage: Stage, agent: Agent, way: str) -> None:
    playing = asyncio.create_task(stage.play(agent, way, write({"say": "first words"}, {"sleep": 4})))

    await stage.ears.wait_until(lambda ears: ears.texts(), 3.5)

    assert stage.ears.texts()[0] in ("first words", "first")
    assert (await playing).ok


@each
async def test_a_long_message_comes_in_pieces_that_lose_nothing(stage: Stage, agent: Agent, way: str) -> None:
    text = "\n".join(f"line {number} of many" for number in range(3_000))

    await stage.play(agent, way, write({"say": text}))

    assert "\n".join(stage.ears.texts()) == text
    assert max(map(len, stage.ears.texts())) <= 8_000
